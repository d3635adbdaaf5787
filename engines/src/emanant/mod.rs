//! `emanant` trusts both players to ask and to answer by their boards: nothing proves that they do. A point raised to another exponent is
//! caught.
//!
//! Sight emanates from the own pieces: in each round the receiver asks of eight tiles whether a piece stands there, nearest first, each
//! only once all before it on some own line are known to be empty. Then it asks for the types of the pieces found, and for the jump of
//! a pawn.

mod outward;
mod protocol;

#[cfg(test)]
mod tests;

use crate::psi::SetEngine;

pub type Emanant = SetEngine<protocol::Occupancy>;
