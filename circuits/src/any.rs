//! A statement's circuit without its type. What halo2 and `plonk` make of a circuit, they are compiled for once and not once a statement: in each crate that makes
//! keys or proofs that took the compiler a minute.

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
    lay: Arc<Lay>,
}

/// The columns that a circuit has made for itself.
type Columns = Arc<dyn Any + Send + Sync>;

/// Lays a circuit on the columns that it has made; fails on those of another.
type Lay = dyn Fn(&dyn Any, &mut dyn Regions) -> Result<(), Error> + Send + Sync;

/// How the columns and gates of a circuit are made; those of no circuit by default.
pub struct Configure(fn(&mut ConstraintSystem<Fr>) -> Columns);

impl AnyCircuit {
    pub fn of<C: StatementCircuit>(circuit: C) -> Self {
        let lay = move |columns: &dyn Any, regions: &mut dyn Regions| {
            let columns: &C::Config = columns.downcast_ref().ok_or(Error::Synthesis)?;
            circuit.synthesize(columns.clone(), AnyLayouter(regions))
        };
        Self {
            blank: || Self::of(C::blank()),
            configure: |meta| Arc::new(<C as Circuit<Fr>>::configure(meta)),
            lay: Arc::new(lay),
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
        (self.lay)(&*columns, &mut layouter)
    }
}

/// A layouter whose type isn't known.
trait Regions {
    fn region(&mut self, name: &str, lay: &mut dyn FnMut(Region<'_, Fr>) -> Result<(), Error>) -> Result<(), Error>;

    fn table(&mut self, name: &str, lay: &mut dyn FnMut(Table<'_, Fr>) -> Result<(), Error>) -> Result<(), Error>;

    fn constrain(&mut self, cell: Cell, column: Column<Instance>, row: usize);

    fn challenge(&self, challenge: Challenge) -> Value<Fr>;

    fn end_phase(&mut self);
}

impl<L: Layouter<Fr>> Regions for L {
    fn region(&mut self, name: &str, lay: &mut dyn FnMut(Region<'_, Fr>) -> Result<(), Error>) -> Result<(), Error> {
        self.assign_region(|| name, lay)
    }

    fn table(&mut self, name: &str, lay: &mut dyn FnMut(Table<'_, Fr>) -> Result<(), Error>) -> Result<(), Error> {
        self.assign_table(|| name, lay)
    }

    fn constrain(&mut self, cell: Cell, column: Column<Instance>, row: usize) {
        self.constrain_instance(cell, column, row);
    }

    fn challenge(&self, challenge: Challenge) -> Value<Fr> {
        self.get_challenge(challenge)
    }

    fn end_phase(&mut self) {
        self.next_phase();
    }
}

/// Gives a circuit the layouter that halo2 has for it. Namespaces, which only name things, end here.
struct AnyLayouter<'a>(&'a mut dyn Regions);

impl Layouter<Fr> for AnyLayouter<'_> {
    type Root = Self;

    fn assign_region<A, AR, N, NR>(&mut self, name: N, lay: A) -> Result<AR, Error>
    where
        A: FnOnce(Region<'_, Fr>) -> Result<AR, Error>,
        N: Fn() -> NR,
        NR: Into<String>,
    {
        let (mut lay, mut given) = (Some(lay), None);
        let mut once = |region: Region<'_, Fr>| {
            let lay = lay.take().ok_or(Error::Synthesis)?;
            given = Some(lay(region)?);
            Ok(())
        };
        self.0.region(&name().into(), &mut once)?;
        given.ok_or(Error::Synthesis)
    }

    fn assign_table<A, N, NR>(&mut self, name: N, mut lay: A) -> Result<(), Error>
    where
        A: FnMut(Table<'_, Fr>) -> Result<(), Error>,
        N: Fn() -> NR,
        NR: Into<String>,
    {
        self.0.table(&name().into(), &mut lay)
    }

    fn constrain_instance(&mut self, cell: Cell, column: Column<Instance>, row: usize) {
        self.0.constrain(cell, column, row);
    }

    fn next_phase(&mut self) {
        self.0.end_phase();
    }

    fn get_challenge(&self, challenge: Challenge) -> Value<Fr> {
        self.0.challenge(challenge)
    }

    fn get_root(&mut self) -> &mut Self {
        self
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
