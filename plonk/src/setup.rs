//! Parameters from a secret that whoever calls knows: for tests, and for chains that are played on for nothing.

use halo2_proofs::{arithmetic::parallelize, poly::kzg::commitment::ParamsKZG};
use halo2curves::{
    bn256::{Bn256, Fr, G1, G1Affine, G2Affine},
    ff::{Field, PrimeField},
    group::{Curve, Group},
};
use rand::{RngCore, rngs::OsRng};

/// Multiples of a window's base that are not zero.
const DIGITS: usize = 255;

/// What the library's `ParamsKZG::setup` makes of the same randomness (a test compares), but from a table of the generator's multiples, which is some
/// fifteen times faster. Whoever knows the randomness can prove anything.
pub fn setup(k: u32, rng: impl RngCore) -> ParamsKZG<Bn256> {
    let tau = Fr::random(rng);
    let powers = std::iter::successors(Some(Fr::ONE), |power| Some(power * tau));
    let table = table();
    let g1 = multiples(&table, &powers.take(1 << k).collect::<Vec<_>>());
    let lagrange = multiples(&table, &lagrange_values(k, tau));
    let tau_g2 = (G2Affine::generator() * tau).to_affine();
    // The library's constructor is a method, though it doesn't look at what it is called on.
    ParamsKZG::<Bn256>::setup(0, OsRng).from_parts(k, g1, Some(lagrange), G2Affine::generator(), tau_g2)
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
    use rand::{SeedableRng, rngs::StdRng};

    #[test]
    fn it_is_the_library_s() {
        for k in [1, 5] {
            let rng = || StdRng::seed_from_u64(1);
            let [ours, theirs] = [setup(k, rng()), ParamsKZG::setup(k, rng())].map(|params| {
                let mut bytes = Vec::new();
                let written = params.write_custom(&mut bytes, SerdeFormat::RawBytes);
                written.map(|()| bytes).unwrap()
            });
            assert_eq!(ours, theirs, "k = {k}");
        }
    }
}
