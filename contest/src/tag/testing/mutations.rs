//! Broken values of the three statements: every public field, and what the proof is of.

use ff::Field;
use fog::{F, testing::Mutation};

use crate::tag::{
    Exponent, Size, Square,
    statement::{
        Unmet,
        capture::{CapturePrivate, CapturePublic},
        reply::{ReplyPrivate, ReplyPublic},
        step::{StepPrivate, StepPublic},
    },
};

/// A broken value of *tag step*.
pub type StepMutation = Mutation<StepPublic, StepPrivate, Unmet>;
/// A broken value of *tag reply*.
pub type ReplyMutation = Mutation<ReplyPublic, ReplyPrivate, Unmet>;
/// A broken value of *tag capture*.
pub type CaptureMutation = Mutation<CapturePublic, CapturePrivate, Unmet>;

/// Another exponent than any draw's.
fn other() -> Exponent {
    Exponent::new([7; 31])
}

/// The square opposite through the grid's centre.
fn far(square: Square) -> Square {
    Square::new(7 - square.file(), 7 - square.rank()).expect("below 8")
}

/// Broken values of *tag step*.
pub fn mutations_step() -> Vec<StepMutation> {
    let mutation = |name, apply| Mutation { name, apply };
    vec![
        mutation("public previous", |p, _| {
            p.previous += F::ONE;
            Some(Unmet::Previous)
        }),
        mutation("public commitment", |p, _| {
            p.commitment += F::ONE;
            Some(Unmet::Commitment)
        }),
        mutation("public size: the next smaller grid than the square's", |p, w| {
            p.size = Size::ALL.into_iter().rfind(|size| !size.contains(w.position.square))?;
            Some(Unmet::Grid)
        }),
        mutation("public start: the other corner", |p, _| {
            let start = p.start?;
            p.start = Some(far(start));
            Some(Unmet::Start)
        }),
        mutation("public start: of a king that has stood elsewhere", |p, w| {
            p.start.is_none().then(|| p.start = Some(w.position.square))?;
            Some(Unmet::Previous)
        }),
        mutation("public start: none", |p, w| {
            p.start.take()?;
            p.previous = F::zero();
            w.before.is_none().then_some(Unmet::Previous)
        }),
        mutation("public set hash", |p, _| {
            p.set_hash += F::ONE;
            Some(Unmet::SetHash)
        }),
        mutation("public set: the first", |p, _| {
            p.set.0[0] += F::ONE;
            Some(Unmet::Set)
        }),
        mutation("public set: two changed for each other", |p, _| {
            p.set.0.swap(3, 5);
            Some(Unmet::Set)
        }),
        mutation("public set: one twice, under a hash of its own", |p, _| {
            p.set.0[8] = p.set.0[4];
            p.set_hash = p.set.hash();
            Some(Unmet::Set)
        }),
        mutation("before: the salt", |_, w| {
            w.before.as_mut()?.salt += F::ONE;
            Some(Unmet::Previous)
        }),
        mutation("before: where it stands now", |p, w| {
            let square = w.position.square;
            let before = w.before.as_mut()?;
            before.square = square;
            p.previous = crate::tag::position::commit(square, before.salt);
            Some(Unmet::Step)
        }),
        mutation("before: far away", |p, w| {
            let square = far(w.position.square);
            let before = w.before.as_mut()?;
            before.square = square;
            p.previous = crate::tag::position::commit(square, before.salt);
            (!square.sees(w.position.square)).then_some(Unmet::Step)
        }),
        mutation("position: the exponent of the set", |p, w| {
            w.position.look = other();
            p.commitment = w.position.commitment();
            Some(Unmet::Set)
        }),
        mutation("position: the exponent of replies", |_, w| {
            w.position.answer = other();
            Some(Unmet::Commitment)
        }),
    ]
}

/// Broken values of *tag reply*.
pub fn mutations_reply() -> Vec<ReplyMutation> {
    let mutation = |name, apply| Mutation { name, apply };
    vec![
        mutation("public commitment", |p, _| {
            p.commitment += F::ONE;
            Some(Unmet::Commitment)
        }),
        mutation("public set hash", |p, _| {
            p.set_hash += F::ONE;
            Some(Unmet::SetHash)
        }),
        mutation("public reply: the first", |p, _| {
            p.reply.raised[0] += F::ONE;
            Some(Unmet::Raised)
        }),
        mutation("public reply: two changed for each other", |p, _| {
            p.reply.raised.swap(0, 8);
            Some(Unmet::Raised)
        }),
        mutation("public reply: the own element", |p, _| {
            p.reply.own += F::ONE;
            Some(Unmet::Own)
        }),
        mutation("points: one off the curve", |_, w| {
            w.points[4].y += F::ONE;
            Some(Unmet::OffCurve)
        }),
        mutation("points: two changed for each other", |_, w| {
            w.points.swap(1, 2);
            Some(Unmet::SetHash)
        }),
        mutation("position: another square, committed to", |p, w| {
            w.position.square = far(w.position.square);
            p.commitment = w.position.commitment();
            Some(Unmet::Own)
        }),
        mutation("position: another square", |_, w| {
            w.position.square = far(w.position.square);
            Some(Unmet::Commitment)
        }),
        mutation("position: the exponent of replies, committed to", |p, w| {
            w.position.answer = other();
            p.commitment = w.position.commitment();
            Some(Unmet::Raised)
        }),
        mutation("position: the exponent of the set", |_, w| {
            w.position.look = other();
            Some(Unmet::Commitment)
        }),
    ]
}

/// Broken values of *tag capture*.
pub fn mutations_capture() -> Vec<CaptureMutation> {
    let mutation = |name, apply| Mutation { name, apply };
    vec![
        mutation("public commitment", |p, _| {
            p.commitment += F::ONE;
            Some(Unmet::Commitment)
        }),
        mutation("public own", |p, _| {
            p.own += F::ONE;
            Some(Unmet::Own)
        }),
        mutation("public shared", |p, _| {
            p.shared += F::ONE;
            Some(Unmet::Shared)
        }),
        mutation("own: off the curve", |_, w| {
            w.own.y += F::ONE;
            Some(Unmet::Own)
        }),
        mutation("position: another square", |_, w| {
            w.position.square = far(w.position.square);
            Some(Unmet::Commitment)
        }),
        mutation("position: the exponent of the set, committed to", |p, w| {
            w.position.look = other();
            p.commitment = w.position.commitment();
            Some(Unmet::Shared)
        }),
        mutation("position: the exponent of replies", |_, w| {
            w.position.answer = other();
            Some(Unmet::Commitment)
        }),
    ]
}
