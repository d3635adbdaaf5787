//! What a king looks with: the points of its neighbourhood, raised.

use fog::{
    F,
    curve::Point,
    poseidon::{Tag, hash},
};

use crate::tag::{NEIGHBOURHOOD, Position, lift, points::neighbourhood_points};

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

/// The set that a position looks with.
pub fn set_of(position: &Position) -> Set {
    Set(neighbourhood_points(position.square).map(|point| position.look.raise(&point).x))
}
