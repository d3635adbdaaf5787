//! The Lagrange basis of powers of τ: an inverse Fourier transform over points of G1. The library's own takes a minute at
//! k = 15; this one multiplies by windowed scalars, in parallel, and skips the multiplications by one.

use crate::progress::{Progress, Stage};
use halo2_proofs::arithmetic::parallelize;
use halo2curves::bn256::{Fr, G1, G1Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::{Curve, WnafBase, WnafScalar};

/// Bits of a window: 8 points are tabulated for each multiplication.
const WINDOW: usize = 4;

/// `Lᵢ(τ)·g` for the 2^k-th roots of unity, from `τⁱ·g`.
pub(super) fn lagrange_basis(powers: &[G1Affine], progress: &dyn Progress, subject: &str) -> Vec<G1Affine> {
    let n = powers.len();
    let k = n.trailing_zeros();
    assert!(n.is_power_of_two() && k <= Fr::S, "the number of powers is a power of two");
    let mut points: Vec<G1> = bit_reversed(powers, k);
    let twiddles = twiddles(k);
    for level in 0..k {
        progress.at(subject, Stage::LagrangeBasis, level as f32 / (k + 1) as f32);
        butterflies(&mut points, 1 << level, &twiddles);
    }
    progress.at(subject, Stage::LagrangeBasis, k as f32 / (k + 1) as f32);
    let n_inverse = WnafScalar::<Fr, WINDOW>::new(&Fr::TWO_INV.pow_vartime([u64::from(k)]));
    parallelize(&mut points, |points, _| {
        for point in points {
            *point = &WnafBase::new(*point) * &n_inverse;
        }
    });
    let mut basis = vec![G1Affine::default(); n];
    G1::batch_normalize(&points, &mut basis);
    progress.at(subject, Stage::LagrangeBasis, 1.0);
    basis
}

/// ω⁻ⁱ for i below n / 2.
fn twiddles(k: u32) -> Vec<Fr> {
    let omega_inverse = (k..Fr::S).fold(Fr::ROOT_OF_UNITY_INV, |root, _| root.square());
    std::iter::successors(Some(Fr::ONE), |power| Some(power * omega_inverse)).take((1 << k) / 2).collect()
}

fn bit_reversed(powers: &[G1Affine], k: u32) -> Vec<G1> {
    let reverse = |index: usize| {
        if k == 0 { 0 } else { index.reverse_bits() >> (usize::BITS - k) }
    };
    (0..powers.len()).map(|index| powers[reverse(index)].into()).collect()
}

/// One level of the transform: in every block of `2·half` points, (a, b) becomes (a + ω⁻ʲ·b, a − ω⁻ʲ·b).
fn butterflies(points: &mut [G1], half: usize, twiddles: &[Fr]) {
    let stride = twiddles.len() / half;
    let position = |pair: usize| (pair / half) * 2 * half + pair % half;
    let mut turned: Vec<G1> = (0..points.len() / 2).map(|pair| points[position(pair) + half]).collect();
    parallelize(&mut turned, |turned, start| {
        for (offset, point) in turned.iter_mut().enumerate() {
            let twiddle = (start + offset) % half;
            if twiddle != 0 {
                *point = &WnafBase::new(*point) * &WnafScalar::<Fr, WINDOW>::new(&twiddles[twiddle * stride]);
            }
        }
    });
    for (pair, turned) in turned.into_iter().enumerate() {
        let left = position(pair);
        let kept = points[left];
        points[left] = kept + turned;
        points[left + half] = kept - turned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoProgress;
    use halo2_proofs::arithmetic::g_to_lagrange;
    use halo2_proofs::poly::commitment::ParamsProver;
    use halo2_proofs::poly::kzg::commitment::ParamsKZG;
    use halo2curves::bn256::Bn256;
    use rand::SeedableRng;

    #[test]
    fn it_agrees_with_the_librarys_slow_one() {
        for k in 0..=6 {
            let rng = rand_chacha::ChaCha20Rng::seed_from_u64(u64::from(k));
            let params = ParamsKZG::<Bn256>::setup(k, rng);
            let powers = params.get_g();
            let slow: Vec<G1Affine> = g_to_lagrange(powers.iter().map(G1::from).collect(), k);
            assert_eq!(lagrange_basis(powers, &NoProgress, ""), slow, "k = {k}");
        }
    }
}
