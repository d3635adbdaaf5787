//! Broken values of *turn*: one a public field, one a private field, and of each part of an opened square (protocol section 7).

use super::{TurnMutation, mutations, other_square};
use crate::{
    F,
    commitment::commit,
    curve::{FogKey, Point, Scalar},
    statement::turn::{
        Opened, TurnError, TurnPrivate, TurnPublic,
        plan::{MoveKind, Plan},
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

/// The last opened square and its number.
fn last(private: &mut TurnPrivate) -> Option<(usize, &mut Opened)> {
    let index = private.opened.len().checked_sub(1)?;
    Some((index, &mut private.opened[index]))
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
    all.extend(state_mutations());
    all.extend(move_mutations());
    all.extend(opened_mutations());
    all
}

fn public_mutations() -> Vec<TurnMutation> {
    mutations! { TurnMutation, p, w:
        "public commitment": p.commitment += F::ONE => TurnError::Commitment,
        "public pending: the moving piece": p.pending = Some(w.mv.from) => TurnError::NoPiece,
        "public pending: another own piece" => |p, w| {
            if p.pending.is_some() {
                return None;
            }
            p.pending = Some(bystander(p, w)?);
            Some(TurnError::NextCommitment)
        },
        "public pending: forgotten" => |p, w| {
            let square = p.pending.take()?;
            if square == w.mv.to {
                return Some(TurnError::OwnPieceOnTarget);
            }
            let opened = w.opened.iter().position(|opened| opened.square == square);
            Some(opened.map_or(TurnError::NextCommitment, TurnError::Choice))
        },
        "public next commitment": p.next_commitment += F::ONE => TurnError::NextCommitment,
        "public request root" => |p, _| {
            p.request_root += F::ONE;
            (!p.opening).then_some(TurnError::RequestPath(0))
        },
        "public answer root" => |p, _| {
            p.answer_root += F::ONE;
            (!p.opening).then_some(TurnError::AnswerPath(0))
        },
        "public ctx" => |p, w| {
            let kind = kind(p, w)?;
            p.ctx += F::ONE;
            match kind {
                _ if p.opening => None,
                MoveKind::Slide(_) | MoveKind::Castle(_) => p.capture.map(|_| TurnError::Capture),
                _ => Some(TurnError::PayloadRange),
            }
        },
        "public fog key": p.fog_key = FogKey((p.fog_key.0 + Point::generator()).into()) => if p.opening { TurnError::NextRequestRoot } else { TurnError::RequestPath(0) },
        "public next request root": p.next_request_root += F::ONE => TurnError::NextRequestRoot,
        "public color" => |p, w| {
            let kind = kind(p, w)?;
            p.color = !p.color;
            match kind {
                MoveKind::Push | MoveKind::DoublePush | MoveKind::PawnCapture(_) | MoveKind::Castle(_) => {
                    Some(TurnError::Geometry)
                }
                _ => None,
            }
        },
        "public opening" => |p, w| {
            let kind = kind(p, w)?;
            p.opening = !p.opening;
            match kind {
                _ if !p.opening => Some(TurnError::OpenedCount),
                MoveKind::Push | MoveKind::DoublePush | MoveKind::Leap(_) => {
                    p.capture.map(|_| TurnError::Capture)
                }
                _ => Some(TurnError::OpeningMove),
            }
        },
        "public capture: left out" => |p, _| {
            p.capture.take().map(|_| TurnError::Capture)
        },
        "public capture: made up" => |p, w| {
            p.capture.is_none().then(|| {
                p.capture = Some(w.mv.to);
                TurnError::Capture
            })
        },
        "public capture: another square" => |p, _| {
            p.capture = Some(other_square(p.capture?));
            Some(TurnError::Capture)
        },
        "public king flag": p.king_fell = !p.king_fell => TurnError::KingFlag,
    }
}

fn state_mutations() -> Vec<TurnMutation> {
    mutations! { TurnMutation, p, w:
        "state: a piece less" => |p, w| {
            let square = bystander(p, w)?;
            w.side.pieces[square.index()] = None;
            Some(TurnError::Commitment)
        },
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
        "next scalar of a1": w.next_scalars[0] += Scalar::ONE => TurnError::NextRequestRoot,
        "next scalar of h8": w.next_scalars[63] += Scalar::ONE => TurnError::NextRequestRoot,
        "next scalar zero": w.next_scalars[w.mv.from.index()] = Scalar::ZERO => TurnError::NextScalar(w.mv.from),
    }
}

fn move_mutations() -> Vec<TurnMutation> {
    mutations! { TurnMutation, p, w:
        "move: from an empty square" => |p, w| {
            let own = board(p, w);
            w.mv.from = Square::all().find(|square| own.piece(*square).is_none())?;
            Some(TurnError::NoPiece)
        },
        "move: onto an own piece" => |p, w| {
            let own = board(p, w);
            let target = own.men().map(|(square, _)| square).find(|square| *square != w.mv.from)?;
            w.mv.to = target;
            Some(TurnError::OwnPieceOnTarget)
        },
        "move: not the piece's way" => |p, w| {
            let own = board(p, w);
            let strange = |to: &Square| {
                Plan::new(&own, &Move { to: *to, ..w.mv }) == Err(TurnError::Geometry)
            };
            w.mv.to = Square::all().find(strange)?;
            Some(TurnError::Geometry)
        },
        "promotion: left out" => |_, w| {
            w.mv.promotion.take().map(|_| TurnError::Promotion)
        },
        "promotion: out of place" => |_, w| {
            w.mv.promotion.is_none().then(|| {
                w.mv.promotion = Some(PieceType::Queen);
                TurnError::Promotion
            })
        },
        "promotion: to a pawn" => |_, w| {
            w.mv.promotion.is_some().then(|| {
                w.mv.promotion = Some(PieceType::Pawn);
                TurnError::Promotion
            })
        },
        "promotion: to a king" => |_, w| {
            w.mv.promotion.is_some().then(|| {
                w.mv.promotion = Some(PieceType::King);
                TurnError::Promotion
            })
        },
        "promotion: to another piece" => |_, w| {
            let other = match w.mv.promotion? {
                PieceType::Queen => PieceType::Knight,
                _ => PieceType::Queen,
            };
            w.mv.promotion = Some(other);
            Some(TurnError::NextCommitment)
        },
    }
}

fn opened_mutations() -> Vec<TurnMutation> {
    mutations! { TurnMutation, p, w:
        "opened: one too few" => |_, w| {
            w.opened.pop().map(|_| TurnError::OpenedCount)
        },
        "opened: one too many" => |_, w| {
            let again = w.opened.last()?.clone();
            w.opened.push(again);
            Some(TurnError::OpenedCount)
        },
        "opened: the viewer's square" => |_, w| {
            let viewer = w.opened.first_mut()?;
            viewer.square = other_square(viewer.square);
            Some(TurnError::OpenedSquare(0))
        },
        "opened: the last square" => |_, w| {
            let (index, opened) = last(w)?;
            opened.square = other_square(opened.square);
            Some(TurnError::OpenedSquare(index))
        },
        "opened: the viewer's choice" => |_, w| {
            w.opened.first_mut()?.choice ^= 1;
            Some(TurnError::Choice(0))
        },
        "opened: the last choice" => |p, w| {
            let (index, opened) = last(w)?;
            opened.choice = (opened.choice + 1) % 7;
            if index > 0 && p.pending == Some(opened.square) {
                Some(TurnError::RequestPath(index))
            } else {
                Some(TurnError::Choice(index))
            }
        },
        "opened: a choice that is no type" => |_, w| {
            let (index, opened) = last(w)?;
            opened.choice = 7;
            Some(TurnError::Choice(index))
        },
        "opened: the viewer's scalar" => |_, w| {
            w.opened.first_mut()?.scalar += Scalar::ONE;
            Some(TurnError::RequestPath(0))
        },
        "opened: the last scalar" => |_, w| {
            let (index, opened) = last(w)?;
            opened.scalar += Scalar::ONE;
            Some(TurnError::RequestPath(index))
        },
        "opened: a scalar zero" => |_, w| {
            let (index, opened) = last(w)?;
            opened.scalar = Scalar::ZERO;
            Some(TurnError::ZeroScalar(index))
        },
        "opened: request path at the leaf" => |_, w| {
            w.opened.first_mut()?.request_path[0] += F::ONE;
            Some(TurnError::RequestPath(0))
        },
        "opened: request path at the root" => |_, w| {
            let (index, opened) = last(w)?;
            opened.request_path[5] += F::ONE;
            Some(TurnError::RequestPath(index))
        },
        "opened: first field of the viewer's record" => |_, w| {
            w.opened.first_mut()?.record[0] += F::ONE;
            Some(TurnError::AnswerPath(0))
        },
        "opened: last field of the last record" => |_, w| {
            let (index, opened) = last(w)?;
            opened.record[13] += F::ONE;
            Some(TurnError::AnswerPath(index))
        },
        "opened: the payload in the viewer's record" => |_, w| {
            for value in &mut w.opened.first_mut()?.record[8..13] {
                *value += F::ONE;
            }
            Some(TurnError::AnswerPath(0))
        },
        "opened: answer path at the leaf" => |_, w| {
            w.opened.first_mut()?.answer_path[0] += F::ONE;
            Some(TurnError::AnswerPath(0))
        },
        "opened: answer path at the root" => |_, w| {
            let (index, opened) = last(w)?;
            opened.answer_path[5] += F::ONE;
            Some(TurnError::AnswerPath(index))
        },
    }
}
