//! The columns of the second phase: what polynomials are worth at the challenge.

use engines::bfv::{captured::CAPTURED_COLUMNS, parameters::DEGREE};
use ff::Field;
use halo2curves::bn256::Fr;

use super::{
    numbers::Numbers,
    row::{FACTORS, Small},
};

/// Each column from the first row to the one after the last coefficient.
pub struct Values {
    /// What the coefficients from a row on make, for `s`, `r`, `a`, `B` and `c₁`.
    pub factors: [Vec<Fr>; FACTORS],
    /// The linear parts of all relations.
    pub rest: Vec<Fr>,
    pub power: Vec<Fr>,
    pub vanishing: Vec<Fr>,
}

/// From the last row up: its end, then what stands in each row and `z` times what stands below.
fn horner(column: &[Fr], end: Fr, z: Fr) -> Vec<Fr> {
    let mut values = vec![end];
    for row in (0..DEGREE).rev() {
        let value = column.get(row).copied().unwrap_or(Fr::ZERO);
        values.push(value + values[values.len() - 1] * z);
    }
    values.reverse();
    values
}

impl Values {
    /// The values at the challenge `z`, and the relations mixed by the other one.
    pub fn new(public: &[Vec<Fr>; CAPTURED_COLUMNS], numbers: &Numbers, [z, mix]: [Fr; 2]) -> Self {
        let [a, _, joint, _, _, _, c1, _] = public;
        let [key, mask] = [Small::Key, Small::Mask].map(|name| &numbers.small[name as usize]);
        let vanishing = z.pow([DEGREE as u64]) + Fr::ONE;
        Self {
            factors: [key, mask, a, joint, c1].map(|column| horner(column, Fr::ZERO, z)),
            rest: horner(&numbers.relations(public, vanishing, mix), Fr::ZERO, z),
            power: horner(&[], Fr::ONE, z),
            vanishing: vec![vanishing; DEGREE + 1],
        }
    }
}
