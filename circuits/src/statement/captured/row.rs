//! The numbers of one row, and what the relations are about in it: the same for expressions of the gates and for the prover's values.

use std::{
    ops::{Add, Mul, Sub},
    sync::LazyLock,
};

use engines::bfv::{
    captured::{CAPTURED_COLUMNS, ENCRYPTION_BITS, moduli},
    parameters::PLAINTEXT,
};
use ff::Field;
use halo2curves::bn256::Fr;
use num_bigint::{BigInt, Sign};

/// Bits of a limb.
pub const LIMB_BITS: u32 = 13;
/// Limbs of a plaintext below a small top digit, and limbs of a view's error.
pub const PLAIN_LIMBS: usize = 2;
/// Limbs of a product's noise below a small top digit.
pub const NOISE_LIMBS: usize = 9;

/// Columns of small digits, from −32 to 31.
#[derive(Clone, Copy)]
pub enum Small {
    Key,
    KeyError,
    Mask,
    ViewError,
    ViewTop,
    PlainTop,
    NoiseTop,
}

/// How many columns of small digits there are.
pub const SMALLS: usize = 7;
/// Columns of limbs: multiples of `Q` in the key and in the second part of the view, then plaintext and error of the view, plaintext and noise of the product.
pub const LIMBS: usize = 2 + 3 * PLAIN_LIMBS + NOISE_LIMBS;
/// The lowest limb of a product's plaintext, and the noise's: in the row after the last coefficient they hold what is seen.
pub const SEEN: usize = 2 + 2 * PLAIN_LIMBS;
pub const TIMES: usize = SEEN + PLAIN_LIMBS;
/// Relations between polynomials, each with the quotient by `Xᴺ + 1`.
pub const RELATIONS: usize = 4;
/// Polynomials whose values are multiplied: `s`, `r`, `a`, `B`, `c₁`.
pub const FACTORS: usize = 5;

/// An integer as a field element.
pub fn element(number: &BigInt) -> Fr {
    let digits = number.magnitude().iter_u64_digits();
    let base = Fr::from(1 << 32).square();
    let magnitude = digits.rev().fold(Fr::ZERO, |sum, digit| sum * base + Fr::from(digit));
    if number.sign() == Sign::Minus { -magnitude } else { magnitude }
}

/// The moduli `Q` and `Q'` as field elements.
static MODULI: LazyLock<[Fr; 2]> = LazyLock::new(|| moduli().map(|modulus| element(&modulus.into())));

/// The private numbers of a row. Multiples of `Q` and the view's error may be negative, so half the range is taken off their limbs.
pub struct Row<T> {
    pub key: T,
    pub mask: T,
    key_error: T,
    view_error: T,
    over_key: T,
    over_view: T,
    /// The view's plaintext and its error, times `t`.
    view: T,
    error: T,
    /// The product's plaintext and its noise, times `t`.
    pub plain: T,
    pub noise: T,
}

/// What a row is computed with.
pub trait Number:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<Fr, Output = Self>
{
}

impl<T: Clone + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Mul<Fr, Output = T>> Number for T {}

impl<T: Number> Row<T> {
    /// The numbers that the digits of a row make; `constant` makes one of a field element.
    pub fn new(small: [T; SMALLS], limbs: [T; LIMBS], constant: impl Fn(Fr) -> T) -> Self {
        let [key, key_error, mask, view_error, view_top, plain_top, noise_top] = small;
        let half = |bits: u32| constant(Fr::from(1 << (bits - 1)));
        // Limbs below one another, the first lowest, with a digit above them.
        let number = |limbs: &[T], top: T| {
            limbs.iter().rev().fold(top, |sum, limb| sum * Fr::from(1 << LIMB_BITS) + limb.clone())
        };
        let (overs, rest) = limbs.split_at(2);
        let (view, rest) = rest.split_at(PLAIN_LIMBS);
        let (error, rest) = rest.split_at(PLAIN_LIMBS);
        let (plain, noise) = rest.split_at(PLAIN_LIMBS);
        Self {
            key,
            mask,
            key_error,
            view_error,
            over_key: overs[0].clone() - half(LIMB_BITS),
            over_view: overs[1].clone() - half(LIMB_BITS),
            view: number(view, view_top),
            error: number(error, constant(Fr::zero())) - half(ENCRYPTION_BITS + 1),
            plain: number(plain, plain_top),
            noise: number(noise, noise_top),
        }
    }

    /// The linear parts of all relations less their quotients, mixed.
    pub fn relations(self, public: [T; CAPTURED_COLUMNS], quotients: [T; RELATIONS], vanishing: T, mix: &T) -> T {
        let [_, share, _, first, second, rest, ..] = public;
        let ([q, q_switched], t) = (*MODULI, Fr::from(PLAINTEXT));
        let linear = [
            share - self.key_error - self.over_key * q,
            second - self.view_error - self.over_view * q,
            first * t - self.view * q - self.error,
            rest * t - self.plain * q_switched - self.noise,
        ];
        let pairs = linear.into_iter().zip(quotients);
        let relations: Vec<T> = pairs.map(|(part, quotient)| part - quotient * vanishing.clone()).collect();
        mixed(relations, mix)
    }
}

/// The relations as one: the sum of their products with powers of a challenge.
pub fn mixed<T: Number>(relations: impl Into<Vec<T>>, mix: &T) -> T {
    let mut relations = relations.into();
    let last = relations.pop().expect("there are relations");
    relations.into_iter().rev().fold(last, |sum, relation| sum * mix.clone() + relation)
}
