//! Grumpkin in the circuits (protocol section 3): its points are pairs of native field elements.
//!
//! Three gates over the same columns `x y z px py` (linked) and `λ μ inverse`:
//! * *add*: `(x', y') = (x, y) + (px, py)`, incomplete, with a proof that `x ≠ px`;
//! * *double*: `(x', y') = 2·(x, y)`;
//! * *ladder*: one bit of a double-and-add, `(x', y') = ((x, y) ± (px, py)) + (x, y)`, `z' = 2z + bit`, with a proof that neither of its
//!   additions is exceptional.
//!
//! Incomplete addition is enough everywhere because no prover can use an exceptional case (the gates refuse it) and
//! no honest one meets it (the statements start from a point that nobody else can foresee). So no assumption about discrete
//! logarithms stands behind these gates, and complete addition, with its four more columns, isn't needed.

use ff::Field;
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Constraints, Expression, VirtualCells},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{Cell, Context, Input, SharedSelector, advice, selector::Gate};

/// An affine point in two linked cells; never the point at infinity.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub x: Cell,
    pub y: Cell,
}

impl From<Point> for [Input; 2] {
    fn from(point: Point) -> Self {
        [point.x.into(), point.y.into()]
    }
}

/// Where a ladder or a chain of additions ended.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// The number that its digits made, most significant first.
    pub z: Cell,
    /// The sum, on the last row.
    pub point: Point,
}

/// Columns and selectors of the three gates.
#[derive(Clone, Copy, Debug)]
pub struct EccConfig {
    pub(super) x: Column<Advice>,
    pub(super) y: Column<Advice>,
    pub(super) z: Column<Advice>,
    pub(super) px: Column<Advice>,
    pub(super) py: Column<Advice>,
    lambda: Column<Advice>,
    mu: Column<Advice>,
    inverse: Column<Advice>,
    add: SharedSelector,
    double: SharedSelector,
    ladder: SharedSelector,
}

