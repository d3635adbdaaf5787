//! Values of polynomials by their coefficients, the lowest first, and combinations of several.

use crate::backend::Backend;
use crate::field::{Elements, Scalar};
use crate::program::BLOCK;
use crate::words::{Words, of_scalars, of_scalars_mut};
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rayon::prelude::*;

/// Vectors that take each step one after the other: a product needn't wait for the one before.
const ABREAST: usize = 4;
/// Coefficients that are taken at once.
const WIDTH: usize = 8 * ABREAST;

/// Horner's rule in [`WIDTH`] chains beside each other, each of which has every [`WIDTH`]-th coefficient.
pub(crate) fn evaluate<B: Backend>(backend: B, coefficients: &[Fr], x: &Fr) -> Fr {
    let (groups, rest) = of_scalars(coefficients).as_chunks().0.as_chunks::<ABREAST>();
    assert!(rest.is_empty() && coefficients.len().is_multiple_of(BLOCK), "whole blocks");
    let mut powers = [Fr::ONE; WIDTH];
    for i in 1..WIDTH {
        powers[i] = powers[i - 1] * x;
    }
    let step = powers[WIDTH - 1] * x;
    let mut values = [Fr::ZERO; WIDTH];
    backend.enter(
        #[inline(always)]
        || {
            let step = Elements::<B, Scalar>::splat(backend, &of_scalars(&[step])[0]);
            let mut chains = [Elements::splat(backend, &[0; 4]); ABREAST];
            for group in groups.iter().rev() {
                for i in 0..ABREAST {
                    chains[i] = chains[i].multiply(step).add(Elements::load_row(backend, &group[i]));
                }
            }
            let powers = of_scalars(&powers).as_chunks().0;
            let values = of_scalars_mut(&mut values).as_chunks_mut().0;
            for i in 0..ABREAST {
                chains[i].multiply(Elements::load_row(backend, &powers[i])).canonical().store_row(&mut values[i]);
            }
        },
    );
    values.iter().sum()
}

/// Σ weights[j]·columns[j], row by row, on as many threads as there are.
pub(crate) fn combine<B: Backend>(backend: B, columns: &[&[Fr]], weights: &[Fr], to: &mut [Fr]) {
    assert!(to.len().is_multiple_of(BLOCK), "whole blocks");
    assert!(
        columns.len() == weights.len() && columns.iter().all(|column| column.len() == to.len()),
        "as many weights, as many rows"
    );
    to.par_chunks_exact_mut(BLOCK).enumerate().with_min_len(8).for_each(|(block, to)| {
        let to = of_scalars_mut(to).as_chunks_mut::<8>().0.as_chunks_mut::<ABREAST>().0;
        backend.enter(
            #[inline(always)]
            || {
                for (part, to) in to.iter_mut().enumerate() {
                    let start = block * BLOCK + part * WIDTH;
                    combine_rows(backend, columns, weights, start, to);
                }
            },
        );
    });
}

/// The same for the rows from `start` on.
#[inline(always)]
fn combine_rows<B: Backend>(
    backend: B,
    columns: &[&[Fr]],
    weights: &[Fr],
    start: usize,
    to: &mut [[Words; 8]; ABREAST],
) {
    let mut sums = [Elements::<B, Scalar>::splat(backend, &[0; 4]); ABREAST];
    for j in 0..columns.len() {
        let weight = Elements::splat(backend, &of_scalars(weights)[j]);
        let rows = of_scalars(&columns[j][start..start + WIDTH]).as_chunks().0;
        for i in 0..ABREAST {
            sums[i] = sums[i].add(Elements::load_row(backend, &rows[i]).multiply(weight));
        }
    }
    for i in 0..ABREAST {
        sums[i].canonical().store_row(&mut to[i]);
    }
}
