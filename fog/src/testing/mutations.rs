//! Single broken values of valid draws, each with the relation that must refuse it.
//!
//! A mutation changes one field of one part. It says nothing where it doesn't apply: where the draw has no such field, or
//! where the changed statement is still true (the roots and `ctx` of an opening ply; `ctx` for a slide over empty squares).

mod answer;
mod turn;

pub use answer::mutations_answer;
pub use turn::mutations_turn;

use crate::statement::{
    answer::{AnswerPrivate, AnswerPublic, AnswerStatementError},
    turn::{TurnError, TurnPrivate, TurnPublic},
};
use rules::Square;

/// A broken value of *turn*.
#[derive(Clone, Copy, Debug)]
pub struct TurnMutation {
    /// Which value is broken, and how.
    pub name: &'static str,
    /// Breaks a valid draw and says which relation must refuse it; leaves it alone if the mutation doesn't apply.
    pub apply: fn(&mut TurnPublic, &mut TurnPrivate) -> Option<TurnError>,
}

/// A broken value of *answer*. Of an expected `Element` only the variant counts.
#[derive(Clone, Copy, Debug)]
pub struct AnswerMutation {
    /// Which value is broken, and how.
    pub name: &'static str,
    /// Breaks a valid draw and says which relation must refuse it; leaves it alone if the mutation doesn't apply.
    pub apply: fn(&mut AnswerPublic, &mut AnswerPrivate) -> Option<AnswerStatementError>,
}

fn other_square(square: Square) -> Square {
    Square::all().nth(square.index() ^ 1).unwrap_or(square)
}

macro_rules! mutations {
    ($kind:ident: $($name:literal => $apply:expr,)*) => {
        vec![$($kind { name: $name, apply: $apply }),*]
    };
}

use mutations;
