//! *answer*: every element of an answer is what the sender's committed board, its fog secret, the request and `ctx` make it (protocol
//! section 7, sight in section 5), in the form that peers send each other: points and elements are public inputs.
//!
//! The parts, in the order in which they lean on each other: [`board`], the state opened and the captured piece removed; [`keys`], the points
//! times `a`; [`masks`] of the transfer; [`rays`]; [`elements`]; all of them in a [`relation`]. The native twin is
//! `fog::statement::answer::check`.
//!
//! The on-chain form, with roots and `(z, y)` in place of points and elements, is [`chain_answer`](super::chain_answer), over the same
//! relation.

mod board;
pub mod config;
mod elements;
mod instance;
mod keys;
mod masks;
mod rays;
pub(super) mod relation;
pub(super) mod witness;

#[cfg(test)]
pub(super) mod tests;

use std::sync::Arc;

use fog::statement::answer::{AnswerPrivate, AnswerPublic};
use halo2curves::bn256::Fr;

use crate::{
    StatementCircuit,
    gadget::{Cell, Context, Layout, Tamper, layout::laid_circuit},
};
use config::AnswerConfig;
use relation::Relation;
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
        let witness = Witness::new(&public.fog_key, &public.header, &public.request, private);
        Self { witness: Arc::new(witness), tampers: Vec::new() }
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

impl Layout for AnswerCircuit {
    fn lay(&self, config: &AnswerConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        Relation::lay(cx, config, &self.witness).public()
    }
}
