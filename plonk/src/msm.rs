//! Multi-exponentiations over fixed bases.
//!
//! The commitments of every proof are sums Σ sᵢ·Gᵢ over the same 2^k points, so multiples of those are tabulated: a scalar is
//! written in signed digits of c bits, and the table holds 2^(c·w)·Gᵢ for each digit's place w. Each digit then puts one
//! point of the table into the bucket of its size, and the sum is Σ b·(bucket b): one set of buckets for all places, no doublings
//! (Brickell, Gordon, McCurley and Wilson, "Fast exponentiation with precomputation", 1992, with Pippenger's buckets). Buckets are
//! summed as trees of affine additions whose inversions are made together (Montgomery's trick).

use crate::affine::sum_groups;
use halo2curves::bn256::{Fr, G1, G1Affine};
use halo2curves::ff::PrimeField;
use halo2curves::group::{Curve, Group};
use halo2curves::serde::SerdeObject;
use rayon::prelude::*;
use std::ops::Range;

/// Bits of a scalar, with one more for the carry of signed digits.
const SCALAR_BITS: usize = 255;
/// The most bits of a digit that an `i16` holds with its sign: sizes up to 2^14.
const WIDEST: usize = 15;
/// Points of a range of buckets that is summed as one piece: few inversions, and what is worked on stays in the second-level cache.
const PIECE: usize = 1 << 13;
/// Bytes of a point on disk.
const POINT_BYTES: usize = 64;
/// A point of a table, on one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry(G1Affine);

/// How scalars are written in digits.
#[derive(Clone, Copy, Debug)]
struct Digits {
    /// Bits of a digit, c. Sizes are up to 2^(c−1).
    bits: usize,
    /// Digits of a scalar.
    places: usize,
}

impl Digits {
    /// For that many scalars: as many buckets as scalars, about. 15 bits and 17 places for 2^14.
    fn new(scalars: usize) -> Self {
        let bits = (scalars.max(1).ilog2() as usize + 1).clamp(4, WIDEST);
        Self { bits, places: SCALAR_BITS.div_ceil(bits) }
    }

    fn buckets(self) -> usize {
        1 << (self.bits - 1)
    }

    /// Writes a scalar as Σ dᵥ·2^(c·w) with −2^(c−1) < dᵥ ≤ 2^(c−1).
    fn split(self, scalar: &Fr, digits: &mut [i16]) {
        let bytes = scalar.to_repr();
        let mut carry = 0;
        for (w, digit) in digits.iter_mut().enumerate() {
            let bit = w * self.bits;
            let mut word = [0; 4];
            let bytes = bytes.as_ref().get(bit / 8..).unwrap_or_default();
            let some = bytes.len().min(4);
            word[..some].copy_from_slice(&bytes[..some]);
            let unsigned = (u32::from_le_bytes(word) >> (bit % 8)) as i32 & ((1 << self.bits) - 1);
            let size = unsigned + carry;
            carry = i32::from(size > self.buckets() as i32);
            *digit = (size - (carry << self.bits)) as i16;
        }
    }
}

/// Multiples of fixed points.
pub(crate) struct Table {
    bases: usize,
    shape: Digits,
    /// 2^(c·w)·Gᵢ at w·bases + i.
    entries: Vec<Entry>,
}

impl Table {
    /// Tabulates multiples of `bases`, at most 2^26 of them, none of them the identity.
    pub fn new(bases: &[G1Affine]) -> Self {
        let shape = Digits::new(bases.len());
        let mut entries: Vec<Entry> = bases.iter().copied().map(Entry).collect();
        let mut multiples: Vec<G1> = bases.iter().map(G1::from).collect();
        for _ in 1..shape.places {
            let affine = multiples.par_chunks_mut(1 << 10).flat_map_iter(|chunk| {
                for point in &mut *chunk {
                    (0..shape.bits).for_each(|_| *point = point.double());
                }
                let mut affine = vec![G1Affine::default(); chunk.len()];
                G1::batch_normalize(chunk, &mut affine);
                affine.into_iter().map(Entry)
            });
            entries.par_extend(affine);
        }
        Self { bases: bases.len(), shape, entries }
    }

