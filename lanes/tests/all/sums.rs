//! Sums of groups of points against the library's additions.

use crate::backends;
use halo2curves::bn256::{G1, G1Affine};
use halo2curves::group::{Curve, Group};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

fn expected(mut points: &[G1Affine], lengths: &[u32]) -> Vec<G1Affine> {
    let sum = |length: &u32| {
        let (group, rest) = points.split_at(*length as usize);
        points = rest;
        group.iter().fold(G1::identity(), |sum, point| sum + point).to_affine()
    };
    lengths.iter().map(sum).collect()
}

/// Points that the formula for different points can't add: a point twice, a point and its negative, sums that are the identity.
#[test]
fn exceptional_points_are_added_too() {
    for lanes in backends() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let points: Vec<G1Affine> = (0..4).map(|_| G1::random(&mut rng).to_affine()).collect();
        for _ in 0..500 {
            let choose = |rng: &mut ChaCha20Rng| match rng.gen_range(0..9) {
                8 => G1Affine::default(),
                i if i < 4 => points[i],
                i => -points[i - 4],
            };
            let lengths: Vec<u32> = (0..9).map(|_| rng.gen_range(0..12)).collect();
            let all: Vec<G1Affine> = (0..lengths.iter().sum()).map(|_| choose(&mut rng)).collect();
            assert_eq!(lanes.sum_groups(&all, lengths.clone()), expected(&all, &lengths), "{lanes}, {lengths:?}");
        }
    }
}

#[test]
fn large_and_small_groups_are_summed() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let points: Vec<G1Affine> = (0..2_000).map(|_| G1::random(&mut rng).to_affine()).collect();
    for lanes in backends() {
        for lengths in
            [&[2_000][..], &[1_999, 1], &[0, 0], &[], &[1, 1, 1], &[0, 1, 0], &[63, 64, 65, 66], &[2; 1_000], &[3; 31]]
        {
            let all = &points[..lengths.iter().sum::<u32>() as usize];
            assert_eq!(lanes.sum_groups(all, lengths.to_vec()), expected(all, lengths), "{lanes}, {lengths:?}");
        }
    }
}
