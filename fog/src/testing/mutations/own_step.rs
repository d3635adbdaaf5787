//! Broken values of *own step*: each public field and each private one.

use super::{OwnStepMutation, move_mutations, mutations, other_square, state_mutations};
use crate::{
    F,
    commitment::commit,
    statement::{
        Unmet,
        own_step::{OwnStepPrivate, OwnStepPublic},
        turn::plan::{MoveKind, Plan},
    },
};
use ff::Field;
use rules::{Move, PieceType, Side, Square};

fn board(public: &OwnStepPublic, private: &OwnStepPrivate) -> Side {
    private.side.without(public.pending)
}

fn kind(public: &OwnStepPublic, private: &OwnStepPrivate) -> Option<MoveKind> {
    let plan = Plan::new(&board(public, private), &private.mv).ok()?;
    Some(plan.kind)
}

/// An own piece that the move doesn't touch.
fn bystander(public: &OwnStepPublic, private: &OwnStepPrivate) -> Option<Square> {
    let own = board(public, private);
    let is_castling = matches!(kind(public, private), Some(MoveKind::Castle(_)));
    let mut men = own.men().filter(|(_, piece)| !is_castling || *piece != PieceType::Rook);
    men.find(|(square, _)| *square != private.mv.from).map(|(square, _)| square)
}

/// Broken values of *own step*.
pub fn mutations_own_step() -> Vec<OwnStepMutation> {
    [public_mutations(), state_mutations!(OwnStepMutation), move_mutations!(OwnStepMutation)].concat()
}

fn public_mutations() -> Vec<OwnStepMutation> {
    mutations! { OwnStepMutation, p, w:
        "public commitment": p.commitment += F::ONE => Unmet::Commitment,
        "public pending: the moving piece": p.pending = Some(w.mv.from) => Unmet::NoPiece,
        "public pending: another own piece" => |p, w| {
            let before = p.pending.replace(bystander(p, w)?);
            before.is_none().then_some(Unmet::NextCommitment)
        },
        "public pending: forgotten" => |p, w| {
            let square = p.pending.take()?;
            let plan = Plan::new(&w.side, &w.mv);
            let crossed = plan.map_or(None, |plan| plan.passes.iter().position(|pass| *pass == square));
            Some(match crossed {
                _ if square == w.mv.to => Unmet::OwnPieceOnTarget,
                Some(index) => Unmet::Blocked(index + 1),
                None => Unmet::NextCommitment,
            })
        },
        "public next commitment": p.next_commitment += F::ONE => Unmet::NextCommitment,
        "public color" => |p, w| {
            let kind = kind(p, w)?;
            p.color = !p.color;
            let is_symmetric = matches!(kind, MoveKind::Slide(_) | MoveKind::Leap(_) | MoveKind::Step(_));
            (!is_symmetric).then_some(Unmet::Geometry)
        },
        "public capture: a pawn's, left out" => |p, w| {
            let is_pawn = matches!(kind(p, w)?, MoveKind::PawnCapture(_));
            p.capture = None;
            is_pawn.then_some(Unmet::Capture)
        },
        "public capture: by a push or a castling" => |p, w| {
            let is_quiet = matches!(kind(p, w)?, MoveKind::Push | MoveKind::DoublePush | MoveKind::Castle(_));
            p.capture = Some(w.mv.to);
            is_quiet.then_some(Unmet::Capture)
        },
        "public capture: beside the move": p.capture = Some(other_square(p.capture?)) => Unmet::Capture,
        "public capture: where nothing went" => |p, w| {
            let before = p.capture.replace(w.mv.from);
            before.is_none().then_some(Unmet::Capture)
        },
        "public capture: *en passant* from another rank" => |p, w| {
            let is_pawn = matches!(kind(p, w)?, MoveKind::PawnCapture(_));
            let is_other_rank = w.mv.from.rank() != (!p.color).double_push_rank();
            p.capture = Square::at(w.mv.to.file(), w.mv.from.rank());
            (is_pawn && is_other_rank).then_some(Unmet::Capture)
        },
    }
}
