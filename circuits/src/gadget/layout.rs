//! How a statement's circuit is laid: on which columns, and in which rows. Its rows are counted by laying it once without a region, never by hand.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, Mutex},
};

use fog::statement::Statement;
use halo2_proofs::plonk::{ConstraintSystem, Error};
use halo2curves::bn256::Fr;

use super::{Cell, CommonConfig, Context, PublicColumn, RegionCtx, Rows, Tamper, publish_linked};
use crate::{Regions, StatementCircuit};

/// The columns and gates of a circuit.
pub trait Columns: Send + Sync + 'static {
    /// How many public inputs verifiers of these columns take at least: zeros follow those of a statement that has fewer.
    const LEAST_INPUTS: usize = 0;

    /// Makes the columns and all gates.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self;

    /// The chips that every statement has.
    fn common(&self) -> &CommonConfig;

    /// The first row of each part, given how many rows each takes.
    fn first_rows(taken: Rows) -> Rows;

    /// Fills fixed columns before anything else; nothing by default.
    fn load(&self, _region: &mut RegionCtx<'_>) {}
}

/// A circuit that is laid in a [`Context`].
pub trait Layout: StatementCircuit<Columns: Columns> {
    /// Lays the whole statement; gives the cells of the public inputs, in their order.
    fn lay(&self, columns: &Self::Columns, cx: &mut Context<'_>) -> Vec<Cell>;

    /// How many rows each part takes: counted once.
    fn rows() -> Rows {
        static COUNTED: Mutex<Option<HashMap<TypeId, Rows>>> = Mutex::new(None);
        let mut counted = COUNTED.lock().expect("no circuit panics while it is counted");
        *counted.get_or_insert_default().entry(TypeId::of::<Self>()).or_insert_with(|| {
            let columns = Self::configure(&mut ConstraintSystem::default());
            let mut cx = Context::dry(columns.common());
            Self::blank().lay(&columns, &mut cx);
            cx.taken()
        })
    }
}

/// A statement as a circuit: what the prover assigns of it, and how that is laid. Values decide nothing: those of a false statement some gate refuses.
pub trait Assigned: Send + Sync + Sized + 'static {
    /// The statement's name, as it stands in file names and metadata.
    const NAME: &'static str;
    /// Base-two logarithm of the number of rows.
    const K: u32;
    type Statement: Statement;
    type Columns: Columns;

    /// The values of a statement.
    fn of(public: &Public<Self>, private: &Private<Self>) -> Self;

    /// Values whose secrets everyone knows, from which keys are made.
    fn for_keys() -> Self;

    /// The instance column, without the zeros of its [shape](Columns::LEAST_INPUTS); none for a public part that no true statement has.
    fn column(public: &Public<Self>) -> Option<Vec<Fr>> {
        Some(Self::Statement::instance(public))
    }

    /// Lays the whole statement; gives the cells of the public inputs, in their order.
    fn lay(&self, columns: &Self::Columns, cx: &mut Context<'_>) -> Vec<Cell>;
}

/// The public part of what is assigned.
pub type Public<A> = <<A as Assigned>::Statement as Statement>::Public;
/// The private part of what is assigned.
pub type Private<A> = <<A as Assigned>::Statement as Statement>::Private;

/// The [`StatementCircuit`] of what is assigned.
pub struct CircuitOf<A> {
    pub(crate) witness: Arc<A>,
    pub(crate) tampers: Vec<Tamper>,
}

impl<A> CircuitOf<A> {
    /// The circuit of some values.
    pub(crate) fn assigning(witness: A) -> Self {
        Self { witness: Arc::new(witness), tampers: Vec::new() }
    }

    #[cfg(test)]
    pub fn tampered(&self, tampers: Vec<Tamper>) -> Self {
        Self { tampers, ..self.clone() }
    }
}

impl<A> Clone for CircuitOf<A> {
    fn clone(&self) -> Self {
        Self { witness: Arc::clone(&self.witness), tampers: self.tampers.clone() }
    }
}

impl<A: Assigned> StatementCircuit for CircuitOf<A> {
    const NAME: &'static str = A::NAME;
    const K: u32 = A::K;
    type Public = Public<A>;
    type Private = Private<A>;
    type Columns = A::Columns;

    fn new(public: &Public<A>, private: &Private<A>) -> Self {
        Self::assigning(A::of(public, private))
    }

    fn blank() -> Self {
        Self::assigning(A::for_keys())
    }

    fn instance(public: &Public<A>) -> Vec<Vec<Fr>> {
        let column = A::column(public).map(|mut column| {
            column.resize(column.len().max(A::Columns::LEAST_INPUTS), Fr::zero());
            column
        });
        column.into_iter().collect()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> A::Columns {
        Columns::configure(meta)
    }

    fn synthesize(&self, columns: &A::Columns, regions: &mut dyn Regions) -> Result<(), Error> {
        let common = columns.common();
        let mut public = Vec::new();
        regions.assign_region(A::NAME, &mut |region| {
            let mut region = RegionCtx::new(region, self.tampers.clone());
            columns.load(&mut region);
            let mut cx = Context::new(region, common, A::Columns::first_rows(Self::rows()));
            public = self.lay(columns, &mut cx);
            assert_eq!(cx.taken(), Self::rows(), "another circuit than was counted");
            if let PublicColumn::Gated { count } = common.public {
                cx.publish(&public, count);
            }
            Ok(())
        })?;
        if let PublicColumn::Linked(instance) = common.public {
            publish_linked(regions, instance, &public);
        }
        Ok(())
    }
}

impl<A: Assigned> Layout for CircuitOf<A> {
    fn lay(&self, columns: &A::Columns, cx: &mut Context<'_>) -> Vec<Cell> {
        self.witness.lay(columns, cx)
    }
}
