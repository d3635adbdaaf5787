//! halo2's circuit of a statement, without the statement's type: so what halo2 and `plonk` do with circuits is compiled once, and not once a statement in every crate
//! that makes keys or proofs.

use std::{any::Any, sync::Arc};

use halo2_proofs::{
    circuit::{Cell, Layouter, Region, SimpleFloorPlanner, Table, Value},
    plonk::{Challenge, Circuit, Column, ConstraintSystem, Error, Instance},
};
use halo2curves::bn256::Fr;

use crate::StatementCircuit;

/// The circuit of some statement, with its witness.
#[derive(Clone)]
pub struct AnyCircuit {
    blank: fn() -> Self,
    configure: fn(&mut ConstraintSystem<Fr>) -> Columns,
    synthesize: Arc<Synthesize>,
}

/// The columns that a circuit has made for itself.
type Columns = Arc<dyn Any + Send + Sync>;

/// Lays a circuit on the columns that it has made; fails on those of another.
type Synthesize = dyn Fn(&dyn Any, &mut dyn Regions) -> Result<(), Error> + Send + Sync;

/// How the columns and gates of a circuit are made; those of no circuit by default.
pub struct Configure(fn(&mut ConstraintSystem<Fr>) -> Columns);

impl AnyCircuit {
    pub fn of<C: StatementCircuit>(circuit: C) -> Self {
        let synthesize = move |columns: &dyn Any, regions: &mut dyn Regions| {
            circuit.synthesize(columns.downcast_ref().ok_or(Error::Synthesis)?, regions)
        };
        Self {
            blank: || Self::of(C::blank()),
            configure: |meta| Arc::new(C::configure(meta)),
            synthesize: Arc::new(synthesize),
        }
    }
}

impl Default for Configure {
    fn default() -> Self {
        Self(|_| Arc::new(()))
    }
}

impl Circuit<Fr> for AnyCircuit {
    type Config = Columns;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Configure;

    fn without_witnesses(&self) -> Self {
        (self.blank)()
    }

    fn params(&self) -> Configure {
        Configure(self.configure)
    }

    fn configure_with_params(meta: &mut ConstraintSystem<Fr>, configure: Configure) -> Columns {
        configure.0(meta)
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> Columns {
        Self::configure_with_params(meta, Configure::default())
    }

    fn synthesize(&self, columns: Columns, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        (self.synthesize)(&*columns, &mut layouter)
    }
}

/// Lays the cells of a region.
pub type AssignRegion<'a> = dyn FnMut(Region<'_, Fr>) -> Result<(), Error> + 'a;
/// Lays the cells of a lookup table.
pub type AssignTable<'a> = dyn FnMut(Table<'_, Fr>) -> Result<(), Error> + 'a;

/// halo2's [`Layouter`] without its type.
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
