//! Points of Grumpkin and their scalars.

use group::{Curve, prime::PrimeCurveAffine};
use halo2curves::grumpkin;

/// A scalar: an element of the field of the group order `q`.
pub type Scalar = grumpkin::Fr;
/// An affine point; `(0, 0)` stands for the point at infinity.
pub type Point = grumpkin::G1Affine;

/// Projective points in affine form, with a single inversion.
pub fn normalize(points: &[grumpkin::G1]) -> Vec<Point> {
    let mut affine = vec![Point::identity(); points.len()];
    grumpkin::G1::batch_normalize(points, &mut affine);
    affine
}
