//! Which statements of the code choose and bind which cells: so the tests can forge what a prover chooses, and see for what reason a witness
//! is refused.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashSet},
    panic::Location,
};

use ff::Field;
use halo2_proofs::dev::{MockProver, VerifyFailure};
use halo2curves::bn256::Fr;

use super::{Cell, Tamper};
use crate::StatementCircuit;

/// A line of code: its file, from the workspace's root, and its number.
pub type Line = (&'static str, u32);

/// Two cells that a line of code binds to each other.
#[derive(Clone, Copy)]
pub struct Bound {
    /// The line that asks for it.
    pub line: Line,
    /// What was computed.
    pub left: Cell,
    /// What it must be.
    pub right: Cell,
}

/// What was laid on a sheet, in order.
#[derive(Default)]
pub struct Trace {
    /// Pairs of cells that must be equal.
    pub bound: Vec<Bound>,
    /// Cells that aren't copies, with the lines that asked for them.
    pub chosen: Vec<(Line, Cell)>,
    /// The cells of the public inputs.
    pub public: Vec<Cell>,
}

impl Trace {
    /// What a cell must hold to equal what it is bound to.
    pub fn fitting(&self, cell: &Cell) -> Fr {
        let mut bound = self.bound.iter();
        let bound = bound.find(|bound| place(&bound.right) == place(cell));
        bound.expect("the cell is bound").left.value
    }
}

/// Column and row.
fn place(cell: &Cell) -> (usize, usize) {
    let position = cell.position();
    (position.column.index(), position.row_offset)
}

thread_local! {
    static TRACE: RefCell<Trace> = RefCell::default();
}

#[track_caller]
fn caller() -> Line {
    let place = Location::caller();
    (place.file(), place.line())
}

#[track_caller]
pub(super) fn bound(left: Cell, right: Cell) {
    let line = caller();
    TRACE.with_borrow_mut(|trace| trace.bound.push(Bound { line, left, right }));
}

#[track_caller]
pub(super) fn chose(cell: Cell) {
    let line = caller();
    TRACE.with_borrow_mut(|trace| trace.chosen.push((line, cell)));
}

pub(super) fn published(cells: &[Cell]) {
    TRACE.with_borrow_mut(|trace| trace.public = cells.to_vec());
}

/// Lays a circuit.
pub fn lay<C: StatementCircuit>(circuit: &C, instance: &[Fr]) -> (MockProver<Fr>, Trace) {
    TRACE.take();
    let prover = MockProver::run(C::K, circuit, vec![instance.to_vec()]);
    (prover.expect("it fits its rows"), TRACE.take())
}

/// Lays a forgery, which only bonds between cells may refuse: the lines that do.
pub fn refusals<C: StatementCircuit>(circuit: &C, instance: &[Fr], what: &str) -> BTreeSet<Line> {
    let (prover, trace) = lay(circuit, instance);
    let broken = trace.bound.iter().filter(|b| b.left.value != b.right.value);
    let broken: Vec<Line> = broken.map(|bound| bound.line).collect();
    let found = prover.verify_par().expect_err(what);
    // Two classes of equal cells, once bound to each other, part in two places.
    assert!(found.len() <= 2 * broken.len(), "{what}: {found:#?}");
    let is_copy = |failure: &VerifyFailure| matches!(failure, VerifyFailure::Permutation { .. });
    assert!(found.iter().all(is_copy), "{what}: {found:#?}");
    broken.into_iter().collect()
}

/// The statement of the source that begins on a line, without white space.
pub fn statement((file, number): Line) -> String {
    let path = format!("{}/../{file}", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let from = source.lines().skip(number as usize - 1);
    let code: String = from.flat_map(|line| line.chars().chain(['\n'])).collect();
    let mut depth = 0i32;
    let end = code.find(|c| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth < 0 || (depth == 0 && c == ';')
    });
    let code = &code[..end.unwrap_or(code.len())];
    code.split_whitespace().collect()
}

/// Cells to be forged, found by the statement that chooses them.
pub struct Lies<'t> {
    trace: &'t Trace,
    factors: [usize; 2],
    /// What to break.
    pub tampers: Vec<Tamper>,
}

impl<'t> Lies<'t> {
    /// None yet. `trace` is of the honest witness, `factors` are the columns that hold the factors of [`Arith`](super::Arith)'s products.
    pub fn new(trace: &'t Trace, factors: [usize; 2]) -> Self {
        Self {
            trace,
            factors,
            tampers: Vec::new(),
        }
    }

    /// Forges the `n`-th cell that a statement chooses in `column`.
    pub fn add(&mut self, text: &str, column: usize, n: usize, delta: Fr) {
        self.tampers.push(Tamper {
            column,
            row: place(&self.chosen(text, column, n)).1,
            delta,
        });
    }

    /// Turns the `n`-th bit that a statement chooses in `column`.
    pub fn turn(&mut self, text: &str, column: usize, n: usize) {
        let bit = self.chosen(text, column, n).value;
        self.add(text, column, n, Fr::ONE - bit.double());
    }

    /// Turns the `n`-th boolean of [`Arith`](super::Arith) that a statement chooses: it stands in two cells.
    pub fn turn_boolean(&mut self, text: &str, n: usize) {
        for column in self.factors {
            self.turn(text, column, n);
        }
    }

    fn chosen(&self, text: &str, column: usize, n: usize) -> Cell {
        let lines: HashSet<Line> = self.trace.chosen.iter().map(|(line, _)| *line).collect();
        let line = find(lines, text);
        let in_column = |cell: &Cell| place(cell).0 == column;
        let of_line = self.trace.chosen.iter().filter(|(at, _)| *at == line);
        let cell = of_line.map(|(_, cell)| *cell).filter(in_column).nth(n);
        cell.unwrap_or_else(|| panic!("{text:?} chooses fewer cells in column {column}"))
    }
}

/// The only line whose statement contains `text`.
pub fn find(lines: impl IntoIterator<Item = Line>, text: &str) -> Line {
    let text: String = text.split_whitespace().collect();
    let mut found = lines
        .into_iter()
        .filter(|line| statement(*line).contains(&text));
    let line = found
        .next()
        .unwrap_or_else(|| panic!("no statement has {text:?}"));
    assert_eq!(found.next(), None, "{text:?} is in several statements");
    line
}
