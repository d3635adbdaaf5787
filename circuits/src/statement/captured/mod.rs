//! *captured*: the sight before a capture shows a man on the captured square (engine `bfv-steps`). Verified by the peer alone. The native twin is
//! `engines::bfv::captured::check`, which says the relations.
//!
//! Polynomials are too long to be multiplied in a circuit. So all are committed to, then halo2 draws a challenge `z` (its second phase), and the relations are
//! bound by their values there. Nothing is reduced: coefficients are integers whose sums stay below the field's order, so that what holds in the field holds for integers.
//! Only the library's prover makes its proofs; the crate `plonk` refuses circuits of two phases.

mod config;
mod numbers;
mod row;
mod values;

#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc};

use engines::bfv::{
    captured::{CAPTURED_COLUMNS, CapturedPrivate, CapturedPublic},
    parameters::DEGREE,
};
use ff::Field;
use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::bn256::Fr;

use crate::{StatementCircuit, gadget::RegionCtx};
use config::CapturedConfig;
use numbers::Numbers;
use values::Values;

/// The circuit of *captured*.
#[derive(Clone)]
pub struct CapturedCircuit {
    /// The columns of public inputs.
    public: Arc<[Vec<Fr>; CAPTURED_COLUMNS]>,
    numbers: Arc<Numbers>,
    /// What a test makes of the second phase.
    #[cfg(test)]
    lie: Option<tests::Lie>,
}

impl fmt::Debug for CapturedCircuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CapturedCircuit(…)")
    }
}

impl StatementCircuit for CapturedCircuit {
    const NAME: &'static str = "captured";
    const K: u32 = 14;
    type Public = CapturedPublic;
    type Private = CapturedPrivate;

    fn new(public: &CapturedPublic, private: &CapturedPrivate) -> Self {
        let public = public.columns();
        let numbers = Numbers::new(&public, private);
        Self::of(public, numbers)
    }

    fn blank() -> Self {
        Self::of([(); CAPTURED_COLUMNS].map(|()| vec![Fr::ZERO; DEGREE]), Numbers::blank())
    }

    fn instance(public: &CapturedPublic) -> Vec<Vec<Fr>> {
        public.columns().to_vec()
    }
}

impl Circuit<Fr> for CapturedCircuit {
    type Config = CapturedConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        Self::blank()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> CapturedConfig {
        CapturedConfig::configure(meta)
    }

    fn synthesize(&self, config: CapturedConfig, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        // In the first phase there are none yet, and what is made of them isn't committed to.
        let challenges = config.challenges.map(|challenge| known(layouter.get_challenge(challenge)));
        layouter.assign_region(
            || Self::NAME,
            |region| {
                let mut region = RegionCtx::new(region, Vec::new());
                config.load(&mut region);
                let values = Values::new(&self.public, &self.numbers, challenges);
                #[cfg(test)]
                let values = match self.lie {
                    Some(lie) => lie(self, values, challenges),
                    None => values,
                };
                self.lay(&config, &mut region, &values);
                Ok(())
            },
        )
    }
}

fn known(value: Value<Fr>) -> Fr {
    let mut known = Fr::ZERO;
    value.map(|value| known = value);
    known
}

impl CapturedCircuit {
    fn of(public: [Vec<Fr>; CAPTURED_COLUMNS], numbers: Numbers) -> Self {
        Self {
            public: Arc::new(public),
            numbers: Arc::new(numbers),
            #[cfg(test)]
            lie: None,
        }
    }

    /// Assigns the columns of both phases.
    fn lay(&self, config: &CapturedConfig, region: &mut RegionCtx<'_>, values: &Values) {
        let Numbers { small, limbs, quotients, sum } = &*self.numbers;
        let Values { factors, rest, power, vanishing } = values;
        let digits = config.small.iter().zip(small).chain(config.limbs.iter().zip(limbs));
        let polynomials = config.quotients.iter().zip(quotients).chain(config.factors.iter().zip(factors));
        let single = [(&config.sum, sum), (&config.rest, rest), (&config.power, power), (&config.vanishing, vanishing)];
        for (column, values) in digits.chain(polynomials).chain(single) {
            for (row, value) in values.iter().enumerate() {
                region.witness(*column, row, *value);
            }
        }
    }
}
