//! Circuits of relations between polynomials of [`DEGREE`] coefficients, as lattice cryptography has them.
//!
//! Polynomials are too long to be multiplied in a circuit. So all private ones are committed to, then halo2 draws a challenge `z` (its second phase), and the relations are
//! bound by their values there. Nothing is reduced: coefficients are integers whose sums stay below the field's order, so that what holds in the field holds for integers.
//! Only the library's prover makes these proofs; the crate `plonk` refuses circuits of two phases, and the library's those of three.

mod config;
mod numbers;
pub mod relation;
mod row;
mod values;

#[cfg(test)]
pub mod tests;

use std::{marker::PhantomData, sync::Arc};

use engines::bfv::parameters::DEGREE;
use ff::Field;
use fog::statement::Statement;
use halo2_proofs::{
    circuit::Value,
    plonk::{ConstraintSystem, Error},
};
use halo2curves::bn256::Fr;

use super::{Cell, Input, RegionCtx};
use crate::{Regions, StatementCircuit};
pub use config::RingConfig;
use numbers::Numbers;
use relation::Relations;
pub use row::element;
use values::Values;

/// A statement of relations between polynomials.
pub trait RingStatement: Clone + Send + Sync + 'static {
    const NAME: &'static str;
    /// The type that stands for it outside of circuits.
    type Statement: Statement;

    /// What the statement says.
    fn relations() -> Relations;

    /// The columns of public inputs: unless a statement has others beside them, they are all of its inputs.
    fn columns(public: &<Self::Statement as Statement>::Public) -> Vec<Vec<Fr>> {
        Self::Statement::instance(public).chunks(DEGREE).map(<[Fr]>::to_vec).collect()
    }

    /// The coefficients of each secret, lowest power first.
    fn secrets(private: &<Self::Statement as Statement>::Private) -> Vec<&[i64]>;

    /// The slots of the plaintext, if the statement is about some.
    fn slots(
        _public: &<Self::Statement as Statement>::Public,
        _private: &<Self::Statement as Statement>::Private,
    ) -> Vec<Fr> {
        Vec::new()
    }
}

/// The circuit of a statement.
#[derive(Clone)]
pub struct RingCircuit<S> {
    public: Arc<Vec<Vec<Fr>>>,
    numbers: Arc<Numbers>,
    statement: PhantomData<S>,
    /// What a test makes of the second phase.
    #[cfg(test)]
    lie: Option<tests::Lie<S>>,
}

impl<S: RingStatement> StatementCircuit for RingCircuit<S> {
    const NAME: &'static str = S::NAME;
    const K: u32 = 14;
    type Public = <S::Statement as Statement>::Public;
    type Private = <S::Statement as Statement>::Private;
    type Columns = RingConfig;

    fn new(public: &Self::Public, private: &Self::Private) -> Self {
        let columns = S::columns(public);
        let slots = S::slots(public, private);
        let numbers = Numbers::new(&S::relations(), &columns, &S::secrets(private), slots);
        Self::of(columns, numbers)
    }

    fn blank() -> Self {
        let relations = S::relations();
        Self::of(vec![vec![Fr::ZERO; DEGREE]; relations.public], Numbers::blank(&relations))
    }

    fn instance(public: &Self::Public) -> Vec<Vec<Fr>> {
        S::columns(public)
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> RingConfig {
        RingConfig::configure(meta, &S::relations())
    }

    fn synthesize(&self, config: &RingConfig, regions: &mut dyn Regions) -> Result<(), Error> {
        let challenges = config.challenges.map(|challenge| known(regions.challenge(challenge)));
        regions.assign_region(S::NAME, &mut |region| {
            let mut region = RegionCtx::new(region, Vec::new());
            self.lay(config, &mut region, challenges, &[]);
            Ok(())
        })
    }
}

/// A challenge: 0 in the first phase, which has none yet, and what is made of it isn't committed to.
pub fn known(value: Value<Fr>) -> Fr {
    let mut known = Fr::ZERO;
    value.map(|value| known = value);
    known
}

impl<S: RingStatement> RingCircuit<S> {
    fn of(public: Vec<Vec<Fr>>, numbers: Numbers) -> Self {
        Self {
            public: public.into(),
            numbers: numbers.into(),
            statement: PhantomData,
            #[cfg(test)]
            lie: None,
        }
    }

    /// Assigns the columns of both phases. Slots are copied from the cells that hold them, if there are such.
    pub fn lay(&self, config: &RingConfig, region: &mut RegionCtx<'_>, challenges: [Fr; 2], slots: &[Cell]) {
        config.load(region);
        let values = Values::new(&S::relations(), &self.public, &self.numbers, challenges);
        #[cfg(test)]
        let values = match &self.lie {
            Some(lie) => lie(self, values, challenges),
            None => values,
        };
        let Numbers { small, limbs, sums, quotients, .. } = &*self.numbers;
        let Values { factors, rest, power, vanishing } = &values;
        let digits = config.small.iter().zip(small).chain(config.limbs.iter().zip(limbs));
        let polynomials = config.quotients.iter().zip(quotients).chain(config.factors.iter().zip(factors));
        let single = [(&config.rest, rest), (&config.power, power), (&config.vanishing, vanishing)];
        let single = single.into_iter().chain(config.sums.iter().zip(sums));
        for (column, values) in digits.chain(polynomials).chain(single) {
            for (row, value) in values.iter().enumerate() {
                region.witness(*column, row, *value);
            }
        }
        let Some(column) = config.slots.as_ref().map(|config| config.slots) else { return };
        for row in 0..DEGREE + S::relations().below() {
            let value = self.numbers.slots.get(row).copied().unwrap_or(Fr::ZERO);
            region.advice(column, row, slots.get(row).copied().map_or(Input::Witness(value), Input::Copy));
        }
    }
}
