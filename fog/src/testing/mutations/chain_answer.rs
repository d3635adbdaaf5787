//! Broken values of *chain answer*: one a public field, and the private ones (protocol section 7). What is broken consistently, elements
//! with their root for instance, is made of the mutations of *answer* by [`wrong_answers`](crate::testing::wrong_answers).

use super::{ChainAnswerMutation, mutations, other_square};
use crate::{
    F,
    curve::{CurveError, FogKey, FogSecret, Point},
    engine::Phase,
    engine::sight_lines::request::RequestError,
    statement::Unmet::{AnswerRoot, Commitment, FogKey as WrongKey, RequestRoot, StateRange, Value},
};
use ff::Field;
use rules::Square;

/// Broken values of *chain answer*: every public field, every private one.
pub fn mutations_chain_answer() -> Vec<ChainAnswerMutation> {
    mutations! { ChainAnswerMutation, p, w:
        "public commitment": p.commitment += F::ONE => Commitment,
        "public pending of the sender: made up" => |p, w| {
            let (square, _) = w.answer.side.men().next()?;
            p.header.pending_sender.replace(square).is_none().then_some(AnswerRoot)
        },
        "public pending of the sender: forgotten": p.header.pending_sender.take()? => AnswerRoot,
        "public fog key": p.fog_key = FogKey((p.fog_key.0 + Point::generator()).into()) => WrongKey,
        "public ctx": p.header.ctx += F::ONE => AnswerRoot,
        "public phase" => |p, w| {
            w.answer.side.double_push?;
            p.header.phase = if p.header.phase == Phase::Pre { Phase::Post } else { Phase::Pre };
            Some(AnswerRoot)
        },
        "public receiver": p.header.receiver = !p.header.receiver => AnswerRoot,
        "public pending of the receiver: made up" => |p, _| {
            p.header.pending_receiver.replace(Square::new(27)?).is_none().then_some(AnswerRoot)
        },
        "public pending of the receiver: forgotten": p.header.pending_receiver.take()? => AnswerRoot,
        "public pending of the receiver: another square": p.header.pending_receiver = Some(other_square(p.header.pending_receiver?)) => AnswerRoot,
        "public request root": p.request_root += F::ONE => RequestRoot,
        "public answer root": p.answer_root += F::ONE => AnswerRoot,
        "public z": p.binding.z += F::ONE => Value,
        "public y": p.binding.y += F::ONE => Value,
        "request: the first point": w.request.points[0] = (w.request.points[0] + Point::generator()).into() => RequestRoot,
        "request: the last point": w.request.points[63] = (w.request.points[63] + Point::generator()).into() => RequestRoot,
        "request: a point off the curve, under a root of its own" => |p, w| {
            w.request.points[0].y += F::ONE;
            p.request_root = w.request.root();
            let source = CurveError::OffCurve;
            Some(RequestError::Point { square: Square::new(0)?, source }.into())
        },
        "state: a piece less": *w.answer.side.pieces.iter_mut().find(|piece| piece.is_some())? = None => Commitment,
        "state: counter out of range": w.answer.side.since_pawn = 128 => StateRange,
        "salt": w.answer.salt += F::ONE => Commitment,
        "secret": w.answer.secret = FogSecret::from_uniform(crate::word::to_word(&(w.answer.secret.field() + F::ONE))) => WrongKey,
    }
}
