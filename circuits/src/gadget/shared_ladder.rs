//! Many multiples by one secret, `a·P` for several points `P` (protocol section 5: `D_s = a·B_s`), as many ladders beside each other as there are rails.
//!
//! A ladder has three free columns `x λ μ` and two linked ones for its base, `px py`; all ladders of a row share the column `z` that
//! reads the digits. On each row `A = (x, y)` becomes `A ± P + A`, where `y` needs no cell: it is half of `Y = (λ + μ)(x − xr)`
//! with `xr = λ² − x − px`, because `μ` is the slope of the second addition.
//!
//! | row | what |
//! | --- | --- |
//! | 0 | *start*: `A = P` on the curve, `λ` its tangent, so the next row holds `3P` |
//! | 1 … 248 | *step*: one bit of `a`, from the second down to the last but one |
//! | 249 | *end*: `A = (a | 1)·P`; without its last bit `a` needs `A − P` |
//! | 250 | `px py` hold `a·P`, `z` holds `a` |
//!
//! **No case is exceptional, whoever chose `P`.** `P` is a point of the curve (row 0), whose order is the prime `q > 2²⁵³`, and on every row
//! from 1 `A = m·P` with `3 ≤ m < 2²⁵⁰`: `a` has 250 bits with the top bit set, which is `z = 1` on row 1. An addition is exceptional only if
//! one of `m ∓ 1`, `1`, `2m ± 1` is 0 modulo `q`, and none is. So every denominator is non-zero, every slope is determined, and no inverse
//! needs a cell. The points of one ladder are multiples of its own base alone: a base chosen against the sender can't break it.

use ff::{BatchInvert, Field};
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Constraints, Expression, VirtualCells},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{Cell, Context, Input, Point, RegionCtx, SharedSelector, advice, selector::Gate};

/// Bits of the scalar; the top one is set.
pub const BITS: usize = 250;
/// Rows of a ladder; the last holds its results.
pub const ROWS: usize = BITS + 1;

const START: usize = 0;
const END: usize = BITS - 1;
const RESULT: usize = BITS;

/// The columns of one ladder.
#[derive(Clone, Copy, Debug)]
pub struct Rail {
    /// Of the base, linked; in the last row of the product.
    pub base: [Column<Advice>; 2],
    /// The columns of the witnesses `x`, `λ` and `μ`.
    pub free: [Column<Advice>; 3],
}

/// What the gates say of a rail's row.
struct Row {
    x: Expression<Fr>,
    px: Expression<Fr>,
    py: Expression<Fr>,
    lambda: Expression<Fr>,
    mu: Expression<Fr>,
    /// `x` of the sum of the first addition.
    xr: Expression<Fr>,
    y2: Expression<Fr>,
}

impl Rail {
    fn row(&self, meta: &mut VirtualCells<'_, Fr>, at: Rotation) -> Row {
        let [px, py] = advice(meta, self.base, at);
        let [x, lambda, mu] = advice(meta, self.free, at);
        let xr = lambda.clone() * lambda.clone() - x.clone() - px.clone();
        let y2 = (lambda.clone() + mu.clone()) * (x.clone() - xr.clone());
        Row { x, px, py, lambda, mu, xr, y2 }
    }
}

/// The values of a ladder's free columns, and what it makes.
#[derive(Clone)]
struct Trace {
    rows: Vec<[Fr; 3]>,
    product: [Fr; 2],
}

/// The ladders of several bases by the same bits, most significant first. All bases take a step together, so that two inversions serve
/// them all. Total: the inverse of 0 is 0.
fn traces(bases: &[[Fr; 2]], bits: &[bool; BITS]) -> Vec<Trace> {
    let mut points = bases.to_vec();
    let mut traces = vec![Trace { rows: Vec::with_capacity(BITS), product: [Fr::ZERO; 2] }; bases.len()];
    for row in START..=END {
        let bit = row < END && bits[row];
        let lambdas = first_slopes(&points, bases, row == START, bit);
        let chords = points.iter().zip(bases).zip(&lambdas);
        let sums: Vec<Fr> = chords.map(|((&[x, _], &[px, _]), lambda)| lambda.square() - x - px).collect();
        let mut runs: Vec<Fr> = points.iter().zip(&sums).map(|(&[x, _], xr)| x - xr).collect();
        runs.iter_mut().batch_invert();
        for (i, trace) in traces.iter_mut().enumerate() {
            let ([x, y], lambda, xr) = (points[i], lambdas[i], sums[i]);
            let mu = y.double() * runs[i] - lambda;
            trace.rows.push([x, lambda, mu]);
            if row == END {
                trace.product = if bits[END] { [x, y] } else { [xr, lambda * (x - xr) - y] };
            }
            let next = mu.square() - x - xr;
            points[i] = [next, mu * (x - next) - y];
        }
    }
    traces
}

