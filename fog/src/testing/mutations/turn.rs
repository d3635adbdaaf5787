//! Broken values of *turn*: one a public field, one a private field, and of each part of an opened square (protocol section 7).

use super::{TurnMutation, move_mutations, mutations, other_square, state_mutations};
use crate::{
    F,
    commitment::commit,
    curve::{FogKey, Point, Scalar},
    engine::sight_lines::request::RequestError,
    statement::{
        Unmet,
        turn::{
            TurnPrivate, TurnPublic,
            plan::{MoveKind, Plan},
        },
    },
};
use ff::Field;
use rules::{Move, PieceType, Side, Square};

fn board(public: &TurnPublic, private: &TurnPrivate) -> Side {
    private.side.without(public.pending)
}

fn kind(public: &TurnPublic, private: &TurnPrivate) -> Option<MoveKind> {
    let plan = Plan::new(&board(public, private), &private.mv).ok()?;
    Some(plan.kind)
}

/// The number of the last opened square, if there is one.
fn last(private: &TurnPrivate) -> usize {
    private.opened.len().saturating_sub(1)
}

/// An own piece that the move doesn't touch.
fn bystander(public: &TurnPublic, private: &TurnPrivate) -> Option<Square> {
    let viewer = private.opened.first().map(|opened| opened.square);
    let own = board(public, private);
    let mut men = own.men().map(|(square, _)| square);
    men.find(|square| *square != private.mv.from && Some(*square) != viewer)
}

/// Broken values of *turn*: every public field, every private one, every part of an opened square.
pub fn mutations_turn() -> Vec<TurnMutation> {
    let mut all = public_mutations();
    all.extend(state_mutations!(TurnMutation));
    all.extend(scalar_mutations());
    all.extend(move_mutations!(TurnMutation));
    all.extend(opened_mutations());
    all
}

fn public_mutations() -> Vec<TurnMutation> {
    mutations! { TurnMutation, p, w:
        "public commitment": p.commitment += F::ONE => Unmet::Commitment,
        "public pending: the moving piece": p.pending = Some(w.mv.from) => Unmet::NoPiece,
        "public pending: another own piece" => |p, w| {
            let before = p.pending.replace(bystander(p, w)?);
            before.is_none().then_some(Unmet::NextCommitment)
        },
        "public pending: forgotten" => |p, w| {
            let square = p.pending.take()?;
            if square == w.mv.to {
                return Some(Unmet::OwnPieceOnTarget);
            }
            let opened = w.opened.iter().position(|opened| opened.square == square);
            Some(opened.map_or(Unmet::NextCommitment, Unmet::Choice))
        },
        "public next commitment": p.next_commitment += F::ONE => Unmet::NextCommitment,
        "public request root" => |p, _| {
            p.request_root += F::ONE;
            (!p.opening).then_some(Unmet::RequestPath(0))
        },
        "public answer root" => |p, _| {
            p.answer_root += F::ONE;
            (!p.opening).then_some(Unmet::AnswerPath(0))
        },
        "public ctx" => |p, w| {
            let kind = kind(p, w)?;
            p.ctx += F::ONE;
            match kind {
                _ if p.opening => None,
                MoveKind::Slide(_) | MoveKind::Castle(_) => p.capture.map(|_| Unmet::Capture),
                _ => Some(Unmet::PayloadRange(0)),
            }
        },
        "public fog key": p.fog_key = FogKey((p.fog_key.0 + Point::generator()).into()) => if p.opening { Unmet::NextRequestRoot } else { Unmet::RequestPath(0) },
        "public next request root": p.next_request_root += F::ONE => Unmet::NextRequestRoot,
        "public color" => |p, w| {
            let kind = kind(p, w)?;
            p.color = !p.color;
            let is_symmetric = matches!(kind, MoveKind::Slide(_) | MoveKind::Leap(_) | MoveKind::Step(_));
            (!is_symmetric).then_some(Unmet::Geometry)
        },
        "public opening" => |p, w| {
            let kind = kind(p, w)?;
            p.opening = !p.opening;
            match kind {
                _ if !p.opening => Some(Unmet::OpenedCount),
                MoveKind::Push | MoveKind::DoublePush | MoveKind::Leap(_) => p.capture.map(|_| Unmet::Capture),
                _ => Some(Unmet::OpeningMove),
            }
        },
        "public capture: left out": p.capture.take()? => Unmet::Capture,
        "public capture: made up" => |p, w| {
            let before = p.capture.replace(w.mv.to);
            before.is_none().then_some(Unmet::Capture)
        },
        "public capture: another square": p.capture = Some(other_square(p.capture?)) => Unmet::Capture,
        "public king flag": p.king_fell = !p.king_fell => Unmet::KingFlag,
    }
}

