//! Grumpkin: the group of the form whose sets are proven. Its coordinates are `F`, the circuits' field, and its order is prime. A tag is `a·H(x)`;
//! what is asked, `Y = H(x) + r·G`.
//!
//! Encodings: `x` as a big-endian word, with the highest bit set if `y` is odd. `F` leaves the two highest bits of a word free.

use super::{Blinded, Encoded, Group};
use crate::psi::catalogue::{Catalogue, Extent, SetKind};
use crate::psi::element::Element;
use fog::{
    F,
    curve::{Point, Scalar, mul, normalize},
    engine::Fault,
    exponent::{EXPONENT_BITS, Exponent},
    multiply::{Multiples, multiply, multiply_generator},
    word::{from_word, to_word},
};
use group::{Curve, prime::PrimeCurveAffine};
use halo2curves::{
    CurveAffine,
    ff::{Field, FromUniformBytes, PrimeField},
    grumpkin::G1,
    msm::msm_best,
};
use rayon::prelude::*;
use rules::Color;
use std::{collections::HashMap, sync::LazyLock};
use zeroize::Zeroizing;

/// The bit of an encoding's first byte that says that `y` is odd.
const ODD: u8 = 0x80;
/// What stands for the identity, which no message may hold: not below the field's modulus.
const NO_POINT: Encoded = [0xff; 32];

/// `H(x)` as [`crate::psi::catalogue`] says, of all elements of a White receiver and all dummies.
static HASHED: LazyLock<HashMap<Element, Point>> = LazyLock::new(|| {
    let catalogues = SetKind::ALL.map(|kind| Catalogue::get(kind, Extent::Full));
    let entries = catalogues.into_iter().flat_map(|catalogue| {
        let elements = (1..=catalogue.last()).filter_map(|number| catalogue.element(number, Color::White));
        elements.zip(catalogue.points().iter().copied())
    });
    entries.collect()
});

/// A sender's exponent, in the form that circuits raise points to, from 64 uniform bytes.
pub fn exponent(uniform: &[u8; 64]) -> Exponent {
    let mut digits = Zeroizing::new([0; EXPONENT_BITS / 8]);
    digits.copy_from_slice(&uniform[..EXPONENT_BITS / 8]);
    Exponent::new(*digits)
}

pub struct Grumpkin;

fn encode_all(points: &[Point]) -> Vec<Encoded> {
    points.iter().map(Grumpkin::encode).collect()
}

impl Group for Grumpkin {
    type Scalar = Scalar;
    type Point = Point;
    type Multiples = Multiples;

    fn scalar(uniform: &[u8; 64]) -> Scalar {
        Scalar::from_uniform_bytes(uniform)
    }

    /// Of the form that circuits raise points to.
    fn exponent(uniform: &[u8; 64]) -> Scalar {
        exponent(uniform).scalar()
    }

    fn small(number: u128) -> Scalar {
        Scalar::from_u128(number)
    }

    fn scalar_bytes(scalar: &Scalar) -> [u8; 32] {
        scalar.to_repr()
    }

    fn read_scalar(bytes: &[u8; 32]) -> Option<Scalar> {
        Scalar::from_repr(*bytes).into()
    }

    fn generator() -> Point {
        Point::generator()
    }

    fn times_generator(scalar: &Scalar) -> Point {
        multiply_generator(scalar).to_affine()
    }

    fn times(scalar: &Scalar, point: &Point) -> Point {
        mul(point, scalar)
    }

    fn sum(scalars: &[Scalar], points: &[Point]) -> Point {
        msm_best(scalars, points).to_affine()
    }

    fn encode(point: &Point) -> Encoded {
        if bool::from(point.is_identity()) {
            return NO_POINT;
        }
        let mut encoded = to_word(&point.x);
        encoded[0] |= if bool::from(point.y.is_odd()) { ODD } else { 0 };
        encoded
    }

    fn decode(encoded: &[u8]) -> Option<Point> {
        let mut word: Encoded = encoded.try_into().ok()?;
        let is_odd = word[0] & ODD != 0;
        word[0] &= !ODD;
        let x: F = from_word(&word)?;
        let y: F = Option::from((x.square() * x + Point::b()).sqrt())?;
        let y = if bool::from(y.is_odd()) == is_odd { y } else { -y };
        Option::from(Point::from_xy(x, y))
    }

    fn hashed(elements: &[Element], receiver: Color) -> Result<Vec<Point>, Fault> {
        let of_white = |element: &Element| if receiver == Color::Black { element.mirrored() } else { *element };
        let point = |element: &Element| HASHED.get(&of_white(element)).copied();
        let points: Option<Vec<Point>> = elements.iter().map(point).collect();
        points.ok_or_else(|| Fault::internal("the own board holds what no board can"))
    }

    fn tags(exponent: &Scalar, hashed: &[Point]) -> Vec<Encoded> {
        Self::raise(exponent, hashed)
    }

    fn raise(exponent: &Scalar, points: &[Point]) -> Vec<Encoded> {
        let raised: Vec<G1> = points.par_iter().map(|point| multiply(point, exponent)).collect();
        encode_all(&normalize(&raised))
    }

    fn blind(hashed: &[Point], blinds: &[Scalar]) -> Blinded<Self> {
        let pairs = hashed.par_iter().zip(blinds);
        let hidden: Vec<G1> = pairs.map(|(point, blind)| multiply_generator(blind) + point).collect();
        let points = normalize(&hidden);
        let encoded = encode_all(&points);
        Blinded { points, encoded }
    }

    fn multiples(point: &Point) -> Multiples {
        Multiples::of(point)
    }

    fn unblind(announced: &Multiples, raised: &[Point], blinds: &[Scalar]) -> Vec<Encoded> {
        let pairs = raised.par_iter().zip(blinds);
        let unblinded: Vec<G1> = pairs.map(|(point, blind)| -announced.times(blind) + point).collect();
        encode_all(&normalize(&unblinded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many at once, with scalars at the edges, and with the identity among the points and among the sums.
    #[test]
    fn points_are_hidden_raised_and_found_as_the_library_does_it() {
        let edges = [0, 1, 2, 15, 16, 17].map(Scalar::from);
        let blinds = [edges, edges.map(|edge| -edge)].concat();
        let exponent = Scalar::from(3).pow([200]);
        let times = |point: Point, scalar: Scalar| (point * scalar).to_affine();
        let multiple = |number: u64| times(Point::generator(), Scalar::from(number));
        let mut points: Vec<Point> = (1..=12).map(multiple).collect();
        (points[5], points[11]) = (Point::identity(), multiple(17));
        let hidden = points.iter().zip(&blinds).map(|(point, blind)| (Point::generator() * blind + point).to_affine());
        let hidden: Vec<Point> = hidden.collect();
        assert!(bool::from(hidden[11].is_identity()));
        assert_eq!(Grumpkin::blind(&points, &blinds).points, hidden);
        let raised: Vec<Point> = hidden.iter().map(|point| times(*point, exponent)).collect();
        assert_eq!(Grumpkin::raise(&exponent, &hidden), encode_all(&raised));
        let tags: Vec<Point> = points.iter().map(|point| times(*point, exponent)).collect();
        let announced = Multiples::of(&times(Point::generator(), exponent));
        assert_eq!(Grumpkin::unblind(&announced, &raised, &blinds), encode_all(&tags));
        assert_eq!(Grumpkin::tags(&exponent, &points), encode_all(&tags));
    }
}
