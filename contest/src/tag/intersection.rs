//! Private set intersection by Diffie and Hellman: the reply to a set, and what is found in it.

use crate::tag::{
    NEIGHBOURHOOD, Position, Reply, Set, Square, Wrong, lift, neighbourhood, points::neighbourhood_points,
};

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
