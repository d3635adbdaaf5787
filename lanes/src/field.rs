//! Eight elements of a prime field of bn254 beside each other.
//!
//! An element is five limbs in radix 2^52, in Montgomery's form with R = 2^256, which is `halo2curves`'s: loading and storing regroup bits
//! and convert nothing. Values are not canonical. With ε = 2^208, which is what one in the fifth limb stands for, all of them are below
//!
//! ```text
//! B = 3p + 2ε,
//! ```
//!
//! with four limbs below 2^52 and the fifth not negative. Every operation takes such values and gives such values. Both primes are between
//! 0.1889·2^256 and 0.1891·2^256 (asserted below), and t_k is the greatest number with t_k·ε ≤ k·p. What is added and subtracted limb by limb
//! has, before carries, a fifth limb s and other limbs in (−2^52, 2^53).
//!
//! - A product is a·b + q·p with q < 2^256, divided by 2^256: below B·B/2^256 + p < 0.1891·3.01·3.01·p + p < 2.72p. The ten columns
//!   that it is summed up in have at most 20 terms below 2^52 and a carry, below 2^57; shifted left by four bits they stay below 2^62.
//! - A sum V is in [s·ε, (s + 2)·ε). If s > t_4, then 4p < V < 2B, and V − 4p < 2p + 4ε < B. Otherwise V < (t_4 + 2)·ε ≤ 4p + 2ε; if
//!   s > t_3, then V > 3p, and V − 2p < 2p + 2ε < B. Otherwise V < (t_3 + 2)·ε ≤ 3p + 2ε = B as it is.
//! - A difference V is in ((s − 1)·ε, (s + 1)·ε). If s ≥ 1, then 0 < V < B as it is. Otherwise V < ε; if s > −t_1, then V > −t_1·ε ≥ −p, and
//!   0 < V + 2p < 2p + ε < B. Otherwise −B < V < (1 − t_1)·ε < 2ε − p, and 0 < p − 2ε < V + 4p < 3p + 2ε = B.
//! - The canonical value takes 2p away if that leaves no negative number, and then p: from below 3p + 2ε to below 2p, and to below p.

use crate::backend::Backend;
use crate::words::Words;
use std::marker::PhantomData;

const LOW_52: u64 = (1 << 52) - 1;
const LOW_48: u64 = (1 << 48) - 1;

/// Which field: a prime, its least word first.
pub(crate) trait Prime: Copy {
    const P: Words;
}

/// The field of the coordinates of points, Fq.
#[derive(Clone, Copy)]
pub(crate) struct Base;

/// The field of scalars, Fr.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Prime for Base {
    const P: Words = [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029];
}

impl Prime for Scalar {
    const P: Words = [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029];
}

// 0.1889·2^64 and 0.1891·2^64, as the bounds above take them.
const _: () = assert!(Base::P[3] > 3_486_000_000_000_000_000 && Base::P[3] < 3_488_000_000_000_000_000);
const _: () = assert!(Base::P[3] == Scalar::P[3]);

/// k times a number of four words, in limbs.
const fn multiple(words: Words, k: u64) -> [u64; 5] {
    let limbs = [
        words[0] & LOW_52,
        (words[0] >> 52 | words[1] << 12) & LOW_52,
        (words[1] >> 40 | words[2] << 24) & LOW_52,
        (words[2] >> 28 | words[3] << 36) & LOW_52,
        words[3] >> 16,
    ];
    let (mut result, mut carry, mut i) = ([0; 5], 0, 0);
    while i < 5 {
        let limb = limbs[i] * k + carry;
        (result[i], carry) = (limb & LOW_52, limb >> 52);
        i += 1;
    }
    result
}

/// −1/p modulo 2^52, by Newton's iteration, which doubles the right bits: one, and after six rounds 64.
const fn negative_inverse(p: u64) -> u64 {
    let (mut inverse, mut round) = (1u64, 0);
    while round < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
        round += 1;
    }
    inverse.wrapping_neg() & LOW_52
}

/// Eight elements of a field, one in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Elements<B: Backend, P> {
    backend: B,
    limbs: [B::Vector; 5],
    prime: PhantomData<P>,
}

impl<B: Backend, P: Prime> Elements<B, P> {
    const ONCE: [u64; 5] = multiple(P::P, 1);
    const TWICE: [u64; 5] = multiple(P::P, 2);
    const THRICE: [u64; 5] = multiple(P::P, 3);
    const FOUR_TIMES: [u64; 5] = multiple(P::P, 4);
    const INVERSE: u64 = negative_inverse(P::P[0]);

    #[inline(always)]
    fn new(backend: B, limbs: [B::Vector; 5]) -> Self {
        let elements = Self { backend, limbs, prime: PhantomData };
        debug_assert!(elements.are_bounded());
        elements
    }

