//! Values of polynomials and combinations of columns against the library's sums and products.

use crate::backends;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use lanes::BLOCK;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

/// How many blocks a column has.
const BLOCKS: &[usize] = if cfg!(miri) { &[0, 1] } else { &[0, 1, 2, 9] };

#[test]
fn values_and_combinations_are_sums_of_products() {
    let mut rng = ChaCha20Rng::seed_from_u64(6);
    for &blocks in BLOCKS {
        let mut draw = |count: usize| (0..count).map(|_| Fr::random(&mut rng)).collect::<Vec<_>>();
        let (mut columns, weights, x) = ([blocks * BLOCK; 3].map(&mut draw), draw(3), draw(1)[0]);
        columns[2].fill(-Fr::ONE);
        let value = columns[0].iter().rev().fold(Fr::ZERO, |sum, coefficient| sum * x + coefficient);
        let columns = columns.each_ref().map(Vec::as_slice);
        let sum = |row: usize| columns.iter().zip(&weights).map(|(column, weight)| column[row] * weight).sum();
        let sums: Vec<Fr> = (0..blocks * BLOCK).map(sum).collect();
        for lanes in backends() {
            assert_eq!(lanes.evaluate(columns[0], &x), value, "{lanes}, {blocks}");
            let mut combined = vec![Fr::ZERO; blocks * BLOCK];
            lanes.combine(&columns, &weights, &mut combined);
            assert_eq!(combined, sums, "{lanes}, {blocks}");
        }
    }
}

#[test]
#[should_panic(expected = "whole blocks")]
fn a_part_of_a_block_has_no_value() {
    lanes::Lanes::portable().evaluate(&[Fr::ONE; BLOCK / 2], &Fr::ONE);
}

#[test]
#[should_panic(expected = "as many rows")]
fn a_short_column_is_refused() {
    let column = [Fr::ONE; BLOCK];
    lanes::Lanes::portable().combine(&[&column[1..]], &[Fr::ONE], &mut [Fr::ZERO; BLOCK]);
}
