//! The group in which sets meet, as a parameter: [`Ristretto`] for the forms that trust their players' sets, [`Grumpkin`] for the one that
//! proves them, since Grumpkin's coordinates are the circuits' field.
//!
//! What is asked of a group is what an exchange does with many points at once, so that each does it in its own fast way. Both have prime
//! order and one encoding a point: there are no small subgroups to confine a peer to, and of all encodings only those that aren't canonical,
//! or are the identity's, are refused.

pub mod grumpkin;
pub mod ristretto;

pub use grumpkin::Grumpkin;
pub use ristretto::Ristretto;

use super::element::Element;
use fog::engine::Fault;
use rules::Color;
use std::{
    fmt::Debug,
    ops::{Mul, Sub},
};

/// Bytes of a point's encoding, and of a scalar's.
pub const POINT_BYTES: usize = 32;
pub type Encoded = [u8; POINT_BYTES];

/// Points that hide elements, and what is sent for them.
pub struct Blinded<G: Group> {
    /// `Y`, one for each element.
    pub points: Vec<G::Point>,
    pub encoded: Vec<Encoded>,
}

/// A group of prime order, with the products that an exchange of sets takes.
///
/// Products with secret scalars take the same steps whatever the scalar is, and read no memory by it, but for the inversion that gives a
/// point of Grumpkin its coordinates at the end. Those of [`Group::sum`] are of public values alone.
pub trait Group: Send + Sync + 'static {
    /// A number modulo the group's order.
    type Scalar: Copy
        + Default
        + Debug
        + PartialEq
        + Send
        + Sync
        + Mul<Output = Self::Scalar>
        + Sub<Output = Self::Scalar>;
    type Point: Copy + Debug + PartialEq + Send + Sync;
    /// Multiples of one point.
    type Multiples: Send + Sync;

    /// A scalar from 64 uniform bytes.
    fn scalar(uniform: &[u8; 64]) -> Self::Scalar;

    /// A sender's exponent from 64 uniform bytes.
    fn exponent(uniform: &[u8; 64]) -> Self::Scalar;

    /// A number as a scalar.
    fn small(number: u128) -> Self::Scalar;

    /// The bytes of a scalar, little-endian.
    fn scalar_bytes(scalar: &Self::Scalar) -> [u8; 32];

    /// A scalar from its bytes; `None` if they aren't below the order.
    fn read_scalar(bytes: &[u8; 32]) -> Option<Self::Scalar>;

    /// The generator `G` of the group.
    fn generator() -> Self::Point;

    /// `k·G` of a secret `k`.
    fn times_generator(scalar: &Self::Scalar) -> Self::Point;

    /// `k·P` of a secret `k`.
    fn times(scalar: &Self::Scalar, point: &Self::Point) -> Self::Point;

    /// `Σ kᵢ·Pᵢ` of public scalars.
    fn sum(scalars: &[Self::Scalar], points: &[Self::Point]) -> Self::Point;

    fn encode(point: &Self::Point) -> Encoded;

    /// The point of an encoding; `None` if it is no canonical one, or the identity's.
    fn decode(encoded: &[u8]) -> Option<Self::Point>;

    /// `H(x)` of each element, where `receiver` receives. An element that can't be (a pawn on the last rank, say) is a defect of the own
    /// board.
    fn hashed(elements: &[Element], receiver: Color) -> Result<Vec<Self::Point>, Fault>;

    /// The tags of hashed elements under a secret exponent, in their order.
    fn tags(exponent: &Self::Scalar, hashed: &[Self::Point]) -> Vec<Encoded>;

    /// `a·Y` for each point.
    fn raise(exponent: &Self::Scalar, points: &[Self::Point]) -> Vec<Encoded>;

    /// Hashed elements hidden by secret summands, one for each.
    fn blind(hashed: &[Self::Point], blinds: &[Self::Scalar]) -> Blinded<Self>
    where
        Self: Sized;

    /// What makes products with a point fast that many scalars are multiplied with.
    fn multiples(point: &Self::Point) -> Self::Multiples;

    /// The tags in raised points: what `blinds` added is taken away, given the multiples of the exponent's point.
    fn unblind(announced: &Self::Multiples, raised: &[Self::Point], blinds: &[Self::Scalar]) -> Vec<Encoded>;
}
