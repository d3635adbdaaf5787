//! The proof system of sight-lines, from the engine's side: what makes and checks the proofs of *turn* and *answer*.
//!
//! This crate has none. The program's is halo2 (`client::runtime::KeyProver`); tests without one check the statements natively.

use crate::{
    engine::Cause,
    statement::{
        answer::{AnswerPrivate, AnswerPublic},
        turn::{TurnPrivate, TurnPublic},
    },
};

/// Makes and verifies the proofs of a game (protocol section 7). Called on threads that may block; one that makes only one proof at
/// a time waits inside.
pub trait Proofs: Send + Sync {
    /// Bytes of every proof of *answer*.
    fn answer_proof_bytes(&self) -> usize;

    /// Slow. Proves a turn, for the contract. Fails for a witness that doesn't satisfy the statement.
    fn prove_turn(&self, public: &TurnPublic, private: &TurnPrivate) -> Result<Vec<u8>, Cause>;

    /// Slow. Proves an answer, for the receiver: [`Self::answer_proof_bytes`] bytes. Fails for a witness that doesn't satisfy
    /// the statement.
    fn prove_answer(&self, public: &AnswerPublic, private: &AnswerPrivate) -> Result<Vec<u8>, Cause>;

    /// Verifies a proof of an answer.
    fn verify_answer(&self, public: &AnswerPublic, proof: &[u8]) -> Result<(), Cause>;
}
