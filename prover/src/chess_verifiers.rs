//! Verifiers of the statements that the contract of dark chess verifies, by the keys as they stand on a chain.

use circuits::{ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, RequestDataCircuit, TurnCircuit};
use fog::statement::chain_answer::ChainAnswerStatement;
use fog::statement::fifty::FiftyStatement;
use fog::statement::no_move::NoMoveStatement;
use fog::statement::request_data::RequestDataStatement;
use fog::statement::turn::TurnStatement;

/// Declares verifiers of statements by the keys as they stand in contracts: a field for each, with its circuit and its statement.
macro_rules! verifiers {
    ($(#[$meta:meta])* $name:ident, $count:literal: $($field:ident: $circuit:ty, $statement:ty;)*) => {
        $(#[$meta])*
        /// They take no parameters, and make no proofs.
        #[derive(Debug)]
        pub struct $name {
            $($field: $crate::Verifier<$circuit>,)*
        }

        impl $name {
            /// The verifiers of keys as they stand in contracts, in the order of the fields.
            ///
            /// # Errors
            ///
            /// If a code is no key of a circuit's shape.
            pub fn of_codes([$($field),*]: [&[u8]; $count]) -> Result<Self, $crate::SolidityError> {
                Ok(Self { $($field: $crate::Verifier::of_code($field)?,)* })
            }
        }

        fog::proves_by_fields! { $name: $($statement: $field,)* }
    };
}

pub(crate) use verifiers;

verifiers! {
    /// Verifiers of the five statements, in the order in which the game's contract takes them.
    ChessVerifiers, 5:
    turn: TurnCircuit, TurnStatement;
    request_data: RequestDataCircuit, RequestDataStatement;
    fifty: FiftyCircuit, FiftyStatement;
    no_move: NoMoveCircuit, NoMoveStatement;
    chain_answer: ChainAnswerCircuit, ChainAnswerStatement;
}
