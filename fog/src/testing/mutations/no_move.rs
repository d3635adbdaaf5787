//! Broken values of *no move*: each public field, each private one, and each part of an opened square (protocol section 7).

use super::{NoMoveMutation, mutations, other_square};
use crate::{
    F,
    commitment::commit,
    curve::{FogKey, Point, Scalar},
    statement::Unmet,
};
use ff::Field;
use rules::{PieceType, Square, geometry::ahead};

/// Broken values of *no move*.
pub fn mutations_no_move() -> Vec<NoMoveMutation> {
    let mut all = public_mutations();
    all.extend(state_mutations());
    all.extend(opened_mutations());
    all
}

fn public_mutations() -> Vec<NoMoveMutation> {
    mutations! { NoMoveMutation, p, w:
        "public commitment": p.commitment += F::ONE => Unmet::Commitment,
        "public pending: a pawn" => |p, w| {
            // One that no piece stands near to, which could step there.
            let men = w.side.men().filter(|(_, piece)| *piece != PieceType::Pawn);
            let pieces: Vec<Square> = men.map(|(square, _)| square).collect();
            let is_far = |square: Square, piece: &Square| {
                square.file().abs_diff(piece.file()).max(square.rank().abs_diff(piece.rank())) > 2
            };
            let mut pawns = w.opened.iter().map(|opened| opened.square);
            let pawn = pawns.find(|pawn| pieces.iter().all(|piece| is_far(*pawn, piece)))?;
            p.pending.replace(pawn).is_none().then_some(Unmet::OpenedCount)
        },
        "public pending: forgotten" => |p, w| {
            let captured = w.side.piece(p.pending.take()?)?;
            (captured == PieceType::Pawn).then_some(Unmet::OpenedCount)
        },
        "public request root" => |p, w| {
            p.request_root += F::ONE;
            (!w.opened.is_empty()).then_some(Unmet::RequestPath(0))
        },
        "public answer root" => |p, w| {
            p.answer_root += F::ONE;
            (!w.opened.is_empty()).then_some(Unmet::AnswerPath(0))
        },
        "public ctx" => |p, w| {
            p.ctx += F::ONE;
            (!w.opened.is_empty()).then_some(Unmet::PayloadRange(0))
        },
        "public fog key" => |p, w| {
            p.fog_key = FogKey((p.fog_key.0 + Point::generator()).into());
            (!w.opened.is_empty()).then_some(Unmet::RequestPath(0))
        },
        "public color" => |p, w| {
            // Looked at the wrong way, a pawn behind an own piece may have nothing ahead; one behind the opponent's still says so.
            let board = w.side.without(p.pending);
            let is_own = |pawn, color| ahead(pawn, color).is_some_and(|front| board.piece(front).is_some());
            let color = p.color;
            p.color = !color;
            let mut pawns = w.opened.iter().map(|opened| opened.square);
            let free = pawns.find(|pawn| is_own(*pawn, color) && !is_own(*pawn, !color))?;
            Some(Unmet::Advances(free))
        },
    }
}

fn state_mutations() -> Vec<NoMoveMutation> {
    mutations! { NoMoveMutation, p, w:
        "state: a piece less": *w.side.pieces.iter_mut().find(|piece| piece.is_some())? = None => Unmet::Commitment,
        "state: a piece more" => |_, w| {
            let square = Square::all().find(|square| w.side.piece(*square).is_none())?;
            w.side.pieces[square.index()] = Some(PieceType::Queen);
            Some(Unmet::Commitment)
        },
        "state: a right": w.side.rights.queen_side = !w.side.rights.queen_side => Unmet::Commitment,
        "state: double push": w.side.double_push = if w.side.double_push.is_some() { None } else { Some(7) } => Unmet::Commitment,
        "state: double push on a ninth file" => |p, w| {
            w.side.double_push = Some(8);
            p.commitment = commit(&w.side, w.salt);
            Some(Unmet::StateRange)
        },
        "state: counter": w.side.since_pawn ^= 1 => Unmet::Commitment,
        "salt": w.salt += F::ONE => Unmet::Commitment,
    }
}

fn opened_mutations() -> Vec<NoMoveMutation> {
    mutations! { NoMoveMutation, p, w:
        "opened: one too few": w.opened.pop()? => Unmet::OpenedCount,
        "opened: one too many" => |_, w| {
            let last = w.opened.last()?.clone();
            w.opened.push(last);
            (w.opened.len() <= 8).then_some(Unmet::OpenedCount)
        },
        "opened: one twice, another not" => |_, w| {
            let first = w.opened.first()?.clone();
            let last = w.opened.len() - 1;
            w.opened[last] = first;
            (last > 0).then_some(Unmet::OpenedSquare(last))
        },
        "opened: another square" => |_, w| {
            let opened = w.opened.first_mut()?;
            opened.square = other_square(opened.square);
            let is_pawn = w.side.piece(opened.square) == Some(PieceType::Pawn);
            (!is_pawn).then_some(Unmet::OpenedSquare(0))
        },
        "opened: another choice": w.opened.first_mut()?.choice = 0 => Unmet::Choice(0),
        "opened: a choice that is no type": w.opened.first_mut()?.choice = 7 => Unmet::Choice(0),
        "opened: another scalar": w.opened.first_mut()?.scalar += Scalar::ONE => Unmet::RequestPath(0),
        "opened: a scalar zero": w.opened.first_mut()?.scalar = Scalar::ZERO => Unmet::ZeroScalar(0),
        "opened: request path at the leaf": w.opened.first_mut()?.request_path[0] += F::ONE => Unmet::RequestPath(0),
        "opened: request path at the root": w.opened.first_mut()?.request_path[5] += F::ONE => Unmet::RequestPath(0),
        "opened: a field of the record": w.opened.first_mut()?.record[13] += F::ONE => Unmet::AnswerPath(0),
        "opened: the payload in the record": w.opened.first_mut()?.record[8] += F::ONE => Unmet::AnswerPath(0),
        "opened: answer path at the leaf": w.opened.first_mut()?.answer_path[0] += F::ONE => Unmet::AnswerPath(0),
        "opened: answer path at the root": w.opened.first_mut()?.answer_path[5] += F::ONE => Unmet::AnswerPath(0),
    }
}
