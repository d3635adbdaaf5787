//! The running products by which the permutation and the lookup arguments compare multisets (the halo2 book, "Proving system"). All
//! columns here are values by row.

use crate::invert::invert_or_zero;
use halo2curves::bn256::Fr;
use halo2curves::ff::{Field, PrimeField};
use rand::RngCore;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Rows that a thread takes at once.
const CHUNK: usize = 1 << 10;

/// A column under the permutation argument.
pub(crate) struct EqualityColumn<'a> {
    pub values: &'a [Fr],
    /// What the argument's key says of each cell: where its cycle goes on.
    pub sigma: &'a [Fr],
    /// β·δ^i of this column.
    pub beta_delta: Fr,
}

/// The factors by which the product of a chunk of columns changes from row to row: Π (v + β·δ^i·ωʳ + γ) / (v + β·σ + γ).
pub(crate) fn permutation_factors(chunk: &[EqualityColumn<'_>], roots: &[Fr], beta: Fr, gamma: Fr) -> Vec<Fr> {
    let mut factors = vec![Fr::ONE; roots.len()];
    factors.par_chunks_mut(CHUNK).enumerate().for_each(|(part, factors)| {
        let start = part * CHUNK;
        for column in chunk {
            for ((factor, value), sigma) in factors.iter_mut().zip(&column.values[start..]).zip(&column.sigma[start..])
            {
                *factor *= beta * sigma + gamma + value;
            }
        }
        invert_or_zero(factors);
        for column in chunk {
            for ((factor, value), root) in factors.iter_mut().zip(&column.values[start..]).zip(&roots[start..]) {
                *factor *= column.beta_delta * root + gamma + value;
            }
        }
    });
    factors
}

/// The factors of a lookup's product: (a + β)·(s + γ) / ((a' + β)·(s' + γ)), where a' and s' are the permuted input and table.
pub(crate) fn lookup_factors(original: [&[Fr]; 2], sorted: [&[Fr]; 2], beta: Fr, gamma: Fr) -> Vec<Fr> {
    let mut factors = vec![Fr::ONE; sorted[0].len()];
    factors.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, factors)| {
        let start = chunk * CHUNK;
        let product = |[inputs, table]: [&[Fr]; 2], i: usize| (inputs[start + i] + beta) * (table[start + i] + gamma);
        factors.iter_mut().enumerate().for_each(|(i, factor)| *factor = product(sorted, i));
        invert_or_zero(factors);
        factors.iter_mut().enumerate().for_each(|(i, factor)| *factor *= product(original, i));
    });
    factors
}

/// The products of the factors before each row, from `first` on, with random values in the last `random` rows.
pub(crate) fn running_product(first: Fr, factors: &[Fr], random: usize, rng: &mut dyn RngCore) -> Vec<Fr> {
    let mut product = first;
    let before = |factor: &Fr| {
        let before = product;
        product *= factor;
        before
    };
    let known = factors.len() - random;
    let mut products: Vec<Fr> = factors[..known].iter().map(before).collect();
    products.extend((0..random).map(|_| Fr::random(&mut *rng)));
    products
}

/// Sorts a lookup's inputs, and puts the table's values beside them: where an input first occurs, its value; everywhere else what is
/// left of the table, from the least to the greatest. Both over the `usable` rows, and with random values after those. None if an input
/// isn't in the table.
pub(crate) fn permute_lookup(
    inputs: &[Fr],
    table: &[Fr],
    usable: usize,
    order: impl Fn(&Fr) -> Rank + Sync,
    rng: &mut dyn RngCore,
) -> Option<[Vec<Fr>; 2]> {
    let mut sorted: Vec<(Rank, Fr)> = inputs[..usable].par_iter().map(|value| (order(value), *value)).collect();
    sorted.par_sort_unstable_by_key(|(rank, _)| *rank);
    let mut left: BTreeMap<Rank, (Fr, usize)> = BTreeMap::new();
    for value in &table[..usable] {
        left.entry(ascending(value)).or_insert((*value, 0)).1 += 1;
    }
    let is_repeated = |row: usize| row > 0 && sorted[row - 1].1 == sorted[row].1;
    for (_, value) in (0..usable).filter(|row| !is_repeated(*row)).map(|row| &sorted[row]) {
        let count = &mut left.get_mut(&ascending(value))?.1;
        *count = count.checked_sub(1)?;
    }
    let mut left = left.values().flat_map(|(value, count)| std::iter::repeat_n(*value, *count));
    let mut beside = Vec::with_capacity(inputs.len());
    for (row, (_, value)) in sorted.iter().enumerate() {
        beside.push(if is_repeated(row) { left.next()? } else { *value });
    }
    let mut sorted: Vec<Fr> = sorted.into_iter().map(|(_, value)| value).collect();
    for column in [&mut sorted, &mut beside] {
        column.extend((usable..inputs.len()).map(|_| Fr::random(&mut *rng)));
    }
    Some([sorted, beside])
}

/// What values are ordered by. Different values have different ranks.
pub type Rank = [u64; 4];

/// What the values of a lookup, by its number, are sorted by.
pub type LookupOrder<'a> = dyn Fn(usize, &Fr) -> Rank + Sync + 'a;

/// The order of numbers: a value's limbs from the highest to the lowest.
pub(crate) fn ascending(value: &Fr) -> Rank {
    let bytes = value.to_repr();
    std::array::from_fn(|i| {
        let limb = &bytes.as_ref()[8 * (3 - i)..8 * (4 - i)];
        u64::from_le_bytes(limb.try_into().expect("eight bytes"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    /// The circuits' tests know the right ones.
    #[test]
    fn an_order_that_takes_values_for_equal_gives_no_permutation() {
        let [inputs, table] = [[1, 0, 1, 0], [1, 0, 0, 0]].map(|values| values.map(Fr::from));
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        assert!(permute_lookup(&inputs, &table, 4, ascending, &mut rng).is_some());
        assert!(permute_lookup(&inputs, &table, 4, |_| [0; 4], &mut rng).is_none());
        assert!(permute_lookup(&inputs.map(|value| value.double()), &table, 4, ascending, &mut rng).is_none());
    }
}
