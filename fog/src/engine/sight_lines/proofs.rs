//! The proof system of sight-lines, from the engine's side: what makes and checks its proofs.
//!
//! This crate has none. The program's is halo2 (`client::runtime::KeyProver`); tests without one check the statements natively.

use crate::{
    F,
    engine::Cause,
    statement::{
        answer::{AnswerPrivate, AnswerPublic},
        chain_answer::{ChainAnswerPrivate, ChainAnswerPublic},
        fifty::{FiftyPrivate, FiftyPublic},
        no_move::{NoMovePrivate, NoMovePublic},
        request_data::{RequestDataPrivate, RequestDataPublic},
        turn::{TURN_INPUTS, TurnPrivate, TurnPublic},
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

    /// Verifies a proof of a turn, as the contract does.
    fn verify_turn(&self, inputs: &[F; TURN_INPUTS], proof: &[u8]) -> Result<(), Cause>;

    /// Slow. Proves *request data*, for the contract.
    fn prove_request_data(&self, public: &RequestDataPublic, private: &RequestDataPrivate) -> Result<Vec<u8>, Cause>;

    /// Slow. Proves *fifty*, for the contract.
    fn prove_fifty(&self, public: &FiftyPublic, private: &FiftyPrivate) -> Result<Vec<u8>, Cause>;

    /// Slow. Proves *no move*, for the contract.
    fn prove_no_move(&self, public: &NoMovePublic, private: &NoMovePrivate) -> Result<Vec<u8>, Cause>;

    /// Slow. Proves *chain answer*, for the contract.
    fn prove_chain_answer(&self, public: &ChainAnswerPublic, private: &ChainAnswerPrivate) -> Result<Vec<u8>, Cause>;
}
