//! A request for sight (protocol section 5): for each square a point that hides which piece the receiver has there.
//!
//! `B_s = r_s·g + c_s·A_sender` for all 64 squares, `c_s` the own type on `s`: a 1-of-7 oblivious transfer choice a square.
//! `requestRoot` is the root over leaves `H(LEAF; B_s.x, B_s.y)`. On the wire: x₀, y₀, …, x₆₃, y₆₃, big-endian words.
//! A request is made once per own move, for the board after it; a capture does not call for a new one.

use crate::{
    F,
    commitment::type_number,
    curve::{CurveError, FogKey, POINT_BYTES, Point, Scalar, normalize, point_from_bytes, point_to_bytes},
    merkle::{Tree, point_leaf},
    multiply::multiply_generator,
};
use ff::Field;
use group::{Curve, prime::PrimeCurveAffine};
use rules::{Side, Square};

/// Bytes of a request on the wire.
pub const REQUEST_BYTES: usize = 64 * POINT_BYTES;
/// Coordinates of a request.
pub const COORDINATES: usize = 128;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The message has another length than 64 points.
    #[error("a request has {REQUEST_BYTES} bytes, not {0}")]
    Length(usize),
    /// A point is refused.
    #[error("the point of {square}: {source}")]
    Point { square: Square, source: CurveError },
    /// The point is a small multiple of the fog key: its requester can prove no turn with it.
    #[error("the request is malformed: the point of {0} is a small multiple of the fog key")]
    Multiple(Square),
    /// A secret scalar is zero, so the choice would stand in the open.
    #[error("the scalar of {0} is zero")]
    ZeroScalar(Square),
}

/// The 64 points of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The points `B_s` of all squares, a1 first.
    pub points: [Point; 64],
}

/// `r·g + c·A`: the point of one square.
pub fn blind(scalar: &Scalar, choice: u8, key: &FogKey) -> Point {
    (multiply_generator(scalar) + key.0 * Scalar::from(u64::from(choice))).to_affine()
}

impl Request {
    /// The request for the sight of `side`'s pieces, from the player whose fog key is `key`.
    pub fn make(side: &Side, scalars: &[Scalar; 64], key: &FogKey) -> Result<Self, RequestError> {
        let multiples = key.multiples();
        let mut points = Vec::with_capacity(64);
        for square in Square::all() {
            let scalar = &scalars[square.index()];
            ensure!(!bool::from(scalar.is_zero()), RequestError::ZeroScalar(square));
            let choice = usize::from(type_number(side, square));
            points.push(multiply_generator(scalar) + multiples[choice]);
        }
        let affine = normalize(&points);
        let request = Self { points: std::array::from_fn(|index| affine[index]) };
        // Infinity only by a scalar that is a multiple of the other's fog secret.
        request.check_points()?;
        Ok(request)
    }

    /// The tree over the points.
    pub fn tree(&self) -> Tree {
        Tree::new(&std::array::from_fn(|s| point_leaf(&self.points[s])))
    }

    /// The Merkle root of the request, `requestRoot` on chain.
    pub fn root(&self) -> F {
        self.tree().root()
    }

    /// x₀, y₀, …, x₆₃, y₆₃.
    pub fn coordinates(&self) -> Vec<F> {
        self.points.iter().flat_map(|point| [point.x, point.y]).collect()
    }

    /// Whether every point is on the curve and not at infinity.
    pub fn check_points(&self) -> Result<(), RequestError> {
        for (square, point) in Square::all().zip(&self.points) {
            crate::curve::point_from_xy(point.x, point.y).map_err(|source| RequestError::Point { square, source })?;
        }
        Ok(())
    }

    /// The request as bytes of the message.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.points.iter().flat_map(point_to_bytes).collect()
    }

    /// A request from a message: every point canonical, on the curve, not at infinity.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RequestError> {
        ensure!(bytes.len() == REQUEST_BYTES, RequestError::Length(bytes.len()));
        let mut points = [Point::identity(); 64];
        let (encoded, _) = bytes.as_chunks();
        for ((square, point), encoded) in Square::all().zip(&mut points).zip(encoded) {
            *point = point_from_bytes(encoded).map_err(|source| RequestError::Point { square, source })?;
        }
        Ok(Self { points })
    }
}
