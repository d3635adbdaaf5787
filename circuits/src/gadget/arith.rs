//! The arithmetic of the rules: one gate, one row an operation.
//!
//! `d = k₀·a·b + k₁·a + k₂·b + k₃·c + acc` over five linked columns `a b c acc d`, with the coefficients `k` in fixed
//! columns. Everything that is said about squares and pieces is said in this gate; sums run through `acc`.
//!
//! A second gate holds constants, and where a statement's shape wants it so, public inputs too: `a = k₀ + instance`. The instance is zero below
//! the public inputs, where the constants stand, and on their rows `k₀` is. So the instance column needs no place in the permutation
//! argument, which is dearer to verify than the gate that is there anyway.

use ff::Field;
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Constraints, Fixed, Instance},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{Cell, RegionCtx, SharedSelector, advice};

/// `base^exponent`, for weights of sums.
pub fn power(base: u64, exponent: usize) -> Fr {
    let bits = (0..usize::BITS - exponent.leading_zeros()).rev().map(|bit| exponent >> bit & 1 == 1);
    bits.fold(Fr::ONE, |power, is_odd| power.square() * if is_odd { Fr::from(base) } else { Fr::ONE })
}

/// Columns and selectors of the gate.
#[derive(Clone, Copy, Debug)]
pub struct ArithConfig {
    pub(super) columns: [Column<Advice>; 5],
    pub(super) coefficients: [Column<Fixed>; 4],
    pub(super) operation: SharedSelector,
    constant: SharedSelector,
}

impl ArithConfig {
    /// The gates. `columns` must have equality enabled; `operation` may be of degree ≤ 2, `constant` of degree ≤ 4. With `instance`
    /// the rows of constants are for [`Self::public`] too.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        columns: [Column<Advice>; 5],
        coefficients: [Column<Fixed>; 4],
        operation: SharedSelector,
        constant: SharedSelector,
        instance: Option<Column<Instance>>,
    ) -> Self {
        meta.create_gate("arithmetic", |meta| {
            let q = operation.query(meta);
            let [a, b, c, acc, d] = advice(meta, columns, Rotation::cur());
            let [k0, k1, k2, k3] = coefficients.map(|column| meta.query_fixed(column, Rotation::cur()));
            let operation = k0 * a.clone() * b.clone() + k1 * a + k2 * b + k3 * c + acc - d;
            Constraints::with_selector(q, [("d = k₀·a·b + k₁·a + k₂·b + k₃·c + acc", operation)])
        });
        meta.create_gate("constant", |meta| {
            let q = constant.query(meta);
            let a = meta.query_advice(columns[0], Rotation::cur());
            let k = meta.query_fixed(coefficients[0], Rotation::cur());
            let constraint = match instance {
                None => ("a = k₀", a - k),
                Some(instance) => ("a = k₀ + instance", a - k - meta.query_instance(instance, Rotation::cur())),
            };
            Constraints::with_selector(q, [constraint])
        });
        Self { columns, coefficients, operation, constant }
    }

    /// The cells that hold 0 and 1, on `row` and the next.
    pub(super) fn constants(&self, region: &mut RegionCtx<'_>, row: usize) -> [Cell; 2] {
        [Fr::ZERO, Fr::ONE].map(|value| {
            let row = row + usize::from(value == Fr::ONE);
            self.constant.on(region, row);
            region.fixed(self.coefficients[0], row, value);
            region.witness(self.columns[0], row, value)
        })
    }

    /// Copies `cell` to `row`, where it must be that row's public input. The row must have no coefficients.
    pub(super) fn public(&self, region: &mut RegionCtx<'_>, row: usize, cell: Cell) {
        self.constant.on(region, row);
        region.advice(self.columns[0], row, cell);
    }
}
