//! *answer*: every element of an answer is what the sender's committed board, its fog secret, the request and `ctx` make it (protocol
//! section 7, sight in section 5), in the form that peers send each other: points and elements are public inputs.
//!
//! The parts, in the order in which they lean on each other: [`board`], the state opened and the captured piece removed; [`keys`], the points
//! times `a`; [`masks`] of the transfer; [`rays`]; [`elements`]. The native twin is `fog::statement::answer::check`.
//!
//! The on-chain form, with roots and `(z, y)` in place of points and elements, is another statement; it isn't here.

mod board;
pub mod config;
mod elements;
mod instance;
mod keys;
mod masks;
mod rays;
mod witness;

#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use fog::statement::answer::{AnswerInputs, AnswerPrivate, AnswerPublic};
use halo2curves::bn256::Fr;

use crate::{
    StatementCircuit,
    gadget::{
        Cell, CommonConfig, Context, Layout, Rows, Tamper,
        context::{count_rows, laid_circuit},
    },
};
use board::Board;
use config::AnswerConfig;
use keys::MaskKeys;
use masks::Masks;
use witness::Witness;

/// The circuit of *answer*, peer to peer.
#[derive(Clone)]
pub struct AnswerCircuit {
    witness: Arc<Witness>,
    tampers: Vec<Tamper>,
}

fog::redacted!(AnswerCircuit);

impl StatementCircuit for AnswerCircuit {
    const NAME: &'static str = "answer";
    const K: u32 = 14;
    type Public = AnswerPublic;
    type Private = AnswerPrivate;

    fn new(public: &AnswerPublic, private: &AnswerPrivate) -> Self {
        Self { witness: Arc::new(Witness::new(public, private)), tampers: Vec::new() }
    }

    fn blank() -> Self {
        Self { witness: Arc::new(Witness::blank()), tampers: Vec::new() }
    }

    /// One column in the order of [`instance`]; no column at all, which no proof verifies against, for another number of elements
    /// than an answer has.
    fn instance(public: &AnswerPublic) -> Vec<Vec<Fr>> {
        instance::of(public).into_iter().collect()
    }
}

laid_circuit!(AnswerCircuit, AnswerConfig);

/// Hashes on their own columns; beside them points, and below these arithmetic.
impl Layout for AnswerCircuit {
    fn common(config: &AnswerConfig) -> &CommonConfig {
        &config.common
    }

    fn first_rows(taken: Rows) -> Rows {
        Rows { points: 0, hashes: 0, arithmetic: taken.points }
    }

    fn rows() -> Rows {
        static ROWS: LazyLock<Rows> = LazyLock::new(count_rows::<AnswerCircuit>);
        *ROWS
    }

    fn lay(&self, config: &AnswerConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let witness = &self.witness;
        let receiver = cx.boolean(witness.receiver_is_black);
        let phase = cx.boolean(witness.is_post);
        let context = cx.witness(witness.context);
        let board = Board::open(cx, witness, phase);
        let keys = MaskKeys::multiply(cx, config, witness);
        let flags = (0..board::PENDINGS).map(|square| square == witness.pending_receiver);
        let captured = cx.one_hot("A8.pending", flags);
        let inputs = AnswerInputs {
            commitment: board.commitment,
            pending_sender: board.pending,
            fog_key_x: keys.fog_key.x,
            fog_key_y: keys.fog_key.y,
            context,
            receiver,
            phase,
            pending_receiver: cx.index(&captured, 1),
        };
        let masks = Masks::hash(cx, &keys, context, &captured);
        let rays = rays::fields(cx, &board, &masks);
        let elements = elements::in_order(cx, receiver, &board, &masks, &rays);
        let mut public = inputs.to_array().to_vec();
        public.extend(keys.request.iter().flat_map(|point| [point.x, point.y]));
        public.extend(elements);
        public
    }
}
