//! Poseidon, t = 3, x⁵, 8 full and 57 partial rounds (protocol section 3), 27 rows a permutation.
//!
//! A lane has eight columns: the state `s`, the squares `u` and two that hold outputs in a permutation's first row and the inputs of
//! the second and third S-box in rows of partial rounds. A full round takes a row; so do three partial rounds. The outputs
//! 0 and 1 land beside the next permutation's inputs, so nothing is spent on them; output 2 is never computed (a permutation
//! can be inverted, so all three are never given).
//!
//! Of a partial round's three constants only the first needs a cell: the others are moved forward through the linear layer
//! and end in the constants of later rows ([`schedule`]).

use std::sync::LazyLock;

use ff::Field;
use fog::poseidon;
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Constraints, Expression, Fixed},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{Cell, Input, RegionCtx, SharedSelector, advice};

/// Rows of a permutation; its outputs stand in the row after.
pub const ROWS: usize = 27;
const FULL: usize = 8;
const TRIPLES: usize = 19;

/// What the cells of a row compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Full,
    Partial,
    Last,
}

/// The rows of a permutation: the kind of round and its three constants.
static SCHEDULE: LazyLock<Vec<(Round, [Fr; 3])>> = LazyLock::new(schedule);
static LINEAR: LazyLock<Linear> = LazyLock::new(Linear::new);

fn mds(v: [Fr; 3]) -> [Fr; 3] {
    poseidon::constants().mds.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

/// Sorts the round constants into rows. The stored state is the true one less `behind`, what the linear layers have made of
/// the constants not yet added.
fn schedule() -> Vec<(Round, [Fr; 3])> {
    let rounds = &poseidon::constants().rounds;
    let mut behind = [Fr::ZERO; 3];
    let mut rows = Vec::with_capacity(ROWS);
    let mut round = 0;
    while round < rounds.len() {
        let due = |behind: [Fr; 3], round: usize| -> [Fr; 3] { std::array::from_fn(|i| behind[i] + rounds[round][i]) };
        if (FULL / 2..FULL / 2 + 3 * TRIPLES).contains(&round) {
            let constants = [0, 1, 2].map(|i| {
                let [first, second, third] = due(behind, round + i);
                behind = mds([Fr::ZERO, second, third]);
                first
            });
            rows.push((Round::Partial, constants));
            round += 3;
        } else {
            let kind = if round + 1 == rounds.len() { Round::Last } else { Round::Full };
            rows.push((kind, due(behind, round)));
            behind = [Fr::ZERO; 3];
            round += 1;
        }
    }
    rows
}

/// The linear layers of a row of partial rounds, over `(w0, w1, w2, s1, s2)` where `w` are the S-boxes' outputs.
struct Linear {
    y1: [Fr; 5],
    y2: [Fr; 5],
    next: [[Fr; 5]; 3],
}

impl Linear {
    fn new() -> Self {
        let unit = |i: usize| -> [Fr; 5] { std::array::from_fn(|j| Fr::from(u64::from(i == j))) };
        let step = |v: [[Fr; 5]; 3]| -> [[Fr; 5]; 3] {
            poseidon::constants()
                .mds
                .map(|row| std::array::from_fn(|j| row[0] * v[0][j] + row[1] * v[1][j] + row[2] * v[2][j]))
        };
        let first = step([unit(0), unit(3), unit(4)]);
        let second = step([unit(1), first[1], first[2]]);
        let next = step([unit(2), second[1], second[2]]);
        Self { y1: first[0], y2: second[0], next }
    }
}

/// `Σ kᵢ·termᵢ`, without the terms whose coefficient is 0.
fn linear(terms: &[Expression<Fr>; 5], k: &[Fr; 5]) -> Expression<Fr> {
    let terms = terms.iter().zip(k);
    let used = terms.filter(|(_, k)| !bool::from(k.is_zero()));
    used.map(|(term, &k)| term.clone() * k).reduce(|sum, term| sum + term).expect("a row of the MDS matrix isn't zero")
}

/// A constraint with its name.
type Named = (String, Expression<Fr>);

/// The outputs `u²·x` of three S-boxes with the inputs `x`, and that `u` holds the squares of these.
fn s_boxes(u: &[Expression<Fr>; 3], x: &[Expression<Fr>; 3]) -> ([Expression<Fr>; 3], Vec<Named>) {
    let square = |i: usize| (format!("u{i} = x{i}²"), u[i].clone() - x[i].clone() * x[i].clone());
    let squares = (0..3).map(square).collect();
    ([0, 1, 2].map(|i| u[i].clone() * u[i].clone() * x[i].clone()), squares)
}

/// Eight advice columns on which permutations stand one under the other.
#[derive(Clone, Copy, Debug)]
pub struct PoseidonLane {
    state: [Column<Advice>; 3],
    output: [Column<Advice>; 2],
    square: [Column<Advice>; 3],
    constants: [Column<Fixed>; 3],
    full: SharedSelector,
    partial: SharedSelector,
    last: SharedSelector,
}

/// The cells of a permutation that other chips may use.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    /// The state it began with.
    pub inputs: [Cell; 3],
    /// Outputs 0 and 1.
    pub outputs: [Cell; 2],
}