fn scalar_mutations() -> Vec<TurnMutation> {
    mutations! { TurnMutation, p, w:
        "next scalar of a1": w.next_scalars[0] += Scalar::ONE => Unmet::NextRequestRoot,
        "next scalar of h8": w.next_scalars[63] += Scalar::ONE => Unmet::NextRequestRoot,
        "next scalar zero": w.next_scalars[w.mv.from.index()] = Scalar::ZERO => RequestError::ZeroScalar(w.mv.from).into(),
    }
}

fn opened_mutations() -> Vec<TurnMutation> {
    mutations! { TurnMutation, p, w:
        "opened: one too few": w.opened.pop()? => Unmet::OpenedCount,
        "opened: one too many": w.opened.push(w.opened.last()?.clone()) => Unmet::OpenedCount,
        "opened: the viewer's square" => |_, w| {
            let viewer = w.opened.first_mut()?;
            viewer.square = other_square(viewer.square);
            Some(Unmet::OpenedSquare(0))
        },
        "opened: the last square" => |_, w| {
            let opened = w.opened.last_mut()?;
            opened.square = other_square(opened.square);
            Some(Unmet::OpenedSquare(last(w)))
        },
        "opened: the viewer's choice": w.opened.first_mut()?.choice ^= 1 => Unmet::Choice(0),
        "opened: the last choice" => |p, w| {
            let (index, opened) = (last(w), w.opened.last_mut()?);
            opened.choice = (opened.choice + 1) % 7;
            let was_captured = index > 0 && p.pending == Some(opened.square);
            Some(if was_captured { Unmet::RequestPath(index) } else { Unmet::Choice(index) })
        },
        "opened: a choice that is no type": w.opened.last_mut()?.choice = 7 => Unmet::Choice(last(w)),
        "opened: the viewer's scalar": w.opened.first_mut()?.scalar += Scalar::ONE => Unmet::RequestPath(0),
        "opened: the last scalar": w.opened.last_mut()?.scalar += Scalar::ONE => Unmet::RequestPath(last(w)),
        "opened: a scalar zero": w.opened.last_mut()?.scalar = Scalar::ZERO => Unmet::ZeroScalar(last(w)),
        "opened: request path at the leaf": w.opened.first_mut()?.request_path[0] += F::ONE => Unmet::RequestPath(0),
        "opened: request path at the root": w.opened.last_mut()?.request_path[5] += F::ONE => Unmet::RequestPath(last(w)),
        "opened: first field of the viewer's record": w.opened.first_mut()?.record[0] += F::ONE => Unmet::AnswerPath(0),
        "opened: last field of the last record": w.opened.last_mut()?.record[13] += F::ONE => Unmet::AnswerPath(last(w)),
        "opened: the payload in the viewer's record": w.opened.first_mut()?.record[8..13].iter_mut().for_each(|value| *value += F::ONE) => Unmet::AnswerPath(0),
        "opened: answer path at the leaf": w.opened.first_mut()?.answer_path[0] += F::ONE => Unmet::AnswerPath(0),
        "opened: answer path at the root": w.opened.last_mut()?.answer_path[5] += F::ONE => Unmet::AnswerPath(last(w)),
    }
}
