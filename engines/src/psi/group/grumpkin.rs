//! Grumpkin: the group of the form whose sets are proven. Its coordinates are `F`, the circuits' field, and its order is prime. A tag is `a·H(x)`;
//! what is asked, `Y = H(x) + r·G`.
//!
//! Encodings: `x` as a big-endian word, with the highest bit set if `y` is odd. `F` leaves the two highest bits of a word free.

use super::{
    Blinded, Encoded, Group,
    products::{Multiples, each_times},
};
use crate::psi::catalogue::{Catalogue, Extent, SetKind};
use crate::psi::element::Element;
use fog::{
    F,
    curve::{Point, Scalar},
    engine::Fault,
    exponent::{EXPONENT_BITS, Exponent},
    word::{from_word, to_word},
};
use group::{Curve, prime::PrimeCurveAffine};
use halo2curves::{
    CurveAffine,
    ff::{Field, FromUniformBytes, PrimeField},
    msm::msm_best,
};
use rules::Color;
use std::{collections::HashMap, sync::LazyLock};
use zeroize::Zeroizing;

/// The bit of an encoding's first byte that says that `y` is odd.
const ODD: u8 = 0x80;
/// What stands for the identity, which no message may hold: not below the field's modulus.
const NO_POINT: Encoded = [0xff; 32];

static GENERATOR: LazyLock<Multiples> = LazyLock::new(|| Multiples::of(&Point::generator()));

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
        GENERATOR.times(scalar)
    }

    fn times(scalar: &Scalar, point: &Point) -> Point {
        each_times(&[*point], scalar).first().copied().unwrap_or_default()
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
        encode_all(&each_times(points, exponent))
    }

    fn blind(hashed: &[Point], blinds: &[Scalar]) -> Blinded<Self> {
        let points = GENERATOR.times_each(blinds, hashed);
        let encoded = encode_all(&points);
        Blinded { points, encoded }
    }

    fn multiples(point: &Point) -> Multiples {
        Multiples::of(point)
    }

    fn unblind(announced: &Multiples, raised: &[Point], blinds: &[Scalar]) -> Vec<Encoded> {
        let negated: Vec<Point> = raised.iter().map(|point| -point).collect();
        let mut unblinded = announced.times_each(blinds, &negated);
        unblinded.iter_mut().for_each(|point| *point = -*point);
        encode_all(&unblinded)
    }
}
