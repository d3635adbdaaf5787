//! Grumpkin as the sight exchange uses it: fog keys, their secrets, scalars (protocol sections 3 and 5).
//!
//! Grumpkin's coordinates are `F` and its order `q` is prime, so no point has a small order: the attack on systems that
//! exponentiate in `F*` (tests/smooth_order.rs) has nothing to work on. This is not a general elliptic-curve library.

use crate::{
    F,
    multiply::{multiply, multiply_generator},
    word::{WORD, from_word, to_word},
};
use ff::{Field, PrimeField};
use group::Curve;
use halo2curves::{CurveAffine, grumpkin};
use rand::{CryptoRng, RngCore};
use zeroize::{Zeroize, ZeroizeOnDrop};

pub use crate::point::{Point, Scalar, normalize};

/// Bits of a fog secret; the top one is set.
pub const FOG_SECRET_BITS: usize = 250;
/// Bytes of a point on the wire: two words.
pub const POINT_BYTES: usize = 2 * WORD;

/// Why a point or a secret is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CurveError {
    /// A coordinate is not below the field's modulus.
    #[error("a coordinate is not below the field's modulus")]
    CoordinateTooLarge,
    /// The point at infinity, which no message may contain.
    #[error("the point at infinity is not allowed")]
    Infinity,
    /// The coordinates don't satisfy the curve's equation.
    #[error("the point is not on the curve")]
    OffCurve,
    /// A fog secret that is not a number of exactly 250 bits.
    #[error("a fog secret has exactly 250 bits")]
    SecretShape,
}

/// A point from its coordinates, on the curve and not at infinity.
pub fn point_from_xy(x: F, y: F) -> Result<Point, CurveError> {
    ensure!(!bool::from(x.is_zero() & y.is_zero()), CurveError::Infinity);
    Option::from(Point::from_xy(x, y)).ok_or(CurveError::OffCurve)
}

/// The point with an x-coordinate and an even y-coordinate; none if there is none with this x.
pub fn lift(x: F) -> Option<Point> {
    let y: Option<F> = (x.square() * x - F::from(17)).sqrt().into();
    let y = y?;
    let even = if bool::from(y.is_odd()) { -y } else { y };
    point_from_xy(x, even).ok()
}

/// A point from two big-endian words.
pub fn point_from_bytes(bytes: &[u8; POINT_BYTES]) -> Result<Point, CurveError> {
    let (words, _) = bytes.as_chunks();
    let coordinate = |half: usize| from_word(&words[half]).ok_or(CurveError::CoordinateTooLarge);
    point_from_xy(coordinate(0)?, coordinate(1)?)
}

/// The two big-endian words of a point.
pub fn point_to_bytes(point: &Point) -> [u8; POINT_BYTES] {
    let mut bytes = [0; POINT_BYTES];
    bytes[..WORD].copy_from_slice(&to_word(&point.x));
    bytes[WORD..].copy_from_slice(&to_word(&point.y));
    bytes
}

/// A uniform non-zero scalar.
pub fn random_scalar<R: RngCore + CryptoRng>(rng: &mut R) -> Scalar {
    loop {
        let scalar = Scalar::random(&mut *rng);
        if !bool::from(scalar.is_zero()) {
            return scalar;
        }
    }
}

/// `k · P` in affine form.
pub fn mul(point: &Point, k: &Scalar) -> Point {
    multiply(point, k).to_affine()
}

/// A player's secret for a game, `a`: 250 bits with the top bit set, so that double-and-add meets no exceptional case.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct FogSecret {
    bytes: [u8; WORD],
}

crate::redacted!(FogSecret);

impl FogSecret {
    /// Draws a secret from a source that must be fit for keys.
    pub fn random<R: RngCore + CryptoRng>(rng: &mut R) -> Self {
        let mut bytes = [0; WORD];
        rng.fill_bytes(&mut bytes);
        Self::from_uniform(bytes)
    }

    /// The secret that keeps the low 249 of 256 uniform bits and sets the top one: for key derivation.
    pub fn from_uniform(mut bytes: [u8; WORD]) -> Self {
        let top = FOG_SECRET_BITS - 1;
        bytes[top / 8] &= (1 << (top % 8)) - 1;
        bytes[top / 8] |= 1 << (top % 8);
        Self { bytes }
    }

