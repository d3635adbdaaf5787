//! Development parameters: powers of a τ that everybody knows. For local chains and tests only.
//!
//! Parameters equal to those of the library's own `setup` with the same randomness (a test compares), but from a table of the
//! generator's multiples, which is some fifteen times faster: tests make them often.

use super::from_parts;
use crate::Sha256Hash;
use halo2_proofs::arithmetic::parallelize;
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2curves::bn256::{Bn256, Fr, G1, G1Affine, G2Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::{Curve, Group};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

/// The seed of the secret. It is public on purpose: nobody should mistake it for one.
const SEED: &[u8] = b"fogmate development parameters: everybody knows this secret";

/// Multiples of a window's base that are not zero.
const DIGITS: usize = 255;

/// The secret that everybody knows.
fn tau() -> Fr {
    Fr::random(ChaCha20Rng::from_seed(Sha256Hash::of(SEED).0))
}

pub(super) fn tau_g2() -> G2Affine {
    (G2Affine::generator() * tau()).to_affine()
}

/// The parameters for 2^k rows.
pub(super) fn parameters(k: u32) -> ParamsKZG<Bn256> {
    let tau = tau();
    let n = 1usize << k;
    let powers = std::iter::successors(Some(Fr::ONE), |power| Some(power * tau));
    let table = table();
    let g1 = multiples(&table, &powers.take(n).collect::<Vec<_>>());
    let lagrange = multiples(&table, &lagrange_values(k, tau));
    from_parts(k, g1, lagrange, G2Affine::generator(), tau_g2())
}

/// `Lᵢ(τ) = ωⁱ·(τⁿ − 1) / (n·(τ − ωⁱ))`.
fn lagrange_values(k: u32, tau: Fr) -> Vec<Fr> {
    let omega = (k..Fr::S).fold(Fr::ROOT_OF_UNITY, |root, _| root.square());
    let roots = std::iter::successors(Some(Fr::ONE), |root| Some(root * omega)).take(1 << k);
    let n_inverse = Fr::TWO_INV.pow_vartime([u64::from(k)]);
    let factor = (tau.pow_vartime([1u64 << k]) - Fr::ONE) * n_inverse;
    let value = |root: Fr| Some(factor * root * (tau - root).invert().into_option()?);
    let values = roots.map(|root| value(root).expect("τ is no root of unity"));
    values.collect()
}

/// For every byte of a scalar, the multiples of the generator that its values stand for.
fn table() -> Vec<[G1Affine; DIGITS]> {
    let mut base = G1::generator();
    let windows = 0..Fr::NUM_BITS.div_ceil(8);
    let window = |_| {
        let multiples = std::iter::successors(Some(base), |multiple| Some(multiple + base));
        let multiples: Vec<G1> = multiples.take(DIGITS + 1).collect();
        base = multiples[DIGITS];
        let mut affine = [G1Affine::default(); DIGITS];
        G1::batch_normalize(&multiples[..DIGITS], &mut affine);
        affine
    };
    windows.map(window).collect()
}

fn multiples(table: &[[G1Affine; DIGITS]], scalars: &[Fr]) -> Vec<G1Affine> {
    let mut points = vec![G1::identity(); scalars.len()];
    parallelize(&mut points, |points, start| {
        for (point, scalar) in points.iter_mut().zip(&scalars[start..]) {
            for (window, &digit) in table.iter().zip(scalar.to_repr().iter()) {
                if digit != 0 {
                    *point += window[usize::from(digit) - 1];
                }
            }
        }
    });
    let mut affine = vec![G1Affine::default(); points.len()];
    G1::batch_normalize(&points, &mut affine);
    affine
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo2_proofs::SerdeFormat;

    #[test]
    fn they_are_those_of_the_librarys_setup() {
        for k in [1, 5] {
            let rng = ChaCha20Rng::from_seed(Sha256Hash::of(SEED).0);
            let [ours, theirs] = [parameters(k), ParamsKZG::setup(k, rng)].map(|params| {
                let mut bytes = Vec::new();
                let written = params.write_custom(&mut bytes, SerdeFormat::RawBytes);
                written.map(|()| bytes).unwrap()
            });
            assert_eq!(ours, theirs, "k = {k}");
        }
    }
}
