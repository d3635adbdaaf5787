//! What circuits are laid in: halo2's layouter as a trait object, so that each circuit's `synthesize` is compiled once.

use halo2_proofs::{
    circuit::{Cell, Layouter, Region, Table, Value},
    plonk::{Challenge, Column, Error, Instance},
};
use halo2curves::bn256::Fr;

/// Lays the cells of a region.
pub type AssignRegion<'a> = dyn FnMut(Region<'_, Fr>) -> Result<(), Error> + 'a;
/// Lays the cells of a lookup table.
pub type AssignTable<'a> = dyn FnMut(Table<'_, Fr>) -> Result<(), Error> + 'a;

/// What circuits use of halo2's [`Layouter`].
pub trait Regions {
    fn assign_region(&mut self, name: &str, assign: &mut AssignRegion<'_>) -> Result<(), Error>;

    fn assign_table(&mut self, name: &str, assign: &mut AssignTable<'_>) -> Result<(), Error>;

    /// Binds a cell to a row of an instance column.
    fn constrain_instance(&mut self, cell: Cell, column: Column<Instance>, row: usize);

    /// The value of a challenge; unknown in a phase that comes before it.
    fn challenge(&self, challenge: Challenge) -> Value<Fr>;
}

impl<L: Layouter<Fr>> Regions for L {
    fn assign_region(&mut self, name: &str, assign: &mut AssignRegion<'_>) -> Result<(), Error> {
        Layouter::assign_region(self, || name, assign)
    }

    fn assign_table(&mut self, name: &str, assign: &mut AssignTable<'_>) -> Result<(), Error> {
        Layouter::assign_table(self, || name, assign)
    }

    fn constrain_instance(&mut self, cell: Cell, column: Column<Instance>, row: usize) {
        Layouter::constrain_instance(self, cell, column, row);
    }

    fn challenge(&self, challenge: Challenge) -> Value<Fr> {
        self.get_challenge(challenge)
    }
}
