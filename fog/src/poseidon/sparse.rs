//! The same permutation with cheaper partial rounds, for native code; the circuits use the plain form.
//!
//! In a partial round only element 0 goes through the S-box, so what the round does to the others linearly can be moved: the
//! constants of elements 1 and 2 wander through the matrix into later rounds, and each matrix splits into `S·B`, where `B`
//! leaves element 0 alone, hence commutes with the S-box and joins the matrix before it, while `S` has only five entries
//! that are not 0 or 1.

use super::{Constants, FULL_ROUNDS, PARTIAL_ROUNDS, ROUNDS, WIDTH, constants};
use crate::F;
use ff::Field;
use std::sync::LazyLock;

type Matrix = [[F; WIDTH]; WIDTH];
type State = [F; WIDTH];

/// Full rounds before the partial ones.
const FIRST: usize = FULL_ROUNDS / 2;

/// A partial round: add to element 0, S-box, then `[row; column | identity]`.
struct Partial {
    constant: F,
    row: State,
    column: [F; WIDTH - 1],
}

/// The round constants and matrices, rearranged so that a partial round costs five products.
struct Sparse {
    /// Constants of the full rounds, those after the partial rounds with what wandered there.
    full: [State; FULL_ROUNDS],
    /// The `B` that is left before the first partial round.
    before: Matrix,
    partial: Vec<Partial>,
    mds: Matrix,
}

fn multiply(matrix: &Matrix, state: &State) -> State {
    matrix.map(|row| row[0] * state[0] + row[1] * state[1] + row[2] * state[2])
}

fn product(left: &Matrix, right: &Matrix) -> Matrix {
    left.map(|row| std::array::from_fn(|j| (0..WIDTH).map(|k| row[k] * right[k][j]).sum()))
}

/// `N = S·B`: the row and the column of `S`, and `B`.
fn split(matrix: &Matrix) -> (State, [F; WIDTH - 1], Matrix) {
    let [[corner, v1, v2], [w1, a, b], [w2, c, d]] = *matrix;
    let determinant = (a * d - b * c).invert();
    let inverse = determinant.expect("the inner blocks of this fixed matrix are invertible");
    let row = [corner, (v1 * d - v2 * c) * inverse, (v2 * a - v1 * b) * inverse];
    let zero = F::ZERO;
    let rest = [[F::ONE, zero, zero], [zero, a, b], [zero, c, d]];
    (row, [w1, w2], rest)
}

impl Sparse {
    fn new(plain: &Constants) -> Self {
        let mds = plain.mds;
        let mut wandering = [F::ZERO; WIDTH];
        let mut first_elements = Vec::with_capacity(PARTIAL_ROUNDS);
        for round in &plain.rounds[FIRST..FIRST + PARTIAL_ROUNDS] {
            let [zero, one, two]: State = std::array::from_fn(|i| round[i] + wandering[i]);
            first_elements.push(zero);
            wandering = multiply(&mds, &[F::ZERO, one, two]);
        }
        let mut full = [[F::ZERO; WIDTH]; FULL_ROUNDS];
        full[..FIRST].copy_from_slice(&plain.rounds[..FIRST]);
        full[FIRST..].copy_from_slice(&plain.rounds[ROUNDS - FIRST..]);
        for (value, more) in full[FIRST].iter_mut().zip(wandering) {
            *value += more;
        }
        let mut matrix = mds;
        let mut partial = Vec::with_capacity(PARTIAL_ROUNDS);
        let mut before = mds;
        for constant in first_elements.into_iter().rev() {
            let (row, column, rest) = split(&matrix);
            partial.push(Partial { constant, row, column });
            matrix = product(&rest, &mds);
            before = rest;
        }
        partial.reverse();
        Self { full, before, partial, mds }
    }
}

fn sbox(value: F) -> F {
    value.square().square() * value
}

/// Poseidon's permutation of a state of three elements.
pub fn permute(mut state: State) -> State {
    static SPARSE: LazyLock<Sparse> = LazyLock::new(|| Sparse::new(constants()));
    let sparse = &*SPARSE;
    let full = |mut state: State, constants: &State| {
        for (value, constant) in state.iter_mut().zip(constants) {
            *value = sbox(*value + constant);
        }
        multiply(&sparse.mds, &state)
    };
    state = sparse.full[..FIRST].iter().fold(state, full);
    state = multiply(&sparse.before, &state);
    for round in &sparse.partial {
        let [zero, one, two] = state;
        let zero = sbox(zero + round.constant);
        state = [
            round.row[0] * zero + round.row[1] * one + round.row[2] * two,
            round.column[0] * zero + one,
            round.column[1] * zero + two,
        ];
    }
    sparse.full[FIRST..].iter().fold(state, full)
}
