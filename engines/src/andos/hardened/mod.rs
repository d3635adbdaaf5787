//! Trust: a sender may still make up a board before it is asked, and a receiver ask for any one square a question; all that they send is proven
//! well formed.
//!
//! The improved strategy with the proofs of the same paper: that a key is one (in the set-up, by Fiat and Shamir's transformation, 2⁻¹²⁸:
//! [`key_proof`]), that a sender's packet marks no square ([`symbols`]), and that each question is a permuted re-randomisation of the sender's packet, by
//! cut and choose with the sender's challenge, 2⁻⁴¹ ([`copies`]); and that each answer says what the packet holds, 2⁻¹²⁸
//! ([`answer_proof`]).
//!
//! Beside it, for the [chained](super::chained) engine: a player's board as a chain of packets from the starting position ([`chain`]).

pub mod answer_proof;
pub mod chain;
pub mod challenge;
pub mod copies;
pub mod key_proof;
pub mod messages;
pub mod receiver;
pub mod sender;
mod symbols;