impl PoseidonLane {
    /// The gates of a lane. `linked` are the columns of state and outputs, where equality must be enabled; the round constants and the
    /// selectors `[full, partial, last]` (of degree ≤ 2) may be shared by lanes whose permutations stand in the same rows.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        linked: [Column<Advice>; 5],
        square: [Column<Advice>; 3],
        constants: [Column<Fixed>; 3],
        [full, partial, last]: [SharedSelector; 3],
    ) -> Self {
        let [s0, s1, s2, o0, o1] = linked;
        let lane = Self { state: [s0, s1, s2], output: [o0, o1], square, constants, full, partial, last };
        lane.gate_full(meta, "poseidon full", full, &lane.state);
        lane.gate_full(meta, "poseidon last", last, &lane.output);
        lane.gate_partial(meta);
        lane
    }

    /// `uᵢ = xᵢ²` with `xᵢ = sᵢ + cᵢ`, next = M · (u² x), written to as many columns as `to` has.
    fn gate_full(
        &self,
        meta: &mut ConstraintSystem<Fr>,
        name: &'static str,
        selector: SharedSelector,
        to: &[Column<Advice>],
    ) {
        meta.create_gate(name, |meta| {
            let q = selector.query(meta);
            let x = [0, 1, 2].map(|i| {
                meta.query_advice(self.state[i], Rotation::cur()) + meta.query_fixed(self.constants[i], Rotation::cur())
            });
            let u = advice(meta, self.square, Rotation::cur());
            let (w, mut constraints) = s_boxes(&u, &x);
            for (j, &column) in to.iter().enumerate() {
                let row = poseidon::constants().mds[j];
                let sum = w[0].clone() * row[0] + w[1].clone() * row[1] + w[2].clone() * row[2];
                let next = meta.query_advice(column, Rotation::next());
                constraints.push((format!("next{j} = M{j} · s-box"), next - sum));
            }
            Constraints::with_selector(q, constraints)
        });
    }

    /// Three partial rounds: `u0 = (s0 + c0)²`, `y1`, `u1 = y1²`, `y2`, `u2 = y2²` and the next state, each linear in the S-boxes'
    /// outputs `u²·y` and the untouched `s1`, `s2`.
    fn gate_partial(&self, meta: &mut ConstraintSystem<Fr>) {
        meta.create_gate("poseidon partial", |meta| {
            let q = self.partial.query(meta);
            let c = self.constants.map(|column| meta.query_fixed(column, Rotation::cur()));
            let s = advice(meta, self.state, Rotation::cur());
            let next = advice(meta, self.state, Rotation::next());
            let y = advice(meta, self.output, Rotation::cur());
            let u = advice(meta, self.square, Rotation::cur());
            let x = [s[0].clone() + c[0].clone(), y[0].clone(), y[1].clone()];
            let ([w0, w1, w2], mut constraints) = s_boxes(&u, &x);
            let terms = [w0, w1, w2, s[1].clone(), s[2].clone()];
            let linear = |k: &[Fr; 5]| linear(&terms, k);
            for (j, k) in [&LINEAR.y1, &LINEAR.y2].into_iter().enumerate() {
                let value = y[j].clone() - c[j + 1].clone() - linear(k);
                constraints.push((format!("y{0} = linear + c{0}", j + 1), value));
            }
            for (j, next) in next.into_iter().enumerate() {
                let value = next - linear(&LINEAR.next[j]);
                constraints.push((format!("next{j} = linear"), value));
            }
            Constraints::with_selector(q, constraints)
        });
    }

    /// Lays a permutation of `inputs` on the 27 rows from `row`; its outputs stand in the row after.
    #[track_caller]
    pub fn permute(&self, region: &mut RegionCtx<'_>, row: usize, inputs: [Input; 3]) -> Permutation {
        let ([s0, s1, s2], [x, y, z]) = (self.state, inputs);
        let cells = [region.advice(s0, row, x), region.advice(s1, row, y), region.advice(s2, row, z)];
        Permutation { inputs: cells, outputs: self.rounds(region, row, cells.map(|cell| cell.value)) }
    }

    /// All rounds from a state that stands on `row`; gives the outputs.
    fn rounds(&self, region: &mut RegionCtx<'_>, row: usize, mut s: [Fr; 3]) -> [Cell; 2] {
        for (i, (round, constants)) in SCHEDULE.iter().enumerate() {
            let here = row + i;
            for (column, &constant) in self.constants.iter().zip(constants) {
                region.fixed(*column, here, constant);
            }
            if i > 0 {
                for (column, value) in self.state.iter().zip(s) {
                    region.witness(*column, here, value);
                }
            }
            s = match round {
                Round::Full | Round::Last => {
                    if *round == Round::Full { self.full } else { self.last }.on(region, here);
                    let x: [Fr; 3] = std::array::from_fn(|i| s[i] + constants[i]);
                    self.squares(region, here, x);
                    mds(x.map(|x| x.square().square() * x))
                }
                Round::Partial => self.partial_row(region, here, s, *constants),
            };
        }
        [0, 1].map(|i| region.witness(self.output[i], row + ROWS, s[i]))
    }

    /// Whether a cell is output 0 of the permutation that ends where one on `row` begins.
    pub(super) fn is_before(&self, cell: Cell, row: usize) -> bool {
        cell.row() == row && cell.position().column == self.output[0].into()
    }

    fn partial_row(&self, region: &mut RegionCtx<'_>, row: usize, mut s: [Fr; 3], constants: [Fr; 3]) -> [Fr; 3] {
        self.partial.on(region, row);
        let x = constants.map(|constant| {
            let x = s[0] + constant;
            s = mds([x.square().square() * x, s[1], s[2]]);
            x
        });
        region.witness(self.output[0], row, x[1]);
        region.witness(self.output[1], row, x[2]);
        self.squares(region, row, x);
        s
    }

    fn squares(&self, region: &mut RegionCtx<'_>, row: usize, x: [Fr; 3]) {
        for (column, x) in self.square.iter().zip(x) {
            region.witness(*column, row, x.square());
        }
    }
}
