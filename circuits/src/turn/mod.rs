//! *turn*: a legal move by what its piece sees, and the request for the next sight (protocol section 7), proved on chain at every ply.
//!
//! The parts, in the order in which they lean on each other: [`public`] inputs; [`points`] of the requests; [`opening`]s of squares;
//! the move's [`step`]; what the piece could [`view`]; the [`board`] before and after. The native twin is `fog::statement::turn::check`.

mod board;
mod desk;
mod opening;
mod points;
mod public;
mod step;
mod view;
mod witness;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use fog::{
    curve::{FogSecret, Scalar},
    statement::turn::{TurnInputs, TurnPrivate, TurnPublic, gather},
};
use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::bn256::Fr;

use crate::{
    StatementCircuit,
    gadget::{Cell, Machine, Sheet, Tamper, publish},
};
use desk::Desk;
use opening::Opening;
use points::Chains;
use public::Public;
use step::Step;
use witness::Witness;

/// The circuit of *turn*.
#[derive(Clone)]
pub struct TurnCircuit {
    witness: Arc<Witness>,
    tampers: Vec<Tamper>,
}

impl std::fmt::Debug for TurnCircuit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TurnCircuit(…)")
    }
}

impl StatementCircuit for TurnCircuit {
    const NAME: &'static str = "turn";
    const K: u32 = 14;
    type Public = TurnPublic;
    type Private = TurnPrivate;

    fn new(public: &TurnPublic, private: &TurnPrivate) -> Self {
        Self {
            witness: Arc::new(Witness::new(public, private)),
            tampers: Vec::new(),
        }
    }

    fn blank() -> Self {
        let (public, private) = first_move();
        Self::new(&public, &private)
    }

    fn instance(public: &TurnPublic) -> Vec<Vec<Fr>> {
        vec![public.to_instance().to_vec()]
    }
}

impl Circuit<Fr> for TurnCircuit {
    type Config = Machine;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        Self::blank()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> Machine {
        Machine::configure(meta)
    }

    fn synthesize(&self, machine: Machine, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        let public = layouter.assign_region(
            || "turn",
            |region| {
                let mut sheet = Sheet::new(region, self.tampers.clone());
                Ok(lay(&mut Desk::new(&machine, &mut sheet), &self.witness))
            },
        )?;
        publish(&mut layouter, machine.instance, &public);
        Ok(())
    }
}

/// Lays the whole statement; gives the cells of the public inputs, in their order.
fn lay(d: &mut Desk<'_, '_>, w: &Witness) -> [Cell; 13] {
    let public = Public::new(d, &w.instance);
    let chains = Chains::new(d, public.fog_key, w.offset);

    let choices: Vec<_> = w
        .next_scalars
        .iter()
        .zip(w.next_types)
        .map(|(r, c)| chains.choice(d, r, c))
        .collect();
    let root = opening::request_root(d, choices.iter().map(|choice| choice.point));
    d.sheet.equal(root, public.next_request_root);
    let next_types: [Cell; 64] = std::array::from_fn(|s| choices[s].choice);

    let openings: Vec<_> = w
        .openings
        .iter()
        .map(|slot| Opening::new(d, &public, &chains, slot))
        .collect();
    let step = Step::new(d, &public, w, &openings);
    view::constrain(d, &public, &step, &openings);
    board::constrain(d, &public, w, &step, &next_types);
    d.finish();
    public.cells
}

/// White's first move in a game whose secrets everyone knows: what the keys are made from.
fn first_move() -> (TurnPublic, TurnPrivate) {
    let mut word = [0; 32];
    word[0] = 1;
    let inputs = TurnInputs {
        side: &rules::Side::start(rules::Color::White),
        salt: Fr::zero(),
        pending: None,
        mv: "e2e4".parse().expect("a move"),
        next_salt: Fr::one(),
        fog_key: FogSecret::from_uniform(word).key(),
        sight: None,
        next_scalars: &std::array::from_fn(|s| Scalar::from(s as u64 + 1)),
    };
    gather(&inputs).expect("e2e4 is legal from the start")
}
