//! Broken values of *own step*: each public field and each private one.

use super::{OwnStepMutation, mutations, other_square};
use crate::{
    F,
    commitment::commit,
    statement::{
        own_step::{OwnStepPrivate, OwnStepPublic},
        turn::{
            TurnError,
            plan::{MoveKind, Plan},
        },
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
    [public_mutations(), state_mutations(), move_mutations()].concat()
}

fn public_mutations() -> Vec<OwnStepMutation> {
    mutations! { OwnStepMutation, p, w:
        "public commitment": p.commitment += F::ONE => TurnError::Commitment,
        "public pending: the moving piece": p.pending = Some(w.mv.from) => TurnError::NoPiece,
        "public pending: another own piece" => |p, w| {
            let before = p.pending.replace(bystander(p, w)?);
            before.is_none().then_some(TurnError::NextCommitment)
        },
        "public pending: forgotten" => |p, w| {
            let square = p.pending.take()?;
            let plan = Plan::new(&w.side, &w.mv);
            let crossed = plan.map_or(None, |plan| plan.passes.iter().position(|pass| *pass == square));
            Some(match crossed {
                _ if square == w.mv.to => TurnError::OwnPieceOnTarget,
                Some(index) => TurnError::Blocked(index + 1),
                None => TurnError::NextCommitment,
            })
        },
        "public next commitment": p.next_commitment += F::ONE => TurnError::NextCommitment,
        "public color" => |p, w| {
            let kind = kind(p, w)?;
            p.color = !p.color;
            let is_symmetric = matches!(kind, MoveKind::Slide(_) | MoveKind::Leap(_) | MoveKind::Step(_));
            (!is_symmetric).then_some(TurnError::Geometry)
        },
        "public capture: a pawn's, left out" => |p, w| {
            let is_pawn = matches!(kind(p, w)?, MoveKind::PawnCapture(_));
            p.capture = None;
            is_pawn.then_some(TurnError::Capture)
        },
        "public capture: by a push or a castling" => |p, w| {
            let is_quiet = matches!(kind(p, w)?, MoveKind::Push | MoveKind::DoublePush | MoveKind::Castle(_));
            p.capture = Some(w.mv.to);
            is_quiet.then_some(TurnError::Capture)
        },
        "public capture: beside the move": p.capture = Some(other_square(p.capture?)) => TurnError::Capture,
        "public capture: where nothing went" => |p, w| {
            let before = p.capture.replace(w.mv.from);
            before.is_none().then_some(TurnError::Capture)
        },
        "public capture: *en passant* from another rank" => |p, w| {
            let is_pawn = matches!(kind(p, w)?, MoveKind::PawnCapture(_));
            let is_other_rank = w.mv.from.rank() != (!p.color).double_push_rank();
            p.capture = Square::at(w.mv.to.file(), w.mv.from.rank());
            (is_pawn && is_other_rank).then_some(TurnError::Capture)
        },
    }
}

fn state_mutations() -> Vec<OwnStepMutation> {
    mutations! { OwnStepMutation, p, w:
        "state: a piece less": w.side.pieces[bystander(p, w)?.index()] = None => TurnError::Commitment,
        "state: a piece more" => |_, w| {
            let square = Square::all().find(|square| w.side.piece(*square).is_none())?;
            w.side.pieces[square.index()] = Some(PieceType::Queen);
            Some(TurnError::Commitment)
        },
        "state: king-side right": w.side.rights.king_side = !w.side.rights.king_side => TurnError::Commitment,
        "state: queen-side right": w.side.rights.queen_side = !w.side.rights.queen_side => TurnError::Commitment,
        "state: double push": w.side.double_push = if w.side.double_push.is_some() { None } else { Some(7) } => TurnError::Commitment,
        "state: double push on a ninth file" => |p, w| {
            w.side.double_push = Some(8);
            p.commitment = commit(&w.side, w.salt);
            Some(TurnError::StateRange)
        },
        "state: counter": w.side.since_pawn ^= 1 => TurnError::Commitment,
        "salt": w.salt += F::ONE => TurnError::Commitment,
        "next salt": w.next_salt += F::ONE => TurnError::NextCommitment,
    }
}

fn move_mutations() -> Vec<OwnStepMutation> {
    mutations! { OwnStepMutation, p, w:
        "move: from an empty square" => |p, w| {
            let own = board(p, w);
            w.mv.from = Square::all().find(|square| own.piece(*square).is_none())?;
            Some(TurnError::NoPiece)
        },
        "move: onto an own piece" => |p, w| {
            let own = board(p, w);
            w.mv.to = own.men().map(|(square, _)| square).find(|square| *square != w.mv.from)?;
            Some(TurnError::OwnPieceOnTarget)
        },
        "move: not the piece's way" => |p, w| {
            let own = board(p, w);
            let strange = |to: &Square| Plan::new(&own, &Move { to: *to, ..w.mv }) == Err(TurnError::Geometry);
            w.mv.to = Square::all().find(strange)?;
            Some(TurnError::Geometry)
        },
        "promotion: left out": w.mv.promotion.take()? => TurnError::Promotion,
        "promotion: out of place" => |p, w| {
            // To something else than what moves: a queen that becomes a queen is nothing wrong to the circuit.
            let is_queen = board(p, w).piece(w.mv.from) == Some(PieceType::Queen);
            let before = w.mv.promotion.replace(if is_queen { PieceType::Rook } else { PieceType::Queen });
            before.is_none().then_some(TurnError::Promotion)
        },
        "promotion: to a pawn": *w.mv.promotion.as_mut()? = PieceType::Pawn => TurnError::Promotion,
        "promotion: to a king": *w.mv.promotion.as_mut()? = PieceType::King => TurnError::Promotion,
        "promotion: to another piece" => |_, w| {
            let piece = w.mv.promotion.as_mut()?;
            *piece = if *piece == PieceType::Queen { PieceType::Knight } else { PieceType::Queen };
            Some(TurnError::NextCommitment)
        },
    }
}