    /// The points that multiples are of.
    pub fn bases(&self) -> impl Iterator<Item = &G1Affine> {
        self.entries[..self.bases].iter().map(|Entry(point)| point)
    }

    /// Appends both coordinates of every entry, 32 bytes each, as the library keeps them in memory.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        for Entry(point) in &self.entries {
            point.write_raw(bytes).expect("a vector takes all that is written");
        }
    }

    /// Reads what [`Self::write`] wrote; None if that is not of this length.
    pub fn read(bases: usize, bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::bytes(bases) {
            return None;
        }
        let points = bytes.par_chunks_exact(POINT_BYTES).with_min_len(1 << 10);
        let shape = Digits::new(bases);
        Some(Self {
            bases,
            shape,
            entries: points.map(|point| Entry(G1Affine::from_raw_bytes_unchecked(point))).collect(),
        })
    }

    /// Bytes of a table.
    pub fn bytes(bases: usize) -> usize {
        bases * Digits::new(bases).places * POINT_BYTES
    }

    /// Σ sᵢ·Gᵢ over as many of the bases as there are scalars.
    ///
    /// # Panics
    ///
    /// If there are more scalars than bases.
    pub fn sum(&self, scalars: &[Fr]) -> G1 {
        assert!(scalars.len() <= self.bases);
        let buckets = Buckets::fill(scalars, self.bases, self.shape);
        let pieces: Vec<_> = buckets.pieces().into_par_iter().map(|range| self.sum_buckets(&buckets, range)).collect();
        weigh(&pieces.concat())
    }

    /// The sum of each bucket of a range.
    fn sum_buckets(&self, buckets: &Buckets, range: Range<usize>) -> Vec<G1Affine> {
        let mut points = Vec::with_capacity(PIECE + PIECE / 4);
        let mut lengths = Vec::with_capacity(range.len());
        for bucket in range {
            let before = points.len();
            let entry = |place: &u32| self.entries[*place as usize].0;
            points.extend(buckets.places(2 * bucket).iter().map(entry));
            points.extend(buckets.places(2 * bucket + 1).iter().map(|place| -entry(place)));
            lengths.push((points.len() - before) as u32);
        }
        sum_groups(points, lengths)
    }
}

/// Which entries of the table each bucket sums up.
struct Buckets {
    /// Places in the table. Those that bucket b adds, then those it subtracts, then those of the next bucket.
    places: Vec<u32>,
    /// Where the places start that bucket b adds, at 2b, and those that it subtracts, at 2b + 1; and where the last ones end.
    /// Bucket b is that of the digits ±(b + 1).
    starts: Vec<u32>,
}

impl Buckets {
    fn fill(scalars: &[Fr], bases: usize, shape: Digits) -> Self {
        let mut digits = vec![0i16; scalars.len() * shape.places];
        let by_scalar = digits.par_chunks_exact_mut(shape.places).with_min_len(1 << 9);
        by_scalar.zip(scalars).for_each(|(digits, scalar)| shape.split(scalar, digits));
        let list = |digit: i16| 2 * digit.unsigned_abs() as usize + usize::from(digit < 0);
        // Zeros would be in the lists 0 and 1, which stay empty. List l starts at next[l].
        let mut next = vec![0u32; 2 * shape.buckets() + 3];
        for digit in digits.iter().filter(|digit| **digit != 0) {
            next[list(*digit) + 1] += 1;
        }
        for list in 1..next.len() {
            next[list] += next[list - 1];
        }
        let starts = next[2..].to_vec();
        let mut places = vec![0; starts[2 * shape.buckets()] as usize];
        for (i, digits) in digits.chunks_exact(shape.places).enumerate() {
            for (w, &digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                let next = &mut next[list(digit)];
                places[*next as usize] = (w * bases + i) as u32;
                *next += 1;
            }
        }
        Self { places, starts }
    }

