//! Selectors that share fixed columns.
//!
//! Every fixed column costs about 7k gas in the verifier, and no row belongs to two gates: so up to three gates share a column
//! that holds the code of the row's gate, 0 for none. The gate's factor is the Lagrange polynomial of its code, whose degree is the number
//! of codes. The degree of the whole gate must stay within 5 (halo2-axiom cuts a higher one off silently).

use halo2_proofs::{
    plonk::{Advice, Column, Constraints, Expression, Fixed, VirtualCells},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::RegionCtx;

/// The constraints of a gate by name, each multiplied by the gate's selector.
pub type Gate = Constraints<Fr, (&'static str, Expression<Fr>), Vec<(&'static str, Expression<Fr>)>>;

/// What a gate reads in some columns, in their order.
pub fn advice<const N: usize>(
    meta: &mut VirtualCells<'_, Fr>,
    columns: [Column<Advice>; N],
    at: Rotation,
) -> [Expression<Fr>; N] {
    columns.map(|column| meta.query_advice(column, at))
}

/// One code of a shared selector column.
#[derive(Clone, Copy, Debug)]
pub struct SharedSelector {
    column: Column<Fixed>,
    code: u64,
    codes: u64,
}

impl SharedSelector {
    /// The `N` selectors, codes 1 to `N`, that share `column`.
    pub fn share<const N: usize>(column: Column<Fixed>) -> [SharedSelector; N] {
        std::array::from_fn(|i| SharedSelector { column, code: i as u64 + 1, codes: N as u64 })
    }

    /// The expression that is 1 where the selector is on and 0 where another or none is; its degree is the number of codes.
    pub fn query(&self, meta: &mut VirtualCells<'_, Fr>) -> Expression<Fr> {
        let column = meta.query_fixed(self.column, Rotation::cur());
        let mut value = Fr::one();
        let mut factor = None;
        for other in (0..=self.codes).filter(|&other| other != self.code) {
            value *= Fr::from(self.code) - Fr::from(other);
            let root = column.clone() - Expression::Constant(Fr::from(other));
            factor = Some(match factor {
                None => root,
                Some(product) => product * root,
            });
        }
        let scale = value.invert().expect("codes differ");
        let factor = factor.expect("0 is always another code");
        if scale == Fr::one() { factor } else { factor * scale }
    }

    /// Turns the selector on in `row`.
    pub fn on(&self, region: &mut RegionCtx<'_>, row: usize) {
        region.fixed(self.column, row, Fr::from(self.code));
    }
}
