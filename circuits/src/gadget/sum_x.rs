//! The `x` coordinate of a sum of two points, one row each: the keys of an answer, `(D_s − j·a·A).x` (protocol section 5).
//!
//! Incomplete addition with a proof that the two `x` differ, so that the slope is determined: a receiver that knew the discrete logarithm
//! of the fog key could ask for a key that this refuses, but nobody can get a wrong key. The sum's `y` has no cell.

use ff::{BatchInvert, Field};
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Constraints, Expression},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{Cell, Context, Point, SharedSelector, advice};

/// Columns and selector of the gate.
#[derive(Clone, Debug)]
pub struct SumX {
    left: [Column<Advice>; 2],
    right: [Column<Advice>; 2],
    sum: Column<Advice>,
    lambda: Column<Advice>,
    inverse: Column<Advice>,
    selector: SharedSelector,
}

impl SumX {
    /// The gate. `linked` (`left`, `right`, the sum) must have equality enabled, `free` needs none; `selector` may be of degree ≤ 3.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        linked: ([Column<Advice>; 2], [Column<Advice>; 2], Column<Advice>),
        [lambda, inverse]: [Column<Advice>; 2],
        selector: SharedSelector,
    ) -> Self {
        let (left, right, sum) = linked;
        meta.create_gate("x of a sum", |meta| {
            let q = selector.query(meta);
            let here = [left[0], left[1], right[0], right[1], sum, lambda, inverse];
            let [x, y, px, py, sum, lambda, inverse] = advice(meta, here, Rotation::cur());
            let run = px.clone() - x.clone();
            let constraints = vec![
                ("(px − x)·inverse = 1", run.clone() * inverse - Expression::Constant(Fr::ONE)),
                ("λ·(px − x) = py − y", lambda.clone() * run - py + y),
                ("sum = λ² − x − px", lambda.clone() * lambda - x - px - sum),
            ];
            Constraints::with_selector(q, constraints)
        });
        Self { left, right, sum, lambda, inverse, selector }
    }

    /// The sums of `pairs`, one a row, with a single inversion.
    pub fn add(&self, cx: &mut Context<'_>, pairs: &[(Point, Point)]) -> Vec<Cell> {
        let row = cx.take_point_rows(pairs.len());
        let region = &mut cx.region;
        let mut inverses: Vec<Fr> = pairs.iter().map(|(p, q)| q.x.value - p.x.value).collect();
        inverses.iter_mut().batch_invert();
        let rows = pairs.iter().zip(inverses).zip(row..);
        rows.map(|(((left, right), inverse), here)| {
            self.selector.on(region, here);
            for (columns, point) in [(self.left, left), (self.right, right)] {
                region.advice(columns[0], here, point.x);
                region.advice(columns[1], here, point.y);
            }
            let lambda = (right.y.value - left.y.value) * inverse;
            region.witness(self.lambda, here, lambda);
            region.witness(self.inverse, here, inverse);
            let sum = lambda.square() - left.x.value - right.x.value;
            region.witness(self.sum, here, sum)
        })
        .collect()
    }
}
