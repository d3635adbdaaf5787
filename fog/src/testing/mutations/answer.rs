//! Broken values of *answer*: one a public field, some of the elements, one a private field (protocol section 7).

use super::{AnswerMutation, mutations, other_square};
use crate::{
    F,
    curve::{CurveError, FogKey, FogSecret, Point, Scalar, mul},
    engine::Phase,
    engine::sight_lines::request::RequestError,
    statement::{Unmet, answer::AnswerPublic},
};
use ff::Field;
use rules::Square;

/// Broken values of *answer*: every public field, elements of every kind of field, every private one.
pub fn mutations_answer() -> Vec<AnswerMutation> {
    let mut all = answer_public_mutations();
    all.extend(answer_element_mutations());
    all.extend(answer_private_mutations());
    all
}

const WRONG: Unmet = Unmet::Element(0);

fn answer_public_mutations() -> Vec<AnswerMutation> {
    mutations! { AnswerMutation, p, w:
        "public commitment": p.commitment += F::ONE => Unmet::Commitment,
        "public pending of the sender: made up" => |p, w| {
            let (square, _) = w.side.men().next()?;
            p.header.pending_sender.replace(square).is_none().then_some(WRONG)
        },
        "public pending of the sender: forgotten": p.header.pending_sender.take()? => WRONG,
        "public fog key": p.fog_key = FogKey((p.fog_key.0 + Point::generator()).into()) => Unmet::FogKey,
        "public ctx": p.header.ctx += F::ONE => WRONG,
        "public phase" => |p, w| {
            w.side.double_push?;
            p.header.phase = if p.header.phase == Phase::Pre { Phase::Post } else { Phase::Pre };
            Some(WRONG)
        },
        "public receiver": p.header.receiver = !p.header.receiver => WRONG,
        "public pending of the receiver: made up" => |p, _| {
            p.header.pending_receiver.replace(Square::new(27)?).is_none().then_some(WRONG)
        },
        "public pending of the receiver: forgotten": p.header.pending_receiver.take()? => WRONG,
        "public pending of the receiver: another square": p.header.pending_receiver = Some(other_square(p.header.pending_receiver?)) => WRONG,
        "request: the first point": p.request.points[0] = (p.request.points[0] + Point::generator()).into() => WRONG,
        "request: the last point": p.request.points[63] = (p.request.points[63] + Point::generator()).into() => WRONG,
        "request: a point negated": p.request.points[20] = -p.request.points[20] => WRONG,
        "request: a multiple of the fog key": p.request.points[20] = mul(&p.fog_key.0, &Scalar::from(6)) => RequestError::Multiple(Square::new(20)?).into(),
        "request: a multiple of the fog key, negated": p.request.points[20] = -mul(&p.fog_key.0, &Scalar::from(6)) => RequestError::Multiple(Square::new(20)?).into(),
        "request: a point off the curve" => |p, _| {
            p.request.points[0].y += F::ONE;
            Some(RequestError::Point { square: Square::new(0)?, source: CurveError::OffCurve }.into())
        },
    }
}

fn answer_element_mutations() -> Vec<AnswerMutation> {
    fn change(public: &mut AnswerPublic, index: usize) -> Option<Unmet> {
        public.elements[index] += F::ONE;
        Some(Unmet::Element(index))
    }
    mutations! { AnswerMutation, p, w:
        "elements: a ray step" => |p, _| change(p, 0),
        "elements: a ray step of e4" => |p, _| change(p, 330),
        "elements: the knight of a1" => |p, _| change(p, 3),
        "elements: the queen of a1, orthogonal" => |p, _| change(p, 4),
        "elements: the queen of a1, diagonal" => |p, _| change(p, 5),
        "elements: the king of a1" => |p, _| change(p, 6),
        "elements: the first of rank 2" => |p, _| change(p, 7 + 6 * 9 + 7),
        "elements: one in the middle" => |p, _| change(p, 366),
        "elements: the last one" => |p, _| change(p, 731),
        "elements: the clear pass" => |p, _| change(p, 732),
    }
}

fn answer_private_mutations() -> Vec<AnswerMutation> {
    mutations! { AnswerMutation, p, w:
        "state: a piece less": *w.side.pieces.iter_mut().find(|piece| piece.is_some())? = None => Unmet::Commitment,
        "state: double push": w.side.double_push = if w.side.double_push.is_some() { None } else { Some(0) } => Unmet::Commitment,
        "state: counter": w.side.since_pawn ^= 1 => Unmet::Commitment,
        "salt": w.salt += F::ONE => Unmet::Commitment,
        "secret": w.secret = FogSecret::from_uniform(crate::word::to_word(&(w.secret.field() + F::ONE))) => Unmet::FogKey,
    }
}
