//! Fast Fourier transforms over Fr, radix 2, decimation in time, eight butterflies beside each other.
//!
//! A transform of n elements is eight transforms of n/8, one in each lane, of the elements with the same index modulo 8; then three levels
//! across the lanes. So the first levels have one twiddle for all lanes, and elements are loaded where they follow each other.

use crate::backend::Backend;
use crate::field::{Elements, Scalar};
use crate::words::{Words, of_scalars, of_scalars_mut};
use halo2curves::bn256::Fr;

/// The least number of elements that are transformed in lanes: eight in each.
pub const SMALLEST: usize = 64;
/// Vectors of a block that stays in the first-level cache: 20 kB.
const CACHED: usize = 1 << 6;

/// `scale·Σᵢ elements[i]·factors[i]·ω^(i·j)` for all j, where scale and factors are one if there are none.
#[derive(Clone, Copy, Debug)]
pub struct Transform<'a> {
    /// As many as a power of two, n.
    pub elements: &'a [Fr],
    pub factors: Option<&'a [Fr]>,
    pub scale: Option<&'a Fr>,
    /// For m = 1, 2, 4, … n/2 one after the other, the powers up to the (m−1)-th of the root of unity of order 2m: those for m start at m − 1.
    pub twiddles: &'a [Fr],
}

pub(crate) fn transform<B: Backend>(backend: B, transform: &Transform<'_>, to: &mut [Fr]) {
    let n = transform.elements.len();
    assert!(n.is_power_of_two() && n >= SMALLEST, "a power of two, and no smaller one");
    assert!(to.len() == n && transform.twiddles.len() == n - 1, "the transform's length");
    let twiddles = of_scalars(transform.twiddles);
    let mut vectors = backend.enter(
        #[inline(always)]
        || place(backend, transform),
    );
    in_lanes(backend, &mut vectors, twiddles);
    let (first, rest) = twiddles[n / 8 - 1..].split_at(n / 8);
    let (second, third) = rest.split_at(n / 4);
    let levels = [first, second, third].map(|level| level.as_chunks().0);
    backend.enter(
        #[inline(always)]
        || across(backend, &mut vectors, levels, transform.scale, of_scalars_mut(to).as_chunks_mut().0),
    );
}

/// The elements, times the factors, in vectors in the order of their reversed bits: lane m of vector j has those with an index 8·j + m.
#[inline(always)]
fn place<B: Backend>(backend: B, transform: &Transform<'_>) -> Vec<Elements<B, Scalar>> {
    let elements = of_scalars(transform.elements).as_chunks().0;
    let factors = transform.factors.map(|factors| of_scalars(factors).as_chunks().0);
    let mut vectors = vec![Elements::splat(backend, &[0; 4]); elements.len()];
    let unused_bits = usize::BITS - elements.len().ilog2();
    for i in 0..elements.len() {
        let mut vector = Elements::load_row(backend, &elements[i]);
        if let Some(factors) = factors {
            vector = vector.multiply(Elements::load_row(backend, &factors[i]));
        }
        vectors[i.reverse_bits() >> unused_bits] = vector;
    }
    vectors
}

/// Transforms each lane: halves one after the other until a block fits the cache.
fn in_lanes<B: Backend>(backend: B, vectors: &mut [Elements<B, Scalar>], twiddles: &[Words]) {
    let n = vectors.len();
    if n > CACHED {
        let (low, high) = vectors.split_at_mut(n / 2);
        in_lanes(backend, low, twiddles);
        in_lanes(backend, high, twiddles);
        return backend.enter(
            #[inline(always)]
            || level(backend, vectors, twiddles),
        );
    }
    backend.enter(
        #[inline(always)]
        || {
            first_two_levels(backend, vectors, &twiddles[2]);
            let mut size = 8;
            while size <= n {
                for block in vectors.chunks_exact_mut(size) {
                    level(backend, block, twiddles);
                }
                size *= 2;
            }
        },
    );
}

/// Both levels at once: their only root beside 1 is that of order 4.
#[inline(always)]
fn first_two_levels<B: Backend>(backend: B, vectors: &mut [Elements<B, Scalar>], root: &Words) {
    let root = Elements::splat(backend, root);
    for four in vectors.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = *four;
        let (sum_0, difference_0) = (a.add(b), a.subtract(b));
        let (sum_1, difference_1) = (c.add(d), c.subtract(d).multiply(root));
        *four = [
            sum_0.add(sum_1),
            difference_0.add(difference_1),
            sum_0.subtract(sum_1),
            difference_0.subtract(difference_1),
        ];
    }
}

/// The butterflies of a block's last level.
#[inline(always)]
fn level<B: Backend>(backend: B, block: &mut [Elements<B, Scalar>], twiddles: &[Words]) {
    let half = block.len() / 2;
    let (low, high) = block.split_at_mut(half);
    let twiddles = &twiddles[half - 1..2 * half - 1];
    for i in 0..half {
        [low[i], high[i]] = butterfly(low[i], high[i], Elements::splat(backend, &twiddles[i]));
    }
}

#[inline(always)]
fn butterfly<B: Backend>(
    low: Elements<B, Scalar>,
    high: Elements<B, Scalar>,
    twiddle: Elements<B, Scalar>,
) -> [Elements<B, Scalar>; 2] {
    let turned = high.multiply(twiddle);
    [low.add(turned), low.subtract(turned)]
}

/// The last three levels. Lane m of vector j is element j of the transform of the indices m modulo 8; eight vectors are transposed at a
/// time, so that eight elements j of one m follow each other, as their twiddles do.
#[inline(always)]
fn across<B: Backend>(
    backend: B,
    vectors: &mut [Elements<B, Scalar>],
    levels: [&[[Words; 8]]; 3],
    scale: Option<&Fr>,
    to: &mut [[Words; 8]],
) {
    let scale = scale.map(|scale| of_scalars(std::slice::from_ref(scale))[0]);
    let eighth = vectors.len() / 8;
    for (j, eight) in vectors.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        Elements::transpose(eight);
        // The transforms in the order of their reversed indices.
        let mut blocks = [eight[0], eight[4], eight[2], eight[6], eight[1], eight[5], eight[3], eight[7]];
        for level in 0..3 {
            let half = 1 << level;
            for i in 0..half {
                let twiddle = Elements::load_row(backend, &levels[level][i * eighth + j]);
                for low in (i..8).step_by(2 * half) {
                    [blocks[low], blocks[low + half]] = butterfly(blocks[low], blocks[low + half], twiddle);
                }
            }
        }
        for i in 0..8 {
            let mut block = blocks[i];
            if let Some(scale) = &scale {
                block = block.multiply(Elements::splat(backend, scale));
            }
            block.canonical().store_row(&mut to[i * eighth + j]);
        }
    }
}