    /// The same element eight times.
    #[inline(always)]
    pub fn splat(backend: B, element: &Words) -> Self {
        let limbs = multiple(*element, 1);
        Self::new(
            backend,
            [
                backend.splat(limbs[0]),
                backend.splat(limbs[1]),
                backend.splat(limbs[2]),
                backend.splat(limbs[3]),
                backend.splat(limbs[4]),
            ],
        )
    }

    /// Eight elements, below B.
    #[inline(always)]
    pub fn load(backend: B, elements: [&Words; 8]) -> Self {
        let b = backend;
        let [w0, w1, w2, w3] = b.load(elements);
        let mask = b.splat(LOW_52);
        let limbs = [
            b.and(w0, mask),
            b.and(b.or(b.shift_right::<52>(w0), b.shift_left::<12>(w1)), mask),
            b.and(b.or(b.shift_right::<40>(w1), b.shift_left::<24>(w2)), mask),
            b.and(b.or(b.shift_right::<28>(w2), b.shift_left::<36>(w3)), mask),
            b.shift_right::<16>(w3),
        ];
        Self::new(b, limbs)
    }

    /// Eight elements that follow each other.
    #[inline(always)]
    pub fn load_row(backend: B, [a, b, c, d, e, f, g, h]: &[Words; 8]) -> Self {
        Self::load(backend, [a, b, c, d, e, f, g, h])
    }

    /// Writes the elements as they are: B is below 2^256.
    #[inline(always)]
    pub fn store_row(self, to: &mut [Words; 8]) {
        let (b, [l0, l1, l2, l3, l4]) = (self.backend, self.limbs);
        let words = [
            b.or(l0, b.shift_left::<52>(l1)),
            b.or(b.shift_right::<12>(l1), b.shift_left::<40>(l2)),
            b.or(b.shift_right::<24>(l2), b.shift_left::<28>(l3)),
            b.or(b.shift_right::<36>(l3), b.shift_left::<16>(l4)),
        ];
        b.store(words, to);
    }

    #[inline(always)]
    pub fn multiply(self, other: Self) -> Self {
        let b = self.backend;
        let mut columns = [b.splat(0); 10];
        for i in 0..5 {
            for j in 0..5 {
                columns[i + j] = b.add_low(columns[i + j], self.limbs[i], other.limbs[j]);
                columns[i + j + 1] = b.add_high(columns[i + j + 1], self.limbs[i], other.limbs[j]);
            }
        }
        Self::reduce(b, columns)
    }

    /// The squares: products of two different limbs are made once, and doubled.
    #[inline(always)]
    pub fn square(self) -> Self {
        let (b, limbs) = (self.backend, self.limbs);
        let mut columns = [b.splat(0); 10];
        for i in 0..5 {
            for j in i + 1..5 {
                columns[i + j] = b.add_low(columns[i + j], limbs[i], limbs[j]);
                columns[i + j + 1] = b.add_high(columns[i + j + 1], limbs[i], limbs[j]);
            }
        }
        for column in 1..9 {
            columns[column] = b.add(columns[column], columns[column]);
        }
        for i in 0..5 {
            columns[2 * i] = b.add_low(columns[2 * i], limbs[i], limbs[i]);
            columns[2 * i + 1] = b.add_high(columns[2 * i + 1], limbs[i], limbs[i]);
        }
        Self::reduce(b, columns)
    }

    /// Divides columns by 2^256 modulo p (Montgomery, "Modular multiplication without trial division", 1985): four rounds take 52 bits
    /// each, the fifth takes 48.
    #[inline(always)]
    fn reduce(b: B, mut columns: [B::Vector; 10]) -> Self {
        let [p0, p1, p2, p3, p4] = Self::ONCE;
        let p = [b.splat(p0), b.splat(p1), b.splat(p2), b.splat(p3), b.splat(p4)];
        let (zero, inverse, mask) = (b.splat(0), b.splat(Self::INVERSE), b.splat(LOW_52));
        for i in 0..4 {
            let q = b.add_low(zero, columns[i], inverse);
            // The low 52 bits of the column and of q·p₀ add up to zero or to 2^52, and to zero only if those of the column are zero.
            let carry = b.shift_right::<52>(b.add(columns[i], mask));
            columns[i + 1] = b.add_high(b.add(columns[i + 1], carry), q, p[0]);
            for j in 1..5 {
                columns[i + j] = b.add_low(columns[i + j], q, p[j]);
                columns[i + j + 1] = b.add_high(columns[i + j + 1], q, p[j]);
            }
        }
        let q = b.and(b.add_low(zero, columns[4], inverse), b.splat(LOW_48));
        for j in 0..5 {
            columns[4 + j] = b.add_low(columns[4 + j], q, p[j]);
            columns[5 + j] = b.add_high(columns[5 + j], q, p[j]);
        }
        let mut limbs = [columns[5], columns[6], columns[7], columns[8], columns[9]];
        for limb in &mut limbs {
            *limb = b.shift_left::<4>(*limb);
        }
        limbs[0] = b.add(limbs[0], b.shift_right::<48>(columns[4]));
        Self::new(b, Self::carried(b, limbs))
    }