    fn places(&self, list: usize) -> &[u32] {
        &self.places[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Ranges of buckets with about [`PIECE`] points each.
    fn pieces(&self) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        let buckets = self.starts.len() / 2;
        for end in 1..=buckets {
            let points = (self.starts[2 * end] - self.starts[2 * start]) as usize;
            if points >= PIECE || end == buckets {
                pieces.push(start..end);
                start = end;
            }
        }
        pieces
    }
}

/// Σ (b + 1)·Sᵦ over a power of two of sums: with b = row·side + column, the weighted sum of the rows' sums times the side, plus that of
/// the columns' sums.
fn weigh(sums: &[G1Affine]) -> G1 {
    let side = 1 << sums.len().ilog2().div_ceil(2);
    let height = sums.len() / side;
    let rows = || sum_groups(sums.to_vec(), vec![side as u32; height]);
    let columns = || {
        let transposed = (0..side).flat_map(|column| sums.iter().skip(column).step_by(side).copied());
        sum_groups(transposed.collect(), vec![height as u32; side])
    };
    let (rows, columns) = rayon::join(rows, columns);
    let rows = running_sum(&rows[1..]);
    let side_times_rows = (0..side.ilog2()).fold(rows, |sum, _| sum.double());
    side_times_rows + running_sum(&columns)
}

/// Σ (i + 1)·Pᵢ.
fn running_sum(points: &[G1Affine]) -> G1 {
    let (mut run, mut sum) = (G1::identity(), G1::identity());
    for point in points.iter().rev() {
        run += point;
        sum += run;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo2_proofs::arithmetic::best_multiexp;
    use halo2curves::ff::Field;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;

    fn table(rng: &mut ChaCha20Rng, bases: usize) -> (Vec<G1Affine>, Table) {
        let bases: Vec<G1Affine> = (0..bases).map(|_| G1::random(&mut *rng).to_affine()).collect();
        let table = Table::new(&bases);
        (bases, table)
    }

    #[test]
    fn digits_make_the_scalar() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for scalars in [1, 2, 1 << 6, 1 << 9, 1 << 14, 1 << 20] {
            let shape = Digits::new(scalars);
            let (base, most) = (Fr::from(1 << shape.bits), Fr::from(shape.buckets() as u64));
            // All digits at their limits, and beyond.
            let full = (0..shape.places - 1).fold(Fr::ZERO, |sum, _| sum * base + most);
            let edges = [
                Fr::ZERO,
                Fr::ONE,
                -Fr::ONE,
                most,
                most + Fr::ONE,
                -Fr::from(2).invert().unwrap(),
                full,
                full + Fr::ONE,
            ];
            for scalar in (0..500).map(|_| Fr::random(&mut rng)).chain(edges) {
                let mut digits = vec![0; shape.places];
                shape.split(&scalar, &mut digits);
                let sum = digits.iter().rev().fold(Fr::ZERO, |sum, digit| {
                    let size = Fr::from(u64::from(digit.unsigned_abs()));
                    sum * base + if *digit < 0 { -size } else { size }
                });
                assert_eq!(sum, scalar, "{shape:?}");
                assert!(digits.iter().all(|digit| usize::from(digit.unsigned_abs()) <= shape.buckets()));
            }
        }
    }

    #[test]
    fn it_gives_what_the_library_gives() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        for count in [1, 2, 100, 3000] {
            let (bases, table) = table(&mut rng, count);
            let all: Vec<Fr> = bases.iter().map(|_| Fr::random(&mut rng)).collect();
            let same = vec![Fr::from(5); count];
            let small: Vec<Fr> = bases.iter().map(|_| Fr::from(rng.gen_range(0..3))).collect();
            let minus: Vec<Fr> = small.iter().map(|scalar| -scalar).collect();
            for scalars in [&all[..], &all[..count - 1], &all[..1], &[], &same, &small, &minus] {
                assert_eq!(table.sum(scalars), best_multiexp(scalars, &bases[..scalars.len()]), "{count}");
            }
        }
    }
}
