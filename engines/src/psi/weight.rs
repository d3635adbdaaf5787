//! Public weights of the points of a set, drawn once everything that is weighted is fixed: two sets of points that differ have different
//! weighted sums, but with a probability of 2⁻¹²⁹.
//!
//! A weight has 36 digits, each one of twelve: `±1`, `±λ`, `±λ²`, and their doubles, where `λ` is the cube root of 1 by which Grumpkin's
//! endomorphism `(x, y) ↦ (βx, y)` multiplies. So a digit's multiple of a point is one of two table entries, turned and perhaps negated, and
//! none is zero. `ρ = Σ dⱼ·8^(35−j)` is an integer of `ℤ[λ]`. Digits differ by less than 8 in absolute value, so different digits make
//! different integers; these are below 2¹⁰⁸ and differ by less than 2^107.3, whose square is below the group's order `q`: and an integer
//! of `ℤ[λ]` that is 0 modulo a prime above `q` has a norm of `q` at least. So the 12³⁶ weights are different modulo `q`, and none of them is 0.

use ff::{Field, WithSmallOrderMulGroup};
use fog::{
    F,
    curve::{Point, Scalar, mul},
    word::WORD,
};
use group::Curve;
use halo2curves::grumpkin::G1;
use sha3::{
    Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};
use std::sync::LazyLock;

/// Digits of a weight.
pub const DIGITS: usize = 36;
/// What a digit may be: `0..12`.
pub const CHOICES: u8 = 12;
/// Doublings between two digits.
pub const DOUBLINGS: usize = 3;

/// `β`: by this the endomorphism multiplies x-coordinates.
pub const TURN: F = <F as WithSmallOrderMulGroup<3>>::ZETA;

/// `λ`: the cube root of 1 that goes with [`TURN`].
static LAMBDA: LazyLock<Scalar> = LazyLock::new(|| {
    let g = Point::generator();
    let [one, other] = [Scalar::ZETA, Scalar::ZETA.square()];
    if mul(&g, &one).x == g.x * TURN { one } else { other }
});

/// One digit of a weight, out of {±1, ±λ, ±λ²}·{1, 2}.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    pub is_double: bool,
    pub is_negative: bool,
    /// How often it is multiplied by λ: 0, 1 or 2.
    pub turns: u8,
}

impl Digit {
    /// Of a number below [`CHOICES`].
    pub fn new(code: u8) -> Self {
        Self { is_double: code & 1 != 0, is_negative: code & 2 != 0, turns: code >> 2 }
    }

    fn scalar(self) -> Scalar {
        let turn = (0..self.turns).fold(Scalar::ONE, |turn, _| turn * *LAMBDA);
        let magnitude = turn * Scalar::from(1 + u64::from(self.is_double));
        if self.is_negative { -magnitude } else { magnitude }
    }
}

/// A weight, by the numbers of its digits, the most significant first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight([u8; DIGITS]);

impl Weight {
    /// A weight of digits, each below [`CHOICES`]; none if one isn't.
    pub fn new(digits: [u8; DIGITS]) -> Option<Self> {
        digits.iter().all(|digit| *digit < CHOICES).then_some(Self(digits))
    }

    /// The digits, the most significant first.
    pub fn digits(&self) -> [Digit; DIGITS] {
        self.0.map(Digit::new)
    }

    /// The weight as a public input: its digits' numbers, four bits each, the most significant digit *lowest*, where a circuit takes it
    /// off first.
    pub fn code(&self) -> F {
        let sixteen = F::from(16);
        self.0.iter().rev().fold(F::zero(), |code, digit| code * sixteen + F::from(u64::from(*digit)))
    }

    /// The weight as a scalar, `ρ`.
    pub fn scalar(&self) -> Scalar {
        let base = Scalar::from(1 << DOUBLINGS);
        self.digits().iter().fold(Scalar::ZERO, |sum, digit| sum * base + digit.scalar())
    }
}

/// Uniform weights, from a word that must be a hash of all that is weighted.
pub fn weights(word: &[u8; WORD], count: usize) -> Vec<Weight> {
    let mut bytes = Shake256::default().chain(b"fogmate/psi/set/weights/1").chain(word).finalize_xof();
    let mut halves = std::iter::repeat_with(|| {
        let mut byte = [0];
        bytes.read(&mut byte);
        [byte[0] & 15, byte[0] >> 4]
    })
    .flatten()
    .filter(|half| *half < CHOICES);
    let mut weight = || Weight(std::array::from_fn(|_| halves.next().unwrap_or_default()));
    (0..count).map(|_| weight()).collect()
}

/// The sum `Σ ρᵢ·Pᵢ` of points with their weights.
pub fn weighted_sum(points: &[Point], weights: &[Weight]) -> Point {
    let mut sum = G1::default();
    for digit in 0..DIGITS {
        for _ in 0..DOUBLINGS {
            sum = sum + sum;
        }
        for (point, weight) in points.iter().zip(weights) {
            sum += multiple(point, Digit::new(weight.0[digit]));
        }
    }
    sum.to_affine()
}

/// A digit's multiple of a point, but for the doubling.
fn multiple(point: &Point, digit: Digit) -> G1 {
    let turn = (0..digit.turns).fold(F::one(), |turn, _| turn * TURN);
    let y = if digit.is_negative { -point.y } else { point.y };
    let turned: G1 = Point { x: point.x * turn, y }.into();
    if digit.is_double { turned + turned } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::curve::random_scalar;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn digits_are_multiples() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let point = mul(&Point::generator(), &random_scalar(&mut rng));
        for code in 0..CHOICES {
            let digit = Digit::new(code);
            assert_eq!(multiple(&point, digit).to_affine(), mul(&point, &digit.scalar()));
        }
        assert_eq!(*LAMBDA * *LAMBDA + *LAMBDA + Scalar::ONE, Scalar::ZERO);
    }

    #[test]
    fn sums_are_those_of_the_scalars() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let points: Vec<Point> = (0..5).map(|_| mul(&Point::generator(), &random_scalar(&mut rng))).collect();
        let weights = weights(&rng.r#gen(), points.len());
        let sum = points.iter().zip(&weights).fold(G1::default(), |sum, (point, weight)| sum + point * weight.scalar());
        assert_eq!(weighted_sum(&points, &weights), sum.to_affine());
    }

    /// The code holds each digit, the most significant lowest.
    #[test]
    fn codes_are_the_digits() {
        let mut digits = [0; DIGITS];
        (digits[0], digits[1], digits[35]) = (11, 3, 7);
        let weight = Weight::new(digits).expect("digits");
        let top = (0..35).fold(F::from(7), |code, _| code * F::from(16));
        assert_eq!(weight.code(), F::from(11 + 3 * 16) + top);
        digits[4] = CHOICES;
        assert_eq!(Weight::new(digits), None);
    }

    #[test]
    fn weights_follow_from_the_word_and_use_all_digits() {
        let [one, other] = [1, 2].map(|byte| weights(&[byte; WORD], 400));
        assert_eq!(one, weights(&[1; WORD], 400));
        assert!(one.iter().zip(&other).all(|(one, other)| one != other));
        let mut counts = [0; CHOICES as usize];
        one.iter().flat_map(|weight| weight.0).for_each(|digit| counts[usize::from(digit)] += 1);
        assert!(counts.iter().all(|count| (1050..1350).contains(count)), "{counts:?}");
    }
}
