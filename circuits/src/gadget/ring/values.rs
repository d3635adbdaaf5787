//! The columns of the second phase: what polynomials are worth at the challenge.

use engines::bfv::parameters::DEGREE;
use ff::Field;
use halo2curves::bn256::Fr;

use super::{
    numbers::Numbers,
    relation::Relations,
    row::{Number, mixed},
};

/// Each column from the first row to the one after the last coefficient.
pub struct Values {
    /// What the coefficients from a row on make, for each secret and each public polynomial that is multiplied.
    pub factors: Vec<Vec<Fr>>,
    /// The linear parts of all relations, less the quotient's part.
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

/// The products of all relations by the values of their factors, mixed.
pub fn products<T: Number>(relations: &Relations, factors: &[T], mix: &T) -> T {
    let columns = relations.multiplied();
    let of_public = |column: usize| columns.iter().position(|known| *known == column).unwrap_or_default();
    let sums = relations.relations.iter().map(|relation| {
        let terms = relation.products.iter().map(|(factor, public, secret)| {
            factors[relations.secrets + of_public(*public)].clone() * factors[*secret].clone() * *factor
        });
        terms.fold(T::constant(Fr::ZERO), |sum, term| sum + term) * relation.factor
    });
    mixed(sums.collect(), mix)
}

impl Values {
    /// No values: of the first phase, in which no challenge is drawn and nothing of these columns is committed to.
    fn blank(relations: &Relations) -> Self {
        let zeros = || vec![Fr::ZERO; DEGREE + 1];
        let factors = relations.secrets + relations.multiplied().len();
        Self { factors: vec![zeros(); factors], rest: zeros(), power: zeros(), vanishing: zeros() }
    }

    /// The values at the challenge `z`, with the relations mixed by the other one.
    pub fn new(relations: &Relations, public: &[Vec<Fr>], numbers: &Numbers, [z, mix]: [Fr; 2]) -> Self {
        // No challenge is drawn yet: see `known`.
        if z == Fr::ZERO {
            return Self::blank(relations);
        }
        let secrets = numbers.small[..relations.secrets].iter();
        let multiplied = relations.multiplied().into_iter().map(|column| &public[column]);
        let vanishing = z.pow([DEGREE as u64]) + Fr::ONE;
        let linear = (0..DEGREE).map(|row| {
            let public: Vec<Fr> = public.iter().map(|column| column.get(row).copied().unwrap_or_default()).collect();
            numbers.row(relations, row).linear(relations, &public, &mix) - numbers.quotient(row, mix) * vanishing
        });
        Self {
            factors: secrets.chain(multiplied).map(|column| horner(column, Fr::ZERO, z)).collect(),
            rest: horner(&linear.collect::<Vec<Fr>>(), Fr::ZERO, z),
            power: horner(&[], Fr::ONE, z),
            vanishing: vec![vanishing; DEGREE + 1],
        }
    }
}
