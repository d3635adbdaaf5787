//! The statement *tag reply*: exactly the points of a set were raised, and the point of the committed square with them, all by the exponent that the
//! same commitment holds. A committed position has one reply to a set and no other.

use fog::{F, curve::Point, ensure};
use halo2curves::CurveAffine;

use super::Unmet;
use crate::tag::{NEIGHBOURHOOD, Position, Reply, Set, Wrong, reply_to, square_point};

fog::public_inputs! {
    /// The public inputs of *tag reply*.
    ReplyInputs, REPLY_INPUTS of ReplyPublic:
    commitment,
    /// The hash of the set that is replied to.
    set_hash,
    /// The x-coordinate of the first raised point.
    y0,
    y1,
    y2,
    y3,
    y4,
    y5,
    y6,
    y7,
    y8,
    /// That of the raised point of the replier's square.
    own,
}

fog::statement! {
    /// *tag reply*: a set is raised by the committed exponent.
    ReplyStatement: ReplyPublic, ReplyPrivate
}

/// What everyone sees of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyPublic {
    pub commitment: F,
    /// The hash of the set that is replied to.
    pub set_hash: F,
    pub reply: Reply,
}

impl ReplyPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> ReplyInputs<F> {
        let [y0, y1, y2, y3, y4, y5, y6, y7, y8] = self.reply.raised;
        let own = self.reply.own;
        let Self { commitment, set_hash, .. } = *self;
        ReplyInputs { commitment, set_hash, y0, y1, y2, y3, y4, y5, y6, y7, y8, own }
    }
}

/// What the proof is of: the position, which only the replier knows, and points under the set's hash.
#[derive(Clone, PartialEq, Eq)]
pub struct ReplyPrivate {
    /// Where the replier's king stands.
    pub position: Position,
    /// The points of the set; of each either y-coordinate will do.
    pub points: [Point; NEIGHBOURHOOD],
}

fog::redacted!(ReplyPrivate);

/// The statement of a position's reply to a set; [`Wrong::OffCurve`] if the set has an x-coordinate without a point.
pub fn gather(set: &Set, position: &Position) -> Result<(ReplyPublic, ReplyPrivate), Wrong> {
    let points = set.points().ok_or(Wrong::OffCurve)?;
    let reply = reply_to(set, position)?;
    let public = ReplyPublic { commitment: position.commitment(), set_hash: set.hash(), reply };
    Ok((public, ReplyPrivate { position: position.clone(), points }))
}

/// The relation of *tag reply*.
pub fn check(public: &ReplyPublic, private: &ReplyPrivate) -> Result<(), Unmet> {
    let ReplyPrivate { position, points } = private;
    ensure!(points.iter().all(|point| bool::from(point.is_on_curve())), Unmet::OffCurve);
    ensure!(Set(points.map(|point| point.x)).hash() == public.set_hash, Unmet::SetHash);
    ensure!(position.commitment() == public.commitment, Unmet::Commitment);
    ensure!(points.map(|point| position.answer.raise(&point).x) == public.reply.raised, Unmet::Raised);
    let own = square_point(position.square, NEIGHBOURHOOD / 2);
    ensure!(position.answer.raise(&own).x == public.reply.own, Unmet::Own);
    Ok(())
}