    /// The secret of a big-endian word, if it has the right shape.
    pub fn from_word(word: &[u8; WORD]) -> Result<Self, CurveError> {
        let mut bytes = *word;
        bytes.reverse();
        let secret = Self::from_uniform(bytes);
        if secret.bytes == bytes { Ok(secret) } else { Err(CurveError::SecretShape) }
    }

    /// `a` as a scalar; it is below both moduli.
    pub fn scalar(&self) -> Scalar {
        Option::from(Scalar::from_repr(self.bytes)).expect("250 bits are below the group's order")
    }

    /// `a` as an element of `F`: the key of the PEND hash.
    pub fn field(&self) -> F {
        Option::from(F::from_repr(self.bytes)).expect("250 bits are below the field's modulus")
    }

    /// The public key `A = a·g` of this secret `a`.
    pub fn key(&self) -> FogKey {
        FogKey(multiply_generator(&self.scalar()).to_affine())
    }
}

/// A player's fog key for a game, `A = a·g`: a point of the curve, never infinity when made by [`FogKey::from_xy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FogKey(pub Point);

impl FogKey {
    /// A key from coordinates, on the curve and not at infinity.
    pub fn from_xy(x: F, y: F) -> Result<Self, CurveError> {
        point_from_xy(x, y).map(Self)
    }

    /// A key from two big-endian words.
    pub fn from_bytes(bytes: &[u8; POINT_BYTES]) -> Result<Self, CurveError> {
        point_from_bytes(bytes).map(Self)
    }

    /// The two big-endian words of the key.
    pub fn to_bytes(&self) -> [u8; POINT_BYTES] {
        point_to_bytes(&self.0)
    }

    /// The affine coordinates `x` and `y`.
    pub fn xy(&self) -> (F, F) {
        (self.0.x, self.0.y)
    }

    /// `j·A` for `j` in `0..7`; number 0 is the point at infinity.
    pub fn multiples(&self) -> [grumpkin::G1; 7] {
        let mut sum = grumpkin::G1::default();
        std::array::from_fn(|_| {
            let this = sum;
            sum += self.0;
            this
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn secrets_have_250_bits() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for _ in 0..100 {
            let secret = FogSecret::random(&mut rng);
            let word = to_word(&secret.field());
            assert_eq!(word[0] >> 1, 1);
            assert_eq!(FogSecret::from_word(&word), Ok(secret.clone()));
            assert_eq!(to_word(&secret.scalar()), word);
        }
        assert_eq!(FogSecret::from_word(&[0; WORD]), Err(CurveError::SecretShape));
        assert_eq!(FogSecret::from_word(&[4; WORD]), Err(CurveError::SecretShape));
        assert_eq!(format!("{:?}", FogSecret::from_uniform([9; WORD])), "FogSecret(…)");
    }

    #[test]
    fn points_are_checked() {
        let g = Point::generator();
        assert_eq!(g.x, F::ONE);
        assert_eq!(g.y.square(), F::ONE - F::from(17));
        assert_eq!(FogKey::from_xy(F::ZERO, F::ZERO), Err(CurveError::Infinity));
        assert_eq!(FogKey::from_xy(F::ONE, F::ONE), Err(CurveError::OffCurve));
        assert_eq!(FogKey::from_bytes(&[0xff; 64]), Err(CurveError::CoordinateTooLarge));
        assert_eq!(FogKey::from_bytes(&FogKey(g).to_bytes()), Ok(FogKey(g)));
    }

    #[test]
    fn multiples_are_multiples() {
        let key = FogSecret::from_uniform([7; WORD]).key();
        for (j, multiple) in key.multiples().iter().enumerate() {
            assert_eq!(multiple.to_affine(), mul(&key.0, &Scalar::from(j as u64)));
        }
    }

    #[test]
    fn about_half_of_all_numbers_have_a_point() {
        let count = (0..1000).filter(|x| lift(F::from(*x)).is_some()).count();
        assert!((400..600).contains(&count), "{count}");
    }
}
