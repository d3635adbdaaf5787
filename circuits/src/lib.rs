//! The halo2 circuits of Fogmate: *turn*, which the contract verifies on every ply, *answer*, which the peer verifies, and *fifty* and *no
//! move*, which the contract verifies in claims (protocol section 7).
//!
//! [`statement`] has a folder for each; [`gadget`] holds what they are composed of. What a statement says is written in plain Rust in
//! `fog::statement`, and the tests hold each circuit against that twin.

pub mod gadget;
pub mod statement;

pub use statement::{
    StatementCircuit, answer::AnswerCircuit, fifty::FiftyCircuit, no_move::NoMoveCircuit, turn::TurnCircuit,
};
