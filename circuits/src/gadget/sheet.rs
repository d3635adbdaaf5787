//! The one region of a circuit, with plain values: what chips write on.
//!
//! Chips compute with field elements, not with `Value`s: a circuit without a witness is laid out for the all-zero one, whose
//! values the keys never see. This keeps witness and layout in one piece of code, so that they can't drift apart.

use std::fmt;

use halo2_proofs::{
    circuit::{Cell as Position, Region, Value},
    plonk::{Advice, Column, Fixed},
};
use halo2curves::bn256::Fr;

/// A cell that holds a value: what one chip gives to another.
#[derive(Clone, Copy)]
pub struct Cell {
    position: Position,
    /// The value assigned.
    pub value: Fr,
}

impl Cell {
    /// Where it lies, for `constrain_instance`.
    pub fn position(&self) -> Position {
        self.position
    }
}

/// What goes into a cell: a copy, bound by the permutation argument, or a value that only the gates bind.
#[derive(Clone, Copy)]
pub enum Input {
    /// The value of another cell, bound to it.
    Copy(Cell),
    /// A value of the prover's.
    Witness(Fr),
}

impl Input {
    /// The value that will be assigned.
    pub fn value(&self) -> Fr {
        match self {
            Input::Copy(cell) => cell.value,
            Input::Witness(value) => *value,
        }
    }
}

/// Shows where a cell lies, not what it holds, which may be a secret: so whatever is made of cells may derive `Debug`.
impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.position)
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Copy(cell) => write!(f, "copy of {cell:?}"),
            Input::Witness(_) => f.write_str("witness"),
        }
    }
}

impl From<Cell> for Input {
    fn from(cell: Cell) -> Self {
        Input::Copy(cell)
    }
}

/// Adds `delta` to the value of one advice cell as it is assigned: how the tests break one cell of an otherwise valid witness.
#[derive(Clone, Copy, Debug)]
pub struct Tamper {
    /// Index of the advice column.
    pub column: usize,
    /// Row of the sheet.
    pub row: usize,
    /// What is added.
    pub delta: Fr,
}

/// The rows and columns of a circuit, being filled.
#[derive(Debug)]
pub struct Sheet<'r> {
    region: Region<'r, Fr>,
    tamper: Option<Tamper>,
    #[cfg(test)]
    written: std::collections::HashSet<(usize, usize)>,
}

impl<'r> Sheet<'r> {
    /// A sheet over the circuit's only region.
    pub fn new(region: Region<'r, Fr>, tamper: Option<Tamper>) -> Self {
        Self {
            region,
            tamper,
            #[cfg(test)]
            written: std::collections::HashSet::new(),
        }
    }

    /// Assigns an advice cell.
    pub fn advice(&mut self, column: Column<Advice>, row: usize, input: impl Into<Input>) -> Cell {
        let input = input.into();
        // Rows are counted by hand: the tests see whether two chips ever count the same ones.
        #[cfg(test)]
        assert!(
            self.written.insert((column.index(), row)),
            "column {}, row {row} is written twice",
            column.index()
        );
        let mut value = input.value();
        if let Some(t) = self.tamper
            && (t.column, t.row) == (column.index(), row)
        {
            value += t.delta;
        }
        self.region.assign_advice(column, row, Value::known(value));
        let position = Position {
            row_offset: row,
            column: column.into(),
        };
        if let Input::Copy(from) = input {
            self.region.constrain_equal(from.position, position);
        }
        Cell { position, value }
    }

    /// Assigns an advice cell with a value that only gates bind.
    pub fn witness(&mut self, column: Column<Advice>, row: usize, value: Fr) -> Cell {
        self.advice(column, row, Input::Witness(value))
    }

    /// Assigns a fixed cell.
    pub fn fixed(&mut self, column: Column<Fixed>, row: usize, value: Fr) {
        self.region.assign_fixed(column, row, value);
    }

    /// Binds two cells to each other.
    #[track_caller]
    pub fn equal(&mut self, left: Cell, right: Cell) {
        #[cfg(test)]
        asserted::record(left, right);
        self.region.constrain_equal(left.position, right.position);
    }
}

/// Which lines of code bind which values to each other: so the tests can see for what reason a witness is refused.
#[cfg(test)]
pub mod asserted {
    use super::{Cell, Position};
    use std::{cell::RefCell, panic::Location};

    /// Row and column.
    pub type Place = (usize, usize);

    /// Where a cell lies.
    pub fn place(position: Position) -> Place {
        (position.row_offset, position.column.index())
    }

    /// Two cells that a line of code binds.
    #[derive(Clone, Copy)]
    pub struct Asserted {
        /// The line that asks for it: its file and number.
        pub line: (&'static str, u32),
        /// What was computed.
        pub left: Cell,
        /// What it must be.
        pub right: Cell,
    }

    thread_local! {
        static ALL: RefCell<Vec<Asserted>> = RefCell::default();
        static PUBLIC: RefCell<Vec<Place>> = RefCell::default();
    }

    #[track_caller]
    pub(super) fn record(left: Cell, right: Cell) {
        let place = Location::caller();
        let line = (place.file(), place.line());
        ALL.with_borrow_mut(|all| all.push(Asserted { line, left, right }));
    }

    /// What has been recorded on this thread since it was last asked.
    pub fn take() -> Vec<Asserted> {
        ALL.take()
    }

    /// Remembers where the public inputs stand.
    pub fn publish(positions: &[Position]) {
        PUBLIC.with_borrow_mut(|public| *public = positions.iter().copied().map(place).collect());
    }

    /// Where the public inputs of the last circuit on this thread stand.
    pub fn public() -> Vec<Place> {
        PUBLIC.with_borrow(Clone::clone)
    }
}
