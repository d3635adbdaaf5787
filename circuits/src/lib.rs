//! The halo2 circuits of Fogmate: *turn*, which the contract verifies on every ply, and *answer*, which the peer verifies
//! (protocol section 7).
//!
//! [`gadget`] holds the chips; the statement circuits only compose them. What a statement says is written in plain Rust in
//! `fog::statement`, and the tests hold each circuit against that twin.

pub mod answer;
pub mod gadget;
mod statement;
pub mod turn;

pub use answer::AnswerCircuit;
pub use statement::StatementCircuit;
pub use turn::TurnCircuit;
