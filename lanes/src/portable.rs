//! Eight lanes by plain integers.

use crate::backend::{Backend, inlined};
use crate::words::Words;
use std::array::from_fn;

const LOW_52: u64 = (1 << 52) - 1;

/// Any processor will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portable;

#[inline(always)]
fn product(a: u64, b: u64) -> u128 {
    u128::from(a & LOW_52) * u128::from(b & LOW_52)
}

#[inline(always)]
fn mask(lanes: impl Fn(usize) -> bool) -> u8 {
    (0..8).filter(|lane| lanes(*lane)).map(|lane| 1 << lane).sum()
}

impl Backend for Portable {
    type Vector = [u64; 8];

    fn name(self) -> &'static str {
        "eight lanes of plain integers"
    }

    #[inline(always)]
    fn enter<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }

    inlined! {
        fn splat(self, word: u64) -> [u64; 8] { [word; 8] }
        fn add(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] { from_fn(|lane| a[lane].wrapping_add(b[lane])) }
        fn subtract(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] { from_fn(|lane| a[lane].wrapping_sub(b[lane])) }
        fn and(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] { from_fn(|lane| a[lane] & b[lane]) }
        fn or(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] { from_fn(|lane| a[lane] | b[lane]) }
        fn shift_left<const BITS: u32>(self, a: [u64; 8]) -> [u64; 8] { a.map(|word| word << BITS) }
        fn shift_right<const BITS: u32>(self, a: [u64; 8]) -> [u64; 8] { a.map(|word| word >> BITS) }
        fn shift_right_signed<const BITS: u32>(self, a: [u64; 8]) -> [u64; 8] {
            a.map(|word| (word.cast_signed() >> BITS).cast_unsigned())
        }
        fn add_low(self, sum: [u64; 8], a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
            from_fn(|lane| sum[lane].wrapping_add(product(a[lane], b[lane]) as u64 & LOW_52))
        }
        fn add_high(self, sum: [u64; 8], a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
            from_fn(|lane| sum[lane].wrapping_add((product(a[lane], b[lane]) >> 52) as u64))
        }
        fn equal(self, a: [u64; 8], b: [u64; 8]) -> u8 { mask(|lane| a[lane] == b[lane]) }
        fn less(self, a: [u64; 8], b: [u64; 8]) -> u8 { mask(|lane| a[lane].cast_signed() < b[lane].cast_signed()) }
        fn select(self, mask: u8, ones: [u64; 8], zeros: [u64; 8]) -> [u64; 8] {
            from_fn(|lane| if mask >> lane & 1 == 1 { ones[lane] } else { zeros[lane] })
        }
    }

    #[inline(always)]
    fn words(self, words: [u64; 8]) -> [u64; 8] {
        words
    }

    #[inline(always)]
    fn load(self, elements: [&Words; 8]) -> [[u64; 8]; 4] {
        from_fn(|limb| elements.map(|element| element[limb]))
    }

    #[inline(always)]
    fn store(self, words: [[u64; 8]; 4], elements: &mut [Words; 8]) {
        *elements = from_fn(|lane| words.map(|words| words[lane]));
    }

    #[inline(always)]
    fn transpose(self, rows: [[u64; 8]; 8]) -> [[u64; 8]; 8] {
        from_fn(|i| rows.map(|row| row[i]))
    }
}
