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

use fog::statement::answer::{AnswerPrivate, AnswerPublic, AnswerStatement};
use halo2curves::bn256::Fr;

use crate::gadget::{Assigned, Cell, CircuitOf, Context};
use config::AnswerConfig;
use relation::Relation;
use witness::Witness;

/// The circuit of *answer*, peer to peer.
pub type AnswerCircuit = CircuitOf<Witness>;

impl Assigned for Witness {
    const NAME: &'static str = "answer";
    const K: u32 = 14;
    type Statement = AnswerStatement;
    type Columns = AnswerConfig;

    fn of(public: &AnswerPublic, private: &AnswerPrivate) -> Self {
        Self::new(&public.fog_key, &public.header, &public.request, private)
    }

    fn for_keys() -> Self {
        Self::blank()
    }

    /// In the order of [`instance`]; none for another number of elements than an answer has.
    fn column(public: &AnswerPublic) -> Option<Vec<Fr>> {
        instance::of(public)
    }

    fn lay(&self, config: &AnswerConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        Relation::lay(cx, config, self).public()
    }
}
