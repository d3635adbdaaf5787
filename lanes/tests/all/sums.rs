//! Sums of groups of points against the library's additions.

use crate::backends;
use halo2curves::bn256::{Fq, Fr, G1, G1Affine};
use halo2curves::ff::Field;
use halo2curves::group::{Curve, Group};
use halo2curves::serde::SerdeObject;
use lanes::{Entry, Groups, Lanes};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;

/// How many sums of drawn exceptions there are. Miri takes a second for a sum of two points.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 500 };
/// Groups with drawn exceptions, and points in the largest.
const GROUPS: [u32; 2] = if cfg!(miri) { [4, 6] } else { [9, 12] };
/// Points in a table without exceptions.
const TABLE: usize = if cfg!(miri) { 3 } else { 100 };
/// How many are chosen of them.
const CHOSEN: usize = if cfg!(miri) { 3 } else { 2_000 };

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
    let sums = lanes.sum_groups([groups(), groups()].into_par_iter().with_min_len(2));
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
            let lengths: Vec<u32> = (0..GROUPS[0]).map(|_| rng.gen_range(0..GROUPS[1])).collect();
            let chosen: Vec<u32> =
                (0..lengths.iter().sum()).map(|_| rng.gen_range(0..2 * table.len() as u32)).collect();
            check(lanes, &table, &chosen, &lengths);
        }
    }
}

#[test]
fn large_and_small_groups_are_summed() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let table: Vec<Entry> = (0..TABLE).map(|_| Entry(G1::random(&mut rng).to_affine())).collect();
    let chosen: Vec<u32> = (0..CHOSEN).map(|_| rng.gen_range(0..2 * table.len() as u32)).collect();
    let all = CHOSEN as u32;
    for lanes in backends() {
        for lengths in [&[][..], &[0, 0], &[0, all - 1, 0, 1]] {
            check(lanes, &table, &chosen[..lengths.iter().sum::<u32>() as usize], lengths);
        }
        if !cfg!(miri) {
            for lengths in
                [&[all][..], &[all - 1, 1], &[1; 3], &[1, 2, 3, 4], &[3; 3], &[63, 64, 65, 66], &[2; 1_000], &[3; 31]]
            {
                check(lanes, &table, &chosen[..lengths.iter().sum::<u32>() as usize], lengths);
            }
        }
    }
}

/// Doublings alone, in rounds that aren't full.
#[test]
fn equal_points_are_doubled() {
    let point = G1Affine::generator();
    let most = if cfg!(miri) { 5 } else { 10_003 };
    for length in [1, 2, 3, 5, 31, 64, 1_000, most].into_iter().filter(|length| *length <= most) {
        let expected = Entry((G1::from(point) * Fr::from(u64::from(length))).to_affine());
        for lanes in backends() {
            let groups = Groups { table: &[Entry(point)], chosen: &vec![0; length as usize], lengths: vec![length] };
            assert_eq!(lanes.sum_groups(rayon::iter::once(groups)), [[expected]], "{lanes}, {length}");
        }
    }
}

/// Points whose x begin with the same limb: the difference looks like zero, and is none.
#[test]
fn what_looks_exceptional_and_is_not_is_added() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut table = vec![Entry(G1Affine::default()), Entry(G1Affine::generator())];
    for limb in [0, 1, 0xf_ffff_ffff_ffff_u64] {
        let all = table.len() + if cfg!(miri) { 2 } else { 8 };
        while table.len() < all {
            // Below the prime in the highest word.
            let words =
                [limb | rng.gen_range(0..1 << 12) << 52, rng.r#gen(), rng.r#gen(), rng.gen_range(0..0x3064 << 48)];
            let x = Fq::from_raw_bytes_unchecked(&words.map(u64::to_le_bytes).concat());
            table.extend(Option::from((x.square() * x + Fq::from(3)).sqrt()).map(|y| Entry(G1Affine { x, y })));
        }
    }
    for _ in 0..ROUNDS {
        let lengths: Vec<u32> = (0..GROUPS[0]).map(|_| rng.gen_range(0..GROUPS[1])).collect();
        let chosen: Vec<u32> = (0..lengths.iter().sum()).map(|_| rng.gen_range(0..2 * table.len() as u32)).collect();
        backends().into_iter().for_each(|lanes| check(lanes, &table, &chosen, &lengths));
    }
}

#[test]
#[should_panic(expected = "out of bounds")]
fn a_point_that_the_table_lacks_is_refused() {
    let table = [Entry(G1Affine::generator()); 3];
    let groups = Groups { table: &table, chosen: &[0, 6], lengths: vec![2] };
    Lanes::portable().sum_groups(rayon::iter::once(groups));
}

#[test]
#[should_panic]
fn fewer_points_than_the_lengths_say_are_refused() {
    let table = [Entry(G1Affine::generator()); 3];
    let groups = Groups { table: &table, chosen: &[0], lengths: vec![2] };
    Lanes::portable().sum_groups(rayon::iter::once(groups));
}
