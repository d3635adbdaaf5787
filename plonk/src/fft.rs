//! Fast Fourier transforms over Fr: radix 2, decimation in time, with the twiddles of every level stored.
//!
//! The library computes half of its twiddles anew at each butterfly. Here a butterfly costs one multiplication, and those by one
//! are left out.

use crate::polynomial::invert;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rayon::join;

/// Blocks of this many elements (32 kB) stay in the first-level cache.
const CACHED: usize = 1 << 10;
/// Transforms are split between threads down to this many elements.
const SPLIT: usize = 1 << 12;

/// Transforms of 2^k elements.
pub(crate) struct Fft {
    k: u32,
    forward: Vec<Fr>,
    inverse: Vec<Fr>,
    n_inv: Fr,
}

impl Fft {
    /// For the domain of the 2^k powers of `omega`.
    pub fn new(k: u32, omega: Fr) -> Self {
        let n_inv = invert(&Fr::from(1 << k));
        Self { k, forward: twiddles(k, omega), inverse: twiddles(k, invert(&omega)), n_inv }
    }

    /// Elements.
    pub fn len(&self) -> usize {
        1 << self.k
    }

    /// From the values at 1, ω, ω², … to the coefficients.
    pub fn interpolate(&self, values: &[Fr]) -> Vec<Fr> {
        let mut coefficients = self.interpolate_unscaled(values);
        coefficients.iter_mut().for_each(|coefficient| *coefficient *= self.n_inv);
        coefficients
    }

    /// The coefficients times 2^k.
    pub fn interpolate_unscaled(&self, values: &[Fr]) -> Vec<Fr> {
        let mut coefficients = vec![Fr::ZERO; self.len()];
        self.place_reversed(&mut coefficients, |i| values[i]);
        transform(&mut coefficients, &self.inverse);
        coefficients
    }

    /// From the coefficients to the values at g, g·ω, g·ω², …, where `powers` are 1, g, g², …
    pub fn evaluate_on_coset(&self, coefficients: &[Fr], powers: &[Fr], values: &mut [Fr]) {
        self.place_reversed(values, |i| coefficients[i] * powers[i]);
        transform(values, &self.forward);
    }

    /// Puts `element(i)` where the bits of i, reversed, say.
    fn place_reversed(&self, to: &mut [Fr], element: impl Fn(usize) -> Fr) {
        for i in 0..self.len() {
            // For k = 0 the shift would be by all bits.
            let place = if self.k == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - self.k) };
            to[place] = element(i);
        }
    }
}

/// The powers of a root of unity of order 2m up to the (m-1)-th, for m = 1, 2, 4, … n/2 one after the other: those for m start at
/// m − 1.
fn twiddles(k: u32, omega: Fr) -> Vec<Fr> {
    let mut twiddles = Vec::with_capacity((1 << k) - 1);
    for level in 1..=k {
        let root = omega.pow_vartime([1 << (k - level)]);
        let mut power = Fr::ONE;
        for _ in 0..1usize << (level - 1) {
            twiddles.push(power);
            power *= root;
        }
    }
    twiddles
}

/// Transforms elements that are in the order of their reversed bits.
fn transform(a: &mut [Fr], twiddles: &[Fr]) {
    let n = a.len();
    if n <= CACHED {
        return transform_cached(a, twiddles);
    }
    let half = n / 2;
    let level = &twiddles[half - 1..n - 1];
    let (low, high) = a.split_at_mut(half);
    if n > SPLIT {
        join(|| transform(low, twiddles), || transform(high, twiddles));
        let (low_0, low_1) = low.split_at_mut(half / 2);
        let (high_0, high_1) = high.split_at_mut(half / 2);
        let (level_0, level_1) = level.split_at(half / 2);
        join(|| butterflies(low_0, high_0, level_0), || butterflies(low_1, high_1, level_1));
    } else {
        transform(low, twiddles);
        transform(high, twiddles);
        butterflies(low, high, level);
    }
}

fn transform_cached(a: &mut [Fr], twiddles: &[Fr]) {
    let n = a.len();
    if n < 4 {
        if let [low, high] = a {
            (*low, *high) = (*low + *high, *low - *high);
        }
        return;
    }
    // The first two levels at once: their only root beside 1 is that of order 4.
    let root = twiddles[2];
    for four in a.chunks_exact_mut(4) {
        let (sum_0, difference_0) = (four[0] + four[1], four[0] - four[1]);
        let (sum_1, difference_1) = (four[2] + four[3], (four[2] - four[3]) * root);
        four[0] = sum_0 + sum_1;
        four[1] = difference_0 + difference_1;
        four[2] = sum_0 - sum_1;
        four[3] = difference_0 - difference_1;
    }
    let mut half = 4;
    while half < n {
        let level = &twiddles[half - 1..2 * half - 1];
        for block in a.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            (low[0], high[0]) = (low[0] + high[0], low[0] - high[0]);
            butterflies(&mut low[1..], &mut high[1..], &level[1..]);
        }
        half *= 2;
    }
}

fn butterflies(low: &mut [Fr], high: &mut [Fr], twiddles: &[Fr]) {
    for ((low, high), twiddle) in low.iter_mut().zip(high).zip(twiddles) {
        let turned = *high * twiddle;
        *high = *low - turned;
        *low += turned;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo2_proofs::poly::EvaluationDomain;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    #[test]
    fn it_gives_what_the_library_gives() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for k in 1..=13 {
            let domain = EvaluationDomain::<Fr>::new(5, k);
            let fft = Fft::new(k, domain.omega);
            let values: Vec<Fr> = (0..1 << k).map(|_| Fr::random(&mut rng)).collect();
            let theirs = domain.lagrange_to_coeff(domain.lagrange_from_vec(values.clone()));
            let ours = fft.interpolate(&values);
            assert_eq!(ours[..], theirs[..], "k = {k}");
            let mut shift = vec![Fr::ONE];
            while shift.len() < fft.len() {
                shift.push(*shift.last().unwrap() * domain.g_coset * domain.extended_omega);
            }
            let theirs = domain.coeff_to_extended_part(theirs, domain.extended_omega);
            let mut values = vec![Fr::ZERO; fft.len()];
            fft.evaluate_on_coset(&ours, &shift, &mut values);
            assert_eq!(values[..], theirs[..], "k = {k}");
        }
    }
}
