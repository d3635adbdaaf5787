//! `dh-psi` and `dh-psi-plain` trust both players to build their sets from their boards: nothing proves that they do. A point raised to
//! another exponent is caught.
//!
//! Each set is one of attack vectors: *this piece on this square would be found by that piece from there*. The plain form
//! sends the sender's set as it is; the other as a Bloom filter, and then confirms what the filter seemed to hold.

mod bloom;
mod plain;
mod proven;

#[cfg(test)]
mod tests;

use crate::{
    own_step::Stepped,
    psi::{SetEngine, statement::SetProofs},
};
use fog::engine::{About, Claims};
use std::sync::Arc;

/// What a player can do whose set nothing proves.
const CAVEAT: &str = "a player may look along lines that it has no pieces for, or show another board than its own";

/// What is claimed where only raising is proven.
const CLAIMS: Claims = Claims {
    proven: "that points are raised to one exponent",
    cheating_receiver: "any 1,344 lines, so the whole board",
    cheating_sender: "any set; raising to several exponents is caught",
    security: "126 bits, Diffie–Hellman in ristretto255",
};

/// The engine that sends sets as Bloom filters.
pub type DhPsi = SetEngine<bloom::Bloom>;
/// The engine that sends sets as they are.
pub type DhPsiPlain = SetEngine<plain::Plain>;

/// The engine that sends sets as they are, and proves that they are the boards' and that boards follow from one another.
pub type DhPsiProven<S> = Stepped<ProvenSets<S>>;
/// The same without the proofs of own steps.
pub(crate) type ProvenSets<S> = SetEngine<proven::Proven<S>>;

/// What the engine that proves its sets says of itself.
pub const PROVEN: &About = &proven::ABOUT;

/// The engine that proves its sets, with what makes and checks the proofs.
pub fn proven<S: SetProofs>(proofs: S) -> DhPsiProven<S> {
    let proofs = Arc::new(proofs);
    Stepped::new(proven_sets(proofs.clone()), PROVEN, Some(proofs))
}

pub(crate) fn proven_sets<S: SetProofs>(proofs: Arc<S>) -> ProvenSets<S> {
    SetEngine::new(proven::Proven(proofs))
}

/// Attack vectors of a sender: 1,126 at most, and padded to this (`no_sender_shows_more_than_the_padding`).
pub const SENDER_SET: usize = 1168;
/// Attack vectors that a receiver asks for; the most that a search found is 1,297 (`no_receiver_asks_for_more_than_the_padding`).
pub const RECEIVER_SET: usize = 1344;