/// The slopes of a row's first additions: of the tangents at `points` on the first row, else of the chords to the bases, or to their
/// negatives if the bit is 0.
fn first_slopes(points: &[[Fr; 2]], bases: &[[Fr; 2]], is_first: bool, bit: bool) -> Vec<Fr> {
    let slopes = points.iter().zip(bases).map(|(&[x, y], &[px, py])| {
        if is_first {
            (y.double(), x.square() * Fr::from(3))
        } else if bit {
            (x - px, y - py)
        } else {
            (x - px, y + py)
        }
    });
    let (mut runs, rises): (Vec<Fr>, Vec<Fr>) = slopes.unzip();
    runs.iter_mut().batch_invert();
    runs.iter().zip(&rises).map(|(run, rise)| run * rise).collect()
}

#[derive(Clone, Debug)]
pub struct SharedLadder {
    z: Column<Advice>,
    rails: Vec<Rail>,
    start: SharedSelector,
    step: SharedSelector,
    end: SharedSelector,
}

/// The cells of some multiples by one number.
#[derive(Clone, Debug)]
pub struct Multiples {
    /// The bases, proven to lie on the curve.
    pub bases: Vec<Point>,
    pub products: Vec<Point>,
    pub number: Cell,
}

impl SharedLadder {
    /// The gates. `z` and the rails' bases must have equality enabled; the selectors must be of degree 1.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        z: Column<Advice>,
        rails: Vec<Rail>,
        [start, step, end]: [SharedSelector; 3],
    ) -> Self {
        let ladder = Self { z, rails, start, step, end };
        meta.create_gate("ladder digit", |meta| {
            let q = step.query(meta) + end.query(meta);
            let bit = ladder.bit(meta);
            let one = Expression::Constant(Fr::ONE);
            Constraints::with_selector(q, [("bit = z' − 2z is boolean", bit.clone() * (one - bit))])
        });
        for &rail in &ladder.rails {
            meta.create_gate("ladder start", |meta| ladder.gate_start(meta, rail));
            meta.create_gate("ladder move", |meta| ladder.gate_move(meta, rail));
            meta.create_gate("ladder step", |meta| ladder.gate_step(meta, rail));
            meta.create_gate("ladder end", |meta| ladder.gate_end(meta, rail));
        }
        ladder
    }

    fn bit(&self, meta: &mut VirtualCells<'_, Fr>) -> Expression<Fr> {
        let z = meta.query_advice(self.z, Rotation::cur());
        meta.query_advice(self.z, Rotation::next()) - z * Fr::from(2)
    }

    /// `A = P`, which is on the curve, and `λ` is its tangent.
    fn gate_start(&self, meta: &mut VirtualCells<'_, Fr>, rail: Rail) -> Gate {
        let q = self.start.query(meta);
        let row = rail.row(meta, Rotation::cur());
        let [two, three, b] = [2, 3, 17].map(Fr::from);
        let square = row.px.clone() * row.px.clone();
        let constraints = vec![
            ("x = px", row.x - row.px.clone()),
            ("Y = 2py", row.y2 - row.py.clone() * two),
            ("λ·2py = 3px²", row.lambda * row.py.clone() * two - square.clone() * three),
            ("py² = px³ − 17", row.py.clone() * row.py - square * row.px + Expression::Constant(b)),
        ];
        Constraints::with_selector(q, constraints)
    }

    /// From a row to the next, unless it is the last: `A' = A ± P + A` and the base stays.
    fn gate_move(&self, meta: &mut VirtualCells<'_, Fr>, rail: Rail) -> Gate {
        let q = self.start.query(meta) + self.step.query(meta);
        let row = rail.row(meta, Rotation::cur());
        let next = rail.row(meta, Rotation::next());
        let fall = row.mu.clone() * (row.x.clone() - next.x.clone()) * Fr::from(2);
        let constraints = vec![
            ("x' = μ² − x − xr", row.mu.clone() * row.mu - row.x - row.xr - next.x),
            ("Y' = 2μ·(x − x') − Y", fall - row.y2 - next.y2),
            ("px' = px", next.px - row.px),
            ("py' = py", next.py - row.py),
        ];
        Constraints::with_selector(q, constraints)
    }

    /// `λ` is the chord from `A` to `P` or, if the bit is 0, to `−P`.
    fn gate_step(&self, meta: &mut VirtualCells<'_, Fr>, rail: Rail) -> Gate {
        let q = self.step.query(meta);
        let row = rail.row(meta, Rotation::cur());
        let sign = self.bit(meta) * Fr::from(2) - Expression::Constant(Fr::ONE);
        let rise = row.y2 - sign * row.py * Fr::from(2);
        Constraints::with_selector(
            q,
            vec![("2λ·(x − px) = Y − sign·2py", row.lambda * (row.x - row.px) * Fr::from(2) - rise)],
        )
    }

    /// `λ` is the chord from `A` to `−P`, and the next row's base is `A`, or `A − P` if the bit is 0.
    fn gate_end(&self, meta: &mut VirtualCells<'_, Fr>, rail: Rail) -> Gate {
        let q = self.end.query(meta);
        let row = rail.row(meta, Rotation::cur());
        let [dx, dy] = advice(meta, rail.base, Rotation::next());
        let bit = self.bit(meta);
        let not = Expression::Constant(Fr::ONE) - bit.clone();
        let two = Fr::from(2);
        let rise = row.y2.clone() + row.py * two;
        let less_y2 = row.lambda.clone() * (row.x.clone() - row.xr.clone()) * two - row.y2.clone();
        let constraints = vec![
            ("2λ·(x − px) = Y + 2py", row.lambda * (row.x.clone() - row.px) * two - rise),
            ("px' = bit ? x : xr", bit.clone() * row.x + not.clone() * row.xr - dx),
            ("2py' = bit ? Y : 2λ·(x − xr) − Y", bit * row.y2 + not * less_y2 - dy * two),
        ];
        Constraints::with_selector(q, constraints)
    }

    /// Multiplies all `bases`, as many beside each other as there are rails, by one number: `number`, if an earlier call made it. Their count
    /// must be a multiple of the rails'.
    pub fn multiply(
        &self,
        cx: &mut Context<'_>,
        bases: &[[Fr; 2]],
        bits: &[bool; BITS],
        mut number: Option<Cell>,
    ) -> Multiples {
        let rails = self.rails.len();
        assert_eq!(bases.len() % rails, 0, "a rail without a base");
        let traces = traces(bases, bits);
        let (mut placed, mut products) = (Vec::new(), Vec::new());
        for (bases, traces) in bases.chunks(rails).zip(traces.chunks(rails)) {
            let row = cx.take_point_rows(ROWS);
            self.select(&mut cx.region, row);
            let read = self.read(cx, row, bits, number);
            number.get_or_insert(read);
            for ((rail, base), trace) in self.rails.iter().zip(bases).zip(traces) {
                let (base, product) = rail.lay(&mut cx.region, row, *base, trace);
                placed.push(base);
                products.push(product);
            }
        }
        Multiples { bases: placed, products, number: number.expect("there are bases") }
    }

    /// Turns the gates on, on the [`ROWS`] rows from `row`.
    fn select(&self, region: &mut RegionCtx<'_>, row: usize) {
        self.start.on(region, row + START);
        for step in START + 1..END {
            self.step.on(region, row + step);
        }
        self.end.on(region, row + END);
    }

    /// The column of digits: 1 on row 1, the number on the last.
    fn read(&self, cx: &mut Context<'_>, row: usize, bits: &[bool; BITS], number: Option<Cell>) -> Cell {
        let mut z = cx.region.advice(self.z, row + 1, cx.one);
        for (i, &bit) in bits.iter().enumerate().skip(1) {
            let value = z.value.double() + Fr::from(u64::from(bit));
            let input = match number {
                Some(number) if i == END => Input::Copy(number),
                _ => Input::Witness(value),
            };
            z = cx.region.advice(self.z, row + i + 1, input);
        }
        z
    }
}

impl Rail {
    /// Fills the rail's columns; gives the cells of base and product.
    fn lay(&self, region: &mut RegionCtx<'_>, row: usize, base: [Fr; 2], trace: &Trace) -> (Point, Point) {
        let mut place = |at: usize, [x, y]: [Fr; 2]| Point {
            x: region.witness(self.base[0], row + at, x),
            y: region.witness(self.base[1], row + at, y),
        };
        let cells = place(START, base);
        for at in START + 1..=END {
            place(at, base);
        }
        let product = place(RESULT, trace.product);
        for (at, values) in trace.rows.iter().enumerate() {
            for (column, value) in self.free.iter().zip(values) {
                region.witness(*column, row + at, *value);
            }
        }
        (cells, product)
    }
}
