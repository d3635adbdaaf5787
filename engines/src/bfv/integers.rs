//! Coefficients as integers, and what *small* is: what the statements about polynomials are made of.

use super::parameters::{DEGREE, DROPPED, MODULI, PLAINTEXT, Parameters};
use fhe::bfv::{Encoding, Plaintext};
use fhe_math::rq::{Context, Poly, Representation, traits::TryConvertFrom};
use fhe_traits::FheEncoder;
use fog::F;
use num_bigint::{BigInt, BigUint};
use std::sync::Arc;
use zeroize::Zeroizing;

/// Keys, masks and errors are below this, or minus this at least.
pub const SMALL: i64 = 32;
/// Errors of an encryption, times the plaintext modulus, are below this power of two.
pub const ENCRYPTION_BITS: u32 = 25;

/// What only one player knows of *captured* and *key share*: coefficients, lowest power first.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyAndMask {
    /// Its share of the key, `s`.
    pub key: Zeroizing<Vec<i64>>,
    /// The polynomial `r` that masks its view, or `u`, which masks its shares of the relinearisation key.
    pub mask: Zeroizing<Vec<i64>>,
}

fog::redacted!(KeyAndMask);

/// `Q`, and the `Q'` of products.
pub fn moduli() -> [BigUint; 2] {
    let product = |primes: &[u64]| primes.iter().map(|prime| BigUint::from(*prime)).product();
    [product(&MODULI), product(&MODULI[..MODULI.len() - DROPPED])]
}

/// Whether a private vector has all its coefficients, each small.
pub fn are_small(vector: &[i64]) -> bool {
    vector.len() == DEGREE && vector.iter().all(|value| (-SMALL..SMALL).contains(value))
}

/// From minus a power of two up to it, itself excluded.
pub fn is_below(value: &BigInt, bits: u32) -> bool {
    let bound = BigInt::from(1) << bits;
    *value >= -&bound && *value < bound
}

/// Whether all coefficients of a polynomial are small.
pub fn is_small(poly: &Poly) -> bool {
    centered(poly).iter().all(|value| is_below(value, SMALL.ilog2()))
}

/// A private vector as a polynomial, transformed for products; none if the library refuses it.
pub fn secret(vector: &[i64], context: &Arc<Context>) -> Option<Zeroizing<Poly>> {
    let poly = Poly::try_convert_from(vector, context, false, Representation::PowerBasis);
    let mut poly = Zeroizing::new(poly.ok()?);
    poly.change_representation(Representation::Ntt);
    Some(poly)
}

/// A public polynomial for products with a secret: ciphertexts are marked as public by the library, and with one factor marked so it would not guard the other's time.
pub fn guarded(poly: &Poly) -> Poly {
    let mut poly = poly.clone();
    poly.disallow_variable_time_computations();
    poly
}

/// Coefficients from 0 to the modulus.
pub fn lifted(poly: &Poly) -> Vec<BigUint> {
    let mut poly = poly.clone();
    poly.change_representation(Representation::PowerBasis);
    Vec::<BigUint>::from(&poly)
}

/// Coefficients as near to 0 as can be.
pub fn centered(poly: &Poly) -> Vec<BigInt> {
    let modulus = BigInt::from(poly.ctx().modulus().clone());
    let center = |value: BigUint| {
        let value = BigInt::from(value);
        if &value + &value > modulus { value - &modulus } else { value }
    };
    lifted(poly).into_iter().map(center).collect()
}

/// A column of public inputs: coefficients from 0 to the modulus, lowest power first.
pub fn column(poly: &Poly) -> Vec<F> {
    let base = F::from(1 << 32).square();
    let element = |number: &BigUint| {
        let digits: Vec<u64> = number.iter_u64_digits().collect();
        digits.into_iter().rev().fold(F::zero(), |sum, digit| sum * base + F::from(digit))
    };
    lifted(poly).iter().map(element).collect()
}

/// The plaintext that a polynomial stands for, with what is over, times the plaintext modulus.
pub fn opened(poly: &Poly) -> (Vec<u64>, Vec<BigInt>) {
    let modulus = poly.ctx().modulus();
    let opened = lifted(poly).into_iter().map(|value| {
        let scaled = value * PLAINTEXT;
        let rounded = (&scaled + (modulus >> 1_u32)) / modulus;
        let over = BigInt::from(scaled) - BigInt::from(&rounded * modulus);
        (u64::try_from(rounded % PLAINTEXT).unwrap_or_default(), over)
    });
    opened.unzip()
}

/// The coefficients of a vector of slots as a plaintext, lowest power first; none if the library fails.
pub fn coefficients(slots: &[u64]) -> Option<Vec<u64>> {
    let parameters = Parameters::get().ok()?;
    let plaintext = Plaintext::try_encode(slots, Encoding::simd_at_level(DROPPED), &parameters.scheme).ok()?;
    let poly = Poly::try_convert_from(&plaintext, parameters.switched(), false, Representation::PowerBasis).ok()?;
    let row = poly.coefficients().row(0).to_vec();
    Some(row)
}

/// By what coefficients of a plaintext are multiplied, so that their sum is that of its slots multiplied by `slots`, modulo the plaintext modulus. Both have [`DEGREE`] numbers.
///
/// Slots are a plaintext's values at roots `ω` of `Xᴺ + 1`, so the weight of `Xʲ` is the sum of the `ωʲ`. The library makes a vector's polynomial, whose coefficient at
/// `j` is the sum of `ω⁻ʲ/N`; and `ωʲ = −ω^(j−N)`.
pub fn weights_of(slots: &[u64]) -> Vec<u64> {
    let powers = coefficients(slots).unwrap_or_else(|| vec![0; DEGREE]);
    let degree = DEGREE as u64;
    let (first, rest) = powers.split_at(1);
    let rest = rest.iter().rev().map(|value| (PLAINTEXT - value) % PLAINTEXT);
    first.iter().copied().chain(rest).map(|value| value * degree % PLAINTEXT).collect()
}
