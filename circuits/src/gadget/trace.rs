//! Which bindings a layout has, by label, and which cells flow into them: so the tests can forge what a prover chooses, and see for
//! what reason a witness is refused.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    panic::Location,
};

use ff::Field;
use halo2curves::bn256::Fr;

use super::{Cell, Label, Layout, Tamper};
use crate::laid::LaidCircuit;

/// Two cells that are bound to each other.
#[derive(Clone, Copy)]
pub struct Bound {
    /// What the code and the documents call it.
    pub label: Label,
    pub left: Cell,
    /// What it must be.
    pub right: Cell,
    /// The line that asks for it.
    line: &'static Location<'static>,
    /// How many booleans were laid before it.
    booleans: usize,
}

/// What was laid, in order.
#[derive(Default)]
pub struct Trace {
    /// Pairs of cells that must be equal.
    pub bound: Vec<Bound>,
    /// The cells of the public inputs.
    pub public: Vec<Cell>,
    /// Public inputs after those that no cell holds in their order: whoever verifies makes them.
    pub given: Vec<Fr>,
    /// Of each element of a listing whether it is active, and its number.
    pub listed: Vec<(Fr, u64)>,
    /// Both factors of every boolean.
    booleans: Vec<[Cell; 2]>,
    /// Columns and rows of copies, and where each was copied from.
    sources: Vec<((usize, usize), Cell)>,
    /// The line that asked for each advice cell, by column and row. Chips and gadgets pass on their caller's, where that says more.
    pub lines: Vec<((usize, usize), &'static Location<'static>)>,
    /// What asked for each copy constraint but those of the public inputs, in the order in which they were laid.
    pub copies: Vec<Copied>,
}

/// What asked for a copy constraint.
#[derive(Clone, Copy, Debug)]
pub struct Copied {
    pub line: &'static Location<'static>,
    /// Its label, if it binds two cells; none if it makes one of the other.
    pub label: Option<Label>,
}

impl Trace {
    /// What a cell must hold to equal what it is bound to.
    pub fn fitting(&self, cell: &Cell) -> Fr {
        let mut bound = self.bound.iter();
        let bound = bound.find(|bound| place(&bound.right) == place(cell));
        bound.expect("the cell is bound").left.value
    }

    /// The labels of the bindings that don't hold.
    pub fn refused(&self) -> BTreeSet<Label> {
        let broken = self.bound.iter().filter(|bound| bound.left.value != bound.right.value);
        broken.map(|bound| bound.label).collect()
    }

    /// The bindings with a label.
    pub fn bindings(&self, label: Label) -> impl Iterator<Item = &Bound> {
        self.bound.iter().filter(move |bound| bound.label == label)
    }

    /// Columns and rows of all copies.
    pub fn copies(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.sources.iter().map(|(copy, _)| *copy)
    }

    /// The labels of the statement's own bindings, without those inside of chips. A label belongs to one line only.
    pub fn labels(&self) -> BTreeSet<Label> {
        let mut lines = BTreeMap::new();
        let own = |bound: &&Bound| bound.label.starts_with(char::is_uppercase);
        for bound in self.bound.iter().filter(own) {
            let line = *lines.entry(bound.label).or_insert(bound.line);
            assert_eq!(line, bound.line, "{} is on two lines", bound.label);
        }
        lines.into_keys().collect()
    }
}

fn place(cell: &Cell) -> (usize, usize) {
    (cell.position().column.index(), cell.row())
}

thread_local! {
    /// What is laid within [`of`].
    static TRACE: RefCell<Option<Trace>> = RefCell::default();
}

fn record(what: impl FnOnce(&mut Trace)) {
    TRACE.with_borrow_mut(|trace| trace.as_mut().map(what));
}

#[track_caller]
pub(super) fn bound(label: Label, left: Cell, right: Cell) {
    let line = Location::caller();
    record(|trace| {
        let booleans = trace.booleans.len();
        trace.copies.push(Copied { line, label: Some(label) });
        trace.bound.push(Bound { label, left, right, line, booleans });
    });
}

#[track_caller]
pub(super) fn assigned(cell: Cell) {
    let line = Location::caller();
    record(|trace| trace.lines.push((place(&cell), line)));
}

#[track_caller]
pub(super) fn copied(from: Cell, to: Cell) {
    let line = Location::caller();
    record(|trace| {
        trace.copies.push(Copied { line, label: None });
        trace.sources.push((place(&to), from));
    });
}

pub(super) fn chose_boolean(factors: [Cell; 2]) {
    record(|trace| trace.booleans.push(factors));
}

pub(super) fn listed(active: Fr, number: u64) {
    record(|trace| trace.listed.push((active, number)));
}

pub(super) fn published(cells: &[Cell]) {
    record(|trace| trace.public = cells.to_vec());
}

/// Public inputs after those of the layout's cells.
pub fn given(values: Vec<Fr>) {
    record(|trace| trace.given = values);
}

/// The trace of what `lay` lays on this thread; the circuit's rows have been counted.
pub fn of(lay: impl FnOnce()) -> Trace {
    let before = TRACE.replace(Some(Trace::default()));
    assert!(before.is_none(), "a trace within a trace");
    lay();
    TRACE.take().expect("nobody else takes it")
}

