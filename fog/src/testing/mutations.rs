//! Single broken values of valid draws, each with the relation that must refuse it.
//!
//! A mutation changes one field of one part. It says nothing where it doesn't apply: where the draw has no such field, or
//! where the changed statement is still true (the roots and `ctx` of an opening ply; `ctx` for a slide over empty squares).

mod answer;
mod chain_answer;
mod fifty;
mod no_move;
mod own_step;
mod request_data;
mod turn;

pub use answer::mutations_answer;
pub use chain_answer::mutations_chain_answer;
pub use fifty::mutations_fifty;
pub use no_move::mutations_no_move;
pub use own_step::mutations_own_step;
pub use request_data::mutations_request_data;
pub use turn::mutations_turn;

use crate::statement::{
    Unmet,
    answer::{AnswerPrivate, AnswerPublic},
    chain_answer::{ChainAnswerPrivate, ChainAnswerPublic},
    fifty::{FiftyPrivate, FiftyPublic},
    no_move::{NoMovePrivate, NoMovePublic},
    own_step::{OwnStepPrivate, OwnStepPublic},
    request_data::{RequestDataPrivate, RequestDataPublic},
    turn::{TurnPrivate, TurnPublic},
};
use rules::Square;
use std::fmt::Debug;

/// A broken value of a statement with the public part `P`, the private part `W` and the errors `E`.
#[derive(Clone, Copy, Debug)]
pub struct Mutation<P, W, E> {
    /// Which value is broken, and how.
    pub name: &'static str,
    /// Breaks a valid draw and says which relation must refuse it; nothing if the mutation doesn't apply.
    pub apply: fn(&mut P, &mut W) -> Option<E>,
}

/// A broken value of *turn*.
pub type TurnMutation = Mutation<TurnPublic, TurnPrivate, Unmet>;

/// A broken value of *own step*.
pub type OwnStepMutation = Mutation<OwnStepPublic, OwnStepPrivate, Unmet>;

/// A broken value of *fifty*.
pub type FiftyMutation = Mutation<FiftyPublic, FiftyPrivate, Unmet>;

/// A broken value of *no move*.
pub type NoMoveMutation = Mutation<NoMovePublic, NoMovePrivate, Unmet>;

/// A broken value of *answer*. Of an expected `Element` only the variant counts.
pub type AnswerMutation = Mutation<AnswerPublic, AnswerPrivate, Unmet>;

/// A broken value of *chain answer*.
pub type ChainAnswerMutation = Mutation<ChainAnswerPublic, ChainAnswerPrivate, Unmet>;

/// A broken value of *request data*.
pub type RequestDataMutation = Mutation<RequestDataPublic, RequestDataPrivate, Unmet>;

/// Breaks draws in each way until it applied to `most` of them, and gives what came of it to `refuse`: its name for messages, the two
/// parts, and the relation that must refuse them. Every mutation must apply to a draw.
pub fn break_each<C: Debug, P: Clone, W: Clone, E>(
    mutations: &[Mutation<P, W, E>],
    most: usize,
    draws: impl IntoIterator<Item = (C, (P, W))>,
    refuse: impl Fn(&str, &P, &W, E),
) {
    let mut applied = vec![0; mutations.len()];
    for (case, draw) in draws {
        for (mutation, applied) in mutations.iter().zip(&mut applied).filter(|(_, applied)| **applied < most) {
            let (mut public, mut private) = draw.clone();
            if let Some(expected) = (mutation.apply)(&mut public, &mut private) {
                let name = format!("{case:?}, {}", mutation.name);
                refuse(&name, &public, &private, expected);
                *applied += 1;
            }
        }
    }
    for (mutation, applied) in mutations.iter().zip(applied) {
        assert!(applied > 0, "{} never applied", mutation.name);
    }
}

fn other_square(square: Square) -> Square {
    Square::all().nth(square.index() ^ 1).unwrap_or(square)
}