    /// Brings limbs, which may be negative, into their places; the fifth takes what is left.
    #[inline(always)]
    fn carried(b: B, mut limbs: [B::Vector; 5]) -> [B::Vector; 5] {
        for i in 0..4 {
            limbs[i + 1] = b.add(limbs[i + 1], b.shift_right_signed::<52>(limbs[i]));
            limbs[i] = b.and(limbs[i], b.splat(LOW_52));
        }
        limbs
    }

    #[inline(always)]
    pub fn add(self, other: Self) -> Self {
        let (b, mut limbs) = (self.backend, self.limbs);
        for i in 0..5 {
            limbs[i] = b.add(limbs[i], other.limbs[i]);
        }
        let once = b.less(b.splat(Self::THRICE[4]), limbs[4]);
        let again = b.less(b.splat(Self::FOUR_TIMES[4]), limbs[4]);
        for i in 0..5 {
            let twice = b.splat(Self::TWICE[i]);
            limbs[i] = b.select(once, b.subtract(limbs[i], twice), limbs[i]);
            limbs[i] = b.select(again, b.subtract(limbs[i], twice), limbs[i]);
        }
        Self::new(b, Self::carried(b, limbs))
    }

    #[inline(always)]
    pub fn subtract(self, other: Self) -> Self {
        let (b, mut limbs) = (self.backend, self.limbs);
        for i in 0..5 {
            limbs[i] = b.subtract(limbs[i], other.limbs[i]);
        }
        let once = b.less(limbs[4], b.splat(1));
        let again = b.less(limbs[4], b.splat(1u64.wrapping_sub(Self::ONCE[4])));
        for i in 0..5 {
            let twice = b.splat(Self::TWICE[i]);
            limbs[i] = b.select(once, b.add(limbs[i], twice), limbs[i]);
            limbs[i] = b.select(again, b.add(limbs[i], twice), limbs[i]);
        }
        Self::new(b, Self::carried(b, limbs))
    }

    /// The same elements below p.
    #[inline(always)]
    pub fn canonical(self) -> Self {
        self.without(Self::TWICE).without(Self::ONCE)
    }

    /// Takes a number away where that leaves no negative one.
    #[inline(always)]
    fn without(self, number: [u64; 5]) -> Self {
        let (b, mut limbs) = (self.backend, self.limbs);
        for i in 0..5 {
            limbs[i] = b.subtract(limbs[i], b.splat(number[i]));
        }
        let limbs = Self::carried(b, limbs);
        let is_negative = b.less(limbs[4], b.splat(0));
        self.replaced(!is_negative, Self { limbs, ..self })
    }

    /// Other elements where the mask has ones.
    #[inline(always)]
    pub fn replaced(self, mask: u8, other: Self) -> Self {
        let (b, mut limbs) = (self.backend, self.limbs);
        for i in 0..5 {
            limbs[i] = b.select(mask, other.limbs[i], limbs[i]);
        }
        Self::new(b, limbs)
    }

    /// In which lanes there may be zero: those where there is, 0, p, 2p or 3p, and by the first limb alone one of 2^50 others.
    #[inline(always)]
    pub fn may_be_zero(self) -> u8 {
        let (b, limb) = (self.backend, self.limbs[0]);
        let [once, twice, thrice] = [Self::ONCE[0], Self::TWICE[0], Self::THRICE[0]];
        let multiples = b.equal(limb, b.splat(once)) | b.equal(limb, b.splat(twice)) | b.equal(limb, b.splat(thrice));
        self.may_be_written_zero() | multiples
    }

    /// In which lanes there may be zeros in every limb: those where there are, and by the first limb alone one of 2^52 others.
    #[inline(always)]
    pub fn may_be_written_zero(self) -> u8 {
        self.backend.equal(self.limbs[0], self.backend.splat(0))
    }

    /// Lane j of the elements i becomes lane i of the elements j.
    #[inline(always)]
    pub fn transpose(rows: &mut [Self; 8]) {
        let b = rows[0].backend;
        for limb in 0..5 {
            let mut words = [rows[0].limbs[limb]; 8];
            for i in 0..8 {
                words[i] = rows[i].limbs[limb];
            }
            let words = b.transpose(words);
            for i in 0..8 {
                rows[i].limbs[limb] = words[i];
            }
        }
    }

    /// Whether every lane is below B, with limbs in their places.
    fn are_bounded(self) -> bool {
        let limbs = self.limbs.map(|words| self.backend.words(words));
        let mut bound = Self::THRICE;
        bound[4] += 2;
        (0..8).all(|lane| {
            let element = limbs.map(|words| words[lane]);
            element.iter().all(|limb| *limb <= LOW_52) && element.iter().rev().lt(bound.iter().rev())
        })
    }
}

#[cfg(test)]
mod tests;
