//! Sums of groups of points against the library's additions.

use crate::backends;
use halo2curves::bn256::{G1, G1Affine};
use halo2curves::group::{Curve, Group};
use lanes::{Entry, Groups, Lanes};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;

/// How many sums of drawn exceptions there are.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 500 };

fn expected(table: &[Entry], mut chosen: &[u32], lengths: &[u32]) -> Vec<Entry> {
    let sum = |length: &u32| {
        let (group, rest) = chosen.split_at(*length as usize);
        chosen = rest;
        let point = |number: &u32| {
            let Entry(point) = table[*number as usize / 2];
            if number % 2 == 1 { -point } else { point }
        };
        Entry(group.iter().map(point).fold(G1::identity(), |sum, point| sum + point).to_affine())
    };
    lengths.iter().map(sum).collect()
}

fn check(lanes: Lanes, table: &[Entry], chosen: &[u32], lengths: &[u32]) {
    let groups = || Groups { table, chosen, lengths: lengths.to_vec() };
    // The second piece is summed up in the memory of the first.
    let sums = lanes.sum_groups([groups(), groups()].into_par_iter());
    let expected = expected(table, chosen, lengths);
    assert_eq!(sums, [expected.clone(), expected], "{lanes}, {lengths:?}");
}

/// Points that the formula for different points can't add: a point twice, a point and its negative, sums that are the identity.
#[test]
fn exceptional_points_are_added_too() {
    for lanes in backends() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let points = (0..4).map(|_| G1::random(&mut rng).to_affine());
        let table: Vec<Entry> = points.chain([G1Affine::default()]).map(Entry).collect();
        for _ in 0..ROUNDS {
            let lengths: Vec<u32> = (0..9).map(|_| rng.gen_range(0..12)).collect();
            let chosen: Vec<u32> =
                (0..lengths.iter().sum()).map(|_| rng.gen_range(0..2 * table.len() as u32)).collect();
            check(lanes, &table, &chosen, &lengths);
        }
    }
}

#[test]
fn large_and_small_groups_are_summed() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let table: Vec<Entry> = (0..100).map(|_| Entry(G1::random(&mut rng).to_affine())).collect();
    let chosen: Vec<u32> = (0..2_000).map(|_| rng.gen_range(0..2 * table.len() as u32)).collect();
    for lanes in backends() {
        for lengths in
            [&[2_000][..], &[1_999, 1], &[0, 0], &[], &[1, 1, 1], &[0, 1, 0], &[63, 64, 65, 66], &[2; 1_000], &[3; 31]]
        {
            check(lanes, &table, &chosen[..lengths.iter().sum::<u32>() as usize], lengths);
        }
    }
}

#[test]
#[should_panic(expected = "out of bounds")]
fn a_point_that_the_table_lacks_is_refused() {
    let table = [Entry(G1Affine::generator()); 3];
    let groups = Groups { table: &table, chosen: &[0, 6], lengths: vec![2] };
    Lanes::portable().sum_groups(rayon::iter::once(groups));
}