impl EccConfig {
    /// The gates. `linked` must have equality enabled; `add` and `double` may be of degree ≤ 3, `ladder` must be of degree 1.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        linked: [Column<Advice>; 5],
        free: [Column<Advice>; 3],
        [add, double, ladder]: [SharedSelector; 3],
    ) -> Self {
        let [x, y, z, px, py] = linked;
        let [lambda, mu, inverse] = free;
        let config = Self { x, y, z, px, py, lambda, mu, inverse, add, double, ladder };
        meta.create_gate("add", |meta| config.gate_add(meta));
        meta.create_gate("double", |meta| config.gate_double(meta));
        meta.create_gate("ladder", |meta| config.gate_ladder(meta));
        config
    }

    /// The first addend, the second, the sum's cells, and the free columns.
    fn cells(&self, meta: &mut VirtualCells<'_, Fr>) -> [Expression<Fr>; 9] {
        let here = [self.x, self.y, self.px, self.py, self.lambda, self.mu, self.inverse];
        let [x, y, px, py, lambda, mu, inverse] = advice(meta, here, Rotation::cur());
        let [next_x, next_y] = advice(meta, [self.x, self.y], Rotation::next());
        [x, y, px, py, next_x, next_y, lambda, mu, inverse]
    }

    fn gate_add(&self, meta: &mut VirtualCells<'_, Fr>) -> Gate {
        let q = self.add.query(meta);
        let [x, y, px, py, next_x, next_y, lambda, _, inverse] = self.cells(meta);
        let run = px.clone() - x.clone();
        let constraints = vec![
            ("(px − x)·inverse = 1", run.clone() * inverse - Expression::Constant(Fr::ONE)),
            ("λ·(px − x) = py − y", lambda.clone() * run - py + y.clone()),
            ("x' = λ² − x − px", lambda.clone() * lambda.clone() - x.clone() - px - next_x.clone()),
            ("y' = λ·(x − x') − y", lambda * (x - next_x) - y - next_y),
        ];
        Constraints::with_selector(q, constraints)
    }

    fn gate_double(&self, meta: &mut VirtualCells<'_, Fr>) -> Gate {
        let q = self.double.query(meta);
        let [x, y, _, _, next_x, next_y, lambda, _, _] = self.cells(meta);
        let [two, three] = [2, 3].map(Fr::from);
        let constraints = vec![
            ("λ·2y = 3x²", lambda.clone() * y.clone() * two - x.clone() * x.clone() * three),
            ("x' = λ² − 2x", lambda.clone() * lambda.clone() - x.clone() * two - next_x.clone()),
            ("y' = λ·(x − x') − y", lambda * (x - next_x) - y - next_y),
        ];
        Constraints::with_selector(q, constraints)
    }

    /// `R = (x, y) ± P` with slope `λ`, then `(x', y') = R + (x, y)` with slope `μ`; `R`'s coordinates need no cells.
    fn gate_ladder(&self, meta: &mut VirtualCells<'_, Fr>) -> Gate {
        let q = self.ladder.query(meta);
        let [x, y, px, py, next_x, next_y, lambda, mu, inverse] = self.cells(meta);
        let z = meta.query_advice(self.z, Rotation::cur());
        let next_z = meta.query_advice(self.z, Rotation::next());
        let one = Expression::Constant(Fr::ONE);
        let bit = next_z - z * Fr::from(2);
        let sign = bit.clone() * Fr::from(2) - one.clone();
        let rx = lambda.clone() * lambda.clone() - x.clone() - px.clone();
        let to_p = x.clone() - px;
        let to_r = x.clone() - rx.clone();
        let constraints = vec![
            ("bit = z' − 2z is boolean", bit.clone() * (one.clone() - bit)),
            ("λ·(x − px) = y − sign·py", lambda.clone() * to_p.clone() - y.clone() + sign * py),
            ("μ·(x − rx) = y − ry", (mu.clone() + lambda) * to_r.clone() - y.clone() * Fr::from(2)),
            ("x' = μ² − x − rx", mu.clone() * mu.clone() - x.clone() - rx - next_x.clone()),
            ("y' = μ·(x − x') − y", mu * (x - next_x) - y - next_y),
            ("(x − px)·(x − rx)·inverse = 1", to_p * to_r * inverse - one),
        ];
        Constraints::with_selector(q, constraints)
    }

    /// Assigns a point on the next free row.
    #[track_caller]
    pub fn place(&self, cx: &mut Context<'_>, x: impl Into<Input>, y: impl Into<Input>) -> Point {
        let row = cx.take_point_rows(1);
        Point { x: cx.region.advice(self.x, row, x), y: cx.region.advice(self.y, row, y) }
    }

    /// `left + right`, where `left` stands on the last row; the sum stands on the next.
    #[track_caller]
    pub fn add_to_last(&self, cx: &mut Context<'_>, left: Point, right: [Input; 2]) -> Point {
        let (row, region) = (left.x.row(), &mut cx.region);
        self.add.on(region, row);
        let px = region.advice(self.px, row, right[0]).value;
        let py = region.advice(self.py, row, right[1]).value;
        let (x, y) = (left.x.value, left.y.value);
        let inverse = (px - x).invert().unwrap_or(Fr::ZERO);
        let lambda = (py - y) * inverse;
        region.witness(self.lambda, row, lambda);
        region.witness(self.inverse, row, inverse);
        let next_x = lambda.square() - x - px;
        self.next(cx, row, [next_x, lambda * (x - next_x) - y])
    }

    /// A point on the row after `row`, which must be the last.
    fn next(&self, cx: &mut Context<'_>, row: usize, [x, y]: [Fr; 2]) -> Point {
        let point = self.place(cx, Input::Witness(x), Input::Witness(y));
        assert_eq!(point.x.row(), row + 1, "a chain of points was interrupted");
        point
    }

    /// Places a point, and twice the point on the next row.
    #[track_caller]
    pub fn double(&self, cx: &mut Context<'_>, point: impl Into<[Input; 2]>) -> (Point, Point) {
        let [x, y] = point.into();
        let point = self.place(cx, x, y);
        let row = point.x.row();
        self.double.on(&mut cx.region, row);
        let (x, y) = (point.x.value, point.y.value);
        let lambda = x.square() * Fr::from(3) * y.double().invert().unwrap_or(Fr::ZERO);
        cx.region.witness(self.lambda, row, lambda);
        let next_x = lambda.square() - x.double();
        let double = self.next(cx, row, [next_x, lambda * (x - next_x) - y]);
        (point, double)
    }

    /// Proves that `whole = 2·half` and returns the cells of `half`.
    pub fn halve(&self, cx: &mut Context<'_>, whole: Point, half: [Fr; 2]) -> Point {
        let (half, double) = self.double(cx, half.map(Input::Witness));
        cx.equal("halve.x", double.x, whole.x);
        cx.equal("halve.y", double.y, whole.y);
        half
    }

    /// Places the start of a chain, with 0 for its number.
    pub(super) fn start(&self, cx: &mut Context<'_>, point: Point) -> Chain {
        let point = self.place(cx, point.x, point.y);
        let z = cx.region.advice(self.z, point.x.row(), cx.zero);
        Chain { z, point }
    }

    /// `2ⁿ·start + (2z − 2ⁿ + 1)·base` for the `n` bits of `z`, most significant first, on `n + 1` rows.
    pub fn ladder(&self, cx: &mut Context<'_>, start: Point, base: Point, bits: &[bool]) -> Chain {
        let chain = self.start(cx, start);
        bits.iter().fold(chain, |chain, &bit| self.ladder_row(cx, chain, base, bit))
    }

    fn ladder_row(&self, cx: &mut Context<'_>, chain: Chain, base: Point, bit: bool) -> Chain {
        let row = chain.point.x.row();
        let region = &mut cx.region;
        self.ladder.on(region, row);
        region.advice(self.px, row, base.x);
        region.advice(self.py, row, base.y);
        let (x, y, px) = (chain.point.x.value, chain.point.y.value, base.x.value);
        let twice = chain.z.value.double();
        let z = region.witness(self.z, row + 1, twice + Fr::from(u64::from(bit)));
        let sign = (z.value - twice).double() - Fr::ONE;
        let py = sign * base.y.value;
        // Both slopes from one inversion of the product of 2y-like terms: with Δ = x − px, the run to R is
        // 2x + px − λ², so μ's denominator is Δ²·(2x + px) − (y ∓ py)², free of λ's own inverse.
        let (run, rise) = (x - px, y - py);
        let scaled = (x.double() + px) * run.square() - rise.square();
        let inverse = (run * scaled).invert().unwrap_or(Fr::ZERO);
        let lambda = rise * inverse * scaled;
        let inverse_to_r = inverse * run * run.square();
        let rx = lambda.square() - x - px;
        let mu = y.double() * inverse_to_r - lambda;
        region.witness(self.lambda, row, lambda);
        region.witness(self.mu, row, mu);
        region.witness(self.inverse, row, inverse * run.square());
        let next_x = mu.square() - x - rx;
        let point = self.next(cx, row, [next_x, mu * (x - next_x) - y]);
        Chain { z, point }
    }
}
