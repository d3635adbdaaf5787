//! Transforms against sums of powers.

use crate::backends;
use halo2curves::bn256::Fr;
use halo2curves::ff::{Field, PrimeField};
use lanes::{SMALLEST, Transform};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

/// The largest transform, as a power of two. Miri takes a minute for the smallest.
const MOST: u32 = if cfg!(miri) { SMALLEST.ilog2() } else { 11 };

fn powers(x: Fr, count: usize) -> impl Iterator<Item = Fr> {
    std::iter::successors(Some(Fr::ONE), move |power| Some(x * power)).take(count)
}

#[test]
fn transforms_are_sums_of_powers() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    for k in SMALLEST.ilog2()..=MOST {
        let n = 1usize << k;
        let omega = (k..Fr::S).fold(Fr::ROOT_OF_UNITY, |root, _| root.square());
        let root = |level: u32| omega.pow_vartime([1 << (k - level)]);
        let twiddles: Vec<Fr> = (1..=k).flat_map(|level| powers(root(level), 1 << (level - 1))).collect();
        let [elements, factors] = [(); 2].map(|()| (0..n).map(|_| Fr::random(&mut rng)).collect::<Vec<_>>());
        let scale = Fr::random(&mut rng);
        let (factors, scale) = (Some(&factors[..]), Some(&scale));
        let all = [(factors, scale), (factors, None), (None, scale), (None, None)];
        for (factors, scale) in all.into_iter().take(if cfg!(miri) { 1 } else { 4 }) {
            let transform = Transform { elements: &elements, factors, scale, twiddles: &twiddles };
            for lanes in backends() {
                let mut values = vec![Fr::ZERO; n];
                lanes.transform(&transform, &mut values);
                let places = [1, n - 1, 0, 2, 7, 8, 9, n / 2, n / 2 + 1, n - 2];
                for j in places.into_iter().take(if cfg!(miri) { 2 } else { 10 }) {
                    let x = omega.pow_vartime([j as u64]);
                    let terms = elements.iter().enumerate().map(|(i, a)| factors.map_or(*a, |factors| *a * factors[i]));
                    let value = terms.rev().fold(Fr::ZERO, |sum, a| sum * x + a) * scale.copied().unwrap_or(Fr::ONE);
                    assert_eq!(values[j], value, "{lanes}, k = {k}, j = {j}");
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "no smaller one")]
fn too_few_elements_are_refused() {
    let elements = [Fr::ONE; SMALLEST / 2];
    let transform = Transform { elements: &elements, factors: None, scale: None, twiddles: &elements[1..] };
    lanes::Lanes::portable().transform(&transform, &mut elements.clone());
}

#[test]
#[should_panic(expected = "the transform's length")]
fn too_few_places_for_the_values_are_refused() {
    let elements = [Fr::ONE; SMALLEST];
    let transform = Transform { elements: &elements, factors: None, scale: None, twiddles: &elements[1..] };
    lanes::Lanes::portable().transform(&transform, &mut [Fr::ZERO; SMALLEST - 1]);
}
