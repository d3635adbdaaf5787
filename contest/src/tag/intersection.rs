//! Private set intersection by Diffie and Hellman: a set, the reply to it, and what is found in the reply.

use fog::{
    F,
    curve::Point,
    poseidon::{Tag, hash},
};

use crate::tag::{NEIGHBOURHOOD, Position, Square, Wrong, lift, neighbourhood, points::neighbourhood_points};

/// The x-coordinates of the raised points of a neighbourhood, rank by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set(pub [F; NEIGHBOURHOOD]);

impl Set {
    /// What names the set in proofs of replies: `H(NODE; … H(NODE; H(LEAF; x₀, x₁), x₂) …, x₈)`.
    pub fn hash(&self) -> F {
        let [first, second, others @ ..] = &self.0;
        others.iter().fold(hash(Tag::Leaf, *first, *second), |sum, x| hash(Tag::Node, sum, *x))
    }

    /// Its points, the even ones of each pair; none if an x-coordinate has no point.
    pub fn points(&self) -> Option<[Point; NEIGHBOURHOOD]> {
        let mut points = [Point::default(); NEIGHBOURHOOD];
        for (point, x) in points.iter_mut().zip(&self.0) {
            *point = lift(*x)?;
        }
        Some(points)
    }
}

/// The reply to a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The x-coordinates of the set's points, raised by the replier's exponent.
    pub raised: [F; NEIGHBOURHOOD],
    /// That of the point of the replier's square, raised by the same.
    pub own: F,
}

/// The set that a position looks with.
pub fn set_of(position: &Position) -> Set {
    Set(neighbourhood_points(position.square).map(|point| position.look.raise(&point).x))
}

/// The reply of a position to a set. [`Wrong::OffCurve`] if the set has an x-coordinate without a point.
pub fn reply_to(set: &Set, position: &Position) -> Result<Reply, Wrong> {
    let points = set.points().ok_or(Wrong::OffCurve)?;
    let raised = points.map(|point| position.answer.raise(&point).x);
    let own = position.answer.raise(&neighbourhood_points(position.square)[NEIGHBOURHOOD / 2]).x;
    Ok(Reply { raised, own })
}

/// The opponent's square by its reply to the set of `position`, and its place in the set; none if it isn't in the neighbourhood.
///
/// [`Wrong::OffCurve`] if the reply has no point where it should, [`Wrong::Unanswerable`] if it says that a king stands where no grid is: no proven
/// reply does either.
pub fn find(position: &Position, reply: &Reply) -> Result<Option<(usize, Square)>, Wrong> {
    let own = lift(reply.own).ok_or(Wrong::OffCurve)?;
    let shared = position.look.raise(&own).x;
    let Some(place) = reply.raised.iter().position(|raised| *raised == shared) else {
        return Ok(None);
    };
    let square = neighbourhood(position.square)[place].ok_or(Wrong::Unanswerable)?;
    Ok(Some((place, square)))
}
