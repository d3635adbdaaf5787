//! The region of a circuit, with plain values: what chips write to.
//!
//! Chips compute with field elements, not with halo2's `Value`s: a circuit without a witness is laid out for a blank one, whose
//! values the keys never see. This keeps witness and layout in one piece of code, so that they can't drift apart.

use halo2_proofs::{
    circuit::{Cell as Position, Region, Value},
    plonk::{Advice, Column, Fixed, Instance},
};
use halo2curves::bn256::Fr;

#[cfg(test)]
use super::trace;
use crate::Regions;

/// The name of a binding, such as `T18.double_push`: the row of docs/src/statements.md that it belongs to, a dot, and what it
/// binds. Bindings inside of a chip begin with the chip's name instead. The document is the list of them: tests compare it with what is
/// laid and with the forgeries, and nothing else reads a label.
pub type Label = &'static str;

/// A cell that holds a value: what one chip gives to another.
#[derive(Clone, Copy)]
pub struct Cell {
    position: Position,
    pub value: Fr,
}

impl Cell {
    /// Column and row, for `constrain_instance`.
    pub fn position(&self) -> Position {
        self.position
    }

    pub fn row(&self) -> usize {
        self.position.row_offset
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

// What a cell holds may be a secret. Since `Debug` never shows it, whatever is made of cells may derive that.
fog::redacted!(Cell, Input);

impl From<Cell> for Input {
    fn from(cell: Cell) -> Self {
        Input::Copy(cell)
    }
}

/// Adds `delta` to the value of one advice cell as it is assigned: how the tests break one cell of an otherwise valid witness. Chips
/// compute from the cells that they have assigned, so what follows from the cell follows from the broken value.
#[derive(Clone, Copy, Debug)]
pub struct Tamper {
    /// Index of the advice column.
    pub column: usize,
    /// Row of the region.
    pub row: usize,
    pub delta: Fr,
}

/// The rows and columns of a circuit, being filled.
#[derive(Debug)]
pub struct RegionCtx<'r> {
    /// None while rows are only counted.
    region: Option<Region<'r, Fr>>,
    tampers: Vec<Tamper>,
    /// Of each column which rows are written.
    #[cfg(test)]
    written: Vec<Vec<bool>>,
}

impl<'r> RegionCtx<'r> {
    /// The circuit's only region.
    pub fn new(region: Region<'r, Fr>, tampers: Vec<Tamper>) -> Self {
        Self {
            region: Some(region),
            tampers,
            #[cfg(test)]
            written: Default::default(),
        }
    }

    /// No region: values are computed and rows counted, but nothing is assigned.
    pub fn dry() -> Self {
        Self {
            region: None,
            tampers: Vec::new(),
            #[cfg(test)]
            written: Default::default(),
        }
    }

    /// Assigns an advice cell.
    #[track_caller]
    pub fn advice(&mut self, column: Column<Advice>, row: usize, input: impl Into<Input>) -> Cell {
        let input = input.into();
        let here = |t: &&Tamper| (t.column, t.row) == (column.index(), row);
        let broken = self.tampers.iter().filter(here).map(|t| t.delta);
        let value = input.value() + broken.sum::<Fr>();
        let position = Position { row_offset: row, column: column.into() };
        let cell = Cell { position, value };
        if let Some(region) = &mut self.region {
            // Parts of a circuit share columns: the tests see whether two of them ever take the same row.
            #[cfg(test)]
            write_once(&mut self.written, column.index(), row);
            region.assign_advice(column, row, Value::known(value));
            #[cfg(test)]
            trace::assigned(cell);
            if let Input::Copy(from) = input {
                region.constrain_equal(from.position, position);
                #[cfg(test)]
                trace::copied(from, cell);
            }
        }
        cell
    }

    /// Assigns an advice cell with a value that only gates bind.
    #[track_caller]
    pub fn witness(&mut self, column: Column<Advice>, row: usize, value: Fr) -> Cell {
        self.advice(column, row, Input::Witness(value))
    }

    /// Assigns a fixed cell.
    pub fn fixed(&mut self, column: Column<Fixed>, row: usize, value: Fr) {
        if let Some(region) = &mut self.region {
            region.assign_fixed(column, row, value);
        }
    }

    /// Binds two cells to each other: what was computed, and what it must be.
    #[track_caller]
    pub fn equal(&mut self, _label: Label, left: Cell, right: Cell) {
        #[cfg(test)]
        trace::bound(_label, left, right);
        if let Some(region) = &mut self.region {
            region.constrain_equal(left.position, right.position);
        }
    }
}

#[cfg(test)]
fn write_once(written: &mut Vec<Vec<bool>>, column: usize, row: usize) {
    if written.len() <= column {
        written.resize(column + 1, Vec::new());
    }
    let rows = &mut written[column];
    if rows.len() <= row {
        rows.resize(row + 1, false);
    }
    assert!(!std::mem::replace(&mut rows[row], true), "column {column}, row {row} is written twice");
}

/// Binds the public inputs, in order, to the cells that hold them, by copies.
pub fn publish_linked(regions: &mut dyn Regions, column: Column<Instance>, cells: &[Cell]) {
    #[cfg(test)]
    trace::published(cells);
    for (row, cell) in cells.iter().enumerate() {
        regions.constrain_instance(cell.position, column, row);
    }
}
