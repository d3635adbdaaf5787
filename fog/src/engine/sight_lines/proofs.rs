//! The proof system of sight-lines, from the engine's side: what makes and checks the proofs of its statements (protocol section 7).

use crate::statement::{
    Proves, answer::AnswerStatement, chain_answer::ChainAnswerStatement, fifty::FiftyStatement,
    no_move::NoMoveStatement, request_data::RequestDataStatement, turn::TurnStatement,
};

/// Makes and verifies the proofs of a game: *answer* for the peer, all others for the contract.
pub trait Proofs:
    Proves<TurnStatement>
    + Proves<AnswerStatement>
    + Proves<RequestDataStatement>
    + Proves<FiftyStatement>
    + Proves<NoMoveStatement>
    + Proves<ChainAnswerStatement>
{
    /// Bytes of every proof of *answer*.
    fn answer_proof_bytes(&self) -> usize;
}
