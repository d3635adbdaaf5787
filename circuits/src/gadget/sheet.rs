//! The one region of a circuit, with plain values: what chips write on.
//!
//! Chips compute with field elements, not with `Value`s: a circuit without a witness is laid out for the all-zero one, whose
//! values the keys never see. This keeps witness and layout in one piece of code, so that they can't drift apart.

use halo2_proofs::{
    circuit::{Cell as Position, Region, Value},
    plonk::{Advice, Column, Fixed},
};
use halo2curves::bn256::Fr;

/// A cell that holds a value: what one chip gives to another.
#[derive(Clone, Copy, Debug)]
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
#[derive(Clone, Copy, Debug)]
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
    pub fn equal(&mut self, left: Cell, right: Cell) {
        self.region.constrain_equal(left.position, right.position);
    }
}
