//! Verifiers of the statements that the contract of dark chess verifies, by the keys as they stand on a chain.

use crate::{SolidityError, Verifier};
use circuits::{ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, RequestDataCircuit, TurnCircuit};
use fog::statement::chain_answer::ChainAnswerStatement;
use fog::statement::fifty::FiftyStatement;
use fog::statement::no_move::NoMoveStatement;
use fog::statement::request_data::RequestDataStatement;
use fog::statement::turn::TurnStatement;

/// Verifiers of the five statements: they take no parameters, and make no proofs.
#[derive(Debug)]
pub struct ChessVerifiers {
    turn: Verifier<TurnCircuit>,
    request_data: Verifier<RequestDataCircuit>,
    fifty: Verifier<FiftyCircuit>,
    no_move: Verifier<NoMoveCircuit>,
    chain_answer: Verifier<ChainAnswerCircuit>,
}

impl ChessVerifiers {
    /// The verifiers of keys as they stand in contracts, in the order in which the game's contract takes them.
    pub fn of_codes([turn, request_data, fifty, no_move, chain_answer]: [&[u8]; 5]) -> Result<Self, SolidityError> {
        Ok(Self {
            turn: Verifier::of_code(turn)?,
            request_data: Verifier::of_code(request_data)?,
            fifty: Verifier::of_code(fifty)?,
            no_move: Verifier::of_code(no_move)?,
            chain_answer: Verifier::of_code(chain_answer)?,
        })
    }
}

fog::proves_by_fields! {
    ChessVerifiers:
    TurnStatement: turn,
    RequestDataStatement: request_data,
    FiftyStatement: fifty,
    NoMoveStatement: no_move,
    ChainAnswerStatement: chain_answer,
}