/// Lays a circuit with one column of public inputs.
pub fn lay<C: Layout>(circuit: &C, instance: &[Fr]) -> (LaidCircuit, Trace) {
    // Counting rows lays the circuit too, the first time.
    C::rows();
    let mut laid = None;
    let trace = of(|| laid = Some(LaidCircuit::of(circuit, vec![instance.to_vec()])));
    (laid.expect("it was laid"), trace)
}

/// Lays a forgery, which only bindings may refuse: the labels of those that do.
pub fn refusals<C: Layout>(circuit: &C, instance: &[Fr], what: &str) -> BTreeSet<Label> {
    let (laid, trace) = lay(circuit, instance);
    let broken = trace.bound.iter().filter(|b| b.left.value != b.right.value);
    let broken: Vec<Label> = broken.map(|bound| bound.label).collect();
    let found = laid.refusals();
    assert!(!found.is_empty(), "{what}: nothing refuses it");
    assert!(found.iter().all(|refusal| refusal.what == "copy"), "{what}: {found:#?}");
    assert_eq!(found.len(), broken.len(), "{what}: {found:#?}, {broken:?}");
    broken.into_iter().collect()
}

/// Lays a circuit of which cells are broken, all of them copies, by column and row: a copy must refuse each.
pub fn assert_copies<C: Layout>(broken: &C, instance: &[Fr], copies: &BTreeSet<(usize, usize)>) {
    let (laid, _) = lay(broken, instance);
    let noticed: BTreeSet<_> = laid.broken_copies().into_iter().flatten().map(|cell| laid.place(cell)).collect();
    let unnoticed: Vec<_> = copies.difference(&noticed).collect();
    assert!(unnoticed.is_empty(), "nobody notices (column, row) {unnoticed:?}");
}

/// The labels in a statement's table of docs/src/statements.md are those that are laid and those that are forged, and stand in the rows
/// that they begin with.
pub fn assert_labels(statement: &str, laid: &BTreeSet<Label>, forged: &BTreeSet<Label>) {
    assert_eq!(laid, forged, "a label without a forgery, or the other way round");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/statements.md");
    let document = std::fs::read_to_string(path).expect("the document of the statements");
    let mut documented = BTreeSet::new();
    for line in document.lines().filter(|line| line.starts_with('|')) {
        let row = line.split('|').nth(1).unwrap_or_default().trim();
        let words = line.split('`');
        for label in words.filter(|word| is_label(word, statement)) {
            let (place, _) = label.split_once('.').expect("a label has a dot");
            assert_eq!(place, row, "{label} stands in another row");
            assert!(documented.insert(label), "{label} is documented twice");
        }
    }
    assert_eq!(documented, *laid, "the document names other labels");
}

/// Whether a word is the statement's letter, a number, a dot and a name.
fn is_label(word: &str, statement: &str) -> bool {
    let Some((row, name)) = word.split_once('.') else {
        return false;
    };
    let number = row.strip_prefix(statement);
    number.is_some_and(|number| number.parse::<u8>().is_ok())
        && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// Cells to be forged, found by the bindings that they flow into.
pub struct Lies<'t> {
    trace: &'t Trace,
    pub tampers: Vec<Tamper>,
}

impl<'t> Lies<'t> {
    /// None yet. `trace` is of the honest witness.
    pub fn new(trace: &'t Trace) -> Self {
        Self { trace, tampers: Vec::new() }
    }

    fn add(&mut self, cell: Cell, delta: Fr) {
        let (column, row) = place(&cell);
        self.tampers.push(Tamper { column, row, delta });
    }

    /// Turns the `n`-th of the booleans that bindings with a label are about: the `count` ones laid last before each of them.
    pub fn turn_flag(&mut self, label: Label, count: usize, n: usize) {
        for cell in self.flag(label, count, n) {
            self.add(cell, Fr::ONE - cell.value.double());
        }
    }

    /// Gives that boolean another value, which needn't be 0 or 1.
    pub fn set_flag(&mut self, label: Label, count: usize, n: usize, value: Fr) {
        for cell in self.flag(label, count, n) {
            self.add(cell, value - cell.value);
        }
    }

    fn flag(&self, label: Label, count: usize, n: usize) -> [Cell; 2] {
        let (which, n) = (n / count, n % count);
        let end = self.binding(label, which).booleans;
        self.trace.booleans[end - count + n]
    }

    /// Turns the last bit of the number that the first binding with a label is about.
    pub fn turn_last_bit(&mut self, label: Label) {
        let number = self.binding(label, 0).left;
        let is_odd = number.value.to_bytes()[0] & 1 == 1;
        self.add(number, if is_odd { -Fr::ONE } else { Fr::ONE });
    }

    /// Adds 1 to what the operation behind the first binding with a label has copied into its `operand`: 0 to 3 for `a b c acc`.
    pub fn add_to_operand(&mut self, label: Label, operand: usize) {
        let (result, row) = place(&self.binding(label, 0).left);
        let source = self.trace.sources.iter().find(|(copy, _)| *copy == (result - 4 + operand, row));
        self.add(source.expect("the operand is a copy").1, Fr::ONE);
    }

    fn binding(&self, label: Label, n: usize) -> &'t Bound {
        let found = self.trace.bindings(label).nth(n);
        found.unwrap_or_else(|| panic!("{label} isn't laid {} times", n + 1))
    }
}
