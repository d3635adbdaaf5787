//! *answer*: every element of an answer is what the sender's committed board, its fog secret, the request and `ctx` make it (protocol
//! section 7, sight in section 5), in the form that peers send each other: points and elements are public inputs.
//!
//! The parts, in the order in which they lean on each other: [`board`], the state opened and the captured piece removed; [`keys`], the points
//! times `a`; [`masks`] of the transfer; [`rays`]; [`elements`]. The native twin is `fog::statement::answer::check`.
//!
//! The on-chain form, with roots and `(z, y)` in place of points and elements, is another statement; it isn't here.

mod board;
mod config;
mod desk;
mod elements;
mod instance;
mod keys;
mod masks;
mod rays;
mod witness;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use fog::statement::answer::{AnswerPrivate, AnswerPublic};
use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::bn256::Fr;

use crate::{
    StatementCircuit,
    gadget::{Cell, Sheet, Tamper, publish},
};
use board::Board;
use config::AnswerConfig;
use desk::Desk;
use keys::Keys;
use masks::Masks;
use witness::Witness;

/// The circuit of *answer*, peer to peer.
#[derive(Clone)]
pub struct AnswerCircuit {
    witness: Arc<Witness>,
    tampers: Vec<Tamper>,
}

impl std::fmt::Debug for AnswerCircuit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnswerCircuit(…)")
    }
}

impl StatementCircuit for AnswerCircuit {
    const NAME: &'static str = "answer";
    const K: u32 = 14;
    type Public = AnswerPublic;
    type Private = AnswerPrivate;

    fn new(public: &AnswerPublic, private: &AnswerPrivate) -> Self {
        Self {
            witness: Arc::new(Witness::new(public, private)),
            tampers: Vec::new(),
        }
    }

    fn blank() -> Self {
        Self {
            witness: Arc::new(Witness::blank()),
            tampers: Vec::new(),
        }
    }

    /// One column in the order of [`instance`]; no column at all, which no proof verifies against, for another number of elements
    /// than an answer has.
    fn instance(public: &AnswerPublic) -> Vec<Vec<Fr>> {
        instance::of(public).into_iter().collect()
    }
}

impl Circuit<Fr> for AnswerCircuit {
    type Config = AnswerConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        Self::blank()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> AnswerConfig {
        AnswerConfig::configure(meta)
    }

    fn synthesize(
        &self,
        config: AnswerConfig,
        mut layouter: impl Layouter<Fr>,
    ) -> Result<(), Error> {
        let public = layouter.assign_region(
            || "answer",
            |region| {
                let mut sheet = Sheet::new(region, self.tampers.clone());
                Ok(lay(&config, &mut sheet, &self.witness))
            },
        )?;
        publish(&mut layouter, config.instance, &public);
        Ok(())
    }
}

/// Fills the sheet; gives the cells of the public inputs, in their order.
fn lay(config: &AnswerConfig, sheet: &mut Sheet<'_>, witness: &Witness) -> Vec<Cell> {
    let mut desk = Desk::new(config, sheet);
    let color = desk.boolean(witness.receiver_is_black);
    let phase = desk.boolean(witness.is_post);
    let ctx = desk.witness(witness.ctx);
    let board = Board::open(&mut desk, witness, phase);
    let keys = Keys::multiply(&mut desk, witness);
    let receiver = desk.one_hot(witness.pending_receiver, board::PENDINGS);
    let masks = Masks::hash(&mut desk, &keys, ctx, &receiver.flags);
    let rays = rays::fields(&mut desk, &board, &masks);
    let elements = elements::in_order(&mut desk, color, &board, &masks, &rays);
    desk.finish();
    let [x, y] = [keys.fog_key.x, keys.fog_key.y];
    let mut public = vec![
        board.commitment,
        board.pending,
        x,
        y,
        ctx,
        color,
        phase,
        receiver.number,
    ];
    public.extend(keys.request.iter().flat_map(|point| [point.x, point.y]));
    public.extend(elements);
    public
}