/// A table of mutations of the public part and the private part so named: a name and a function; or, where it always applies, a name,
/// what is done, and the relation that must refuse it.
#[macro_export]
macro_rules! mutations {
    ($kind:ident, $p:ident, $w:ident: $($rows:tt)*) => { $crate::mutations!(@rows [] $kind, $p, $w: $($rows)*) };
    (@rows [$($all:expr,)*] $kind:ident, $p:ident, $w:ident: $name:literal => $apply:expr, $($rest:tt)*) => {
        $crate::mutations!(@rows [$($all,)* $kind { name: $name, apply: $apply },] $kind, $p, $w: $($rest)*)
    };
    (@rows [$($all:expr,)*] $kind:ident, $p:ident, $w:ident: $name:literal: $change:expr => $error:expr, $($rest:tt)*) => {
        $crate::mutations!(@rows [$($all,)* $kind { name: $name, apply: |$p, $w| {
            // A row may change one part only.
            let _ = (&$p, &$w);
            $change;
            Some($error)
        } },] $kind, $p, $w: $($rest)*)
    };
    (@rows [$($all:expr,)*] $kind:ident, $p:ident, $w:ident:) => { vec![$($all,)*] };
}

use crate::mutations;

/// The rows of a mover's committed state and salts, which *turn* and *own step* name alike; `bystander` is an own piece that the move doesn't touch.
macro_rules! state_mutations {
    ($kind:ident) => {
        mutations! { $kind, p, w:
            "state: a piece less": w.side.pieces[bystander(p, w)?.index()] = None => Unmet::Commitment,
            "state: a piece more" => |_, w| {
                let square = Square::all().find(|square| w.side.piece(*square).is_none())?;
                w.side.pieces[square.index()] = Some(PieceType::Queen);
                Some(Unmet::Commitment)
            },
            "state: king-side right": w.side.rights.king_side = !w.side.rights.king_side => Unmet::Commitment,
            "state: queen-side right": w.side.rights.queen_side = !w.side.rights.queen_side => Unmet::Commitment,
            "state: double push": w.side.double_push = if w.side.double_push.is_some() { None } else { Some(7) } => Unmet::Commitment,
            "state: double push on a ninth file" => |p, w| {
                w.side.double_push = Some(8);
                p.commitment = commit(&w.side, w.salt);
                Some(Unmet::StateRange)
            },
            "state: counter": w.side.since_pawn ^= 1 => Unmet::Commitment,
            "salt": w.salt += F::ONE => Unmet::Commitment,
            "next salt": w.next_salt += F::ONE => Unmet::NextCommitment,
        }
    };
}

/// The rows of the move and what it promotes to, of the same statements; `board` is the mover's own side when it moves.
macro_rules! move_mutations {
    ($kind:ident) => {
        mutations! { $kind, p, w:
            "move: from an empty square" => |p, w| {
                let own = board(p, w);
                w.mv.from = Square::all().find(|square| own.piece(*square).is_none())?;
                Some(Unmet::NoPiece)
            },
            "move: onto an own piece" => |p, w| {
                let own = board(p, w);
                w.mv.to = own.men().map(|(square, _)| square).find(|square| *square != w.mv.from)?;
                Some(Unmet::OwnPieceOnTarget)
            },
            "move: not the piece's way" => |p, w| {
                let own = board(p, w);
                let strange = |to: &Square| Plan::new(&own, &Move { to: *to, ..w.mv }) == Err(Unmet::Geometry);
                w.mv.to = Square::all().find(strange)?;
                Some(Unmet::Geometry)
            },
            "promotion: left out": w.mv.promotion.take()? => Unmet::Promotion,
            "promotion: out of place" => |p, w| {
                // To something else than what moves: a queen that becomes a queen is nothing wrong to the circuit.
                let is_queen = board(p, w).piece(w.mv.from) == Some(PieceType::Queen);
                let before = w.mv.promotion.replace(if is_queen { PieceType::Rook } else { PieceType::Queen });
                before.is_none().then_some(Unmet::Promotion)
            },
            "promotion: to a pawn": *w.mv.promotion.as_mut()? = PieceType::Pawn => Unmet::Promotion,
            "promotion: to a king": *w.mv.promotion.as_mut()? = PieceType::King => Unmet::Promotion,
            "promotion: to another piece" => |_, w| {
                let piece = w.mv.promotion.as_mut()?;
                *piece = if *piece == PieceType::Queen { PieceType::Knight } else { PieceType::Queen };
                Some(Unmet::NextCommitment)
            },
        }
    };
}

use {move_mutations, state_mutations};
