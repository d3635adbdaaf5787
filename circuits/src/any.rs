//! halo2's circuit of a statement, without the statement's type: so what halo2 and `plonk` do with circuits is compiled once, and not once a statement in every crate
//! that makes keys or proofs.

use std::{any::Any, sync::Arc};

use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::bn256::Fr;

use crate::{Regions, StatementCircuit};

/// The circuit of some statement, with its witness.
#[derive(Clone)]
pub struct AnyCircuit {
    blank: fn() -> Self,
    configure: fn(&mut ConstraintSystem<Fr>) -> Columns,
    synthesize: Arc<Synthesize>,
}

/// The columns that a circuit has made for itself.
type Columns = Arc<dyn Any + Send + Sync>;

/// Lays a circuit on the columns that it has made; fails on those of another type.
type Synthesize = dyn Fn(&dyn Any, &mut dyn Regions) -> Result<(), Error> + Send + Sync;

/// How the columns and gates of a circuit are made. The default, which halo2 requires, makes none: the params of a circuit are wanted.
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
