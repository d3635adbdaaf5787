//! Eight lanes by AVX-512 IFMA, which multiplies words of 52 bits.
#![allow(unsafe_code)]

use crate::backend::{Backend, inlined};
use crate::words::Words;
use std::arch::x86_64::*;

/// A processor that has `avx512f` and `avx512ifma`: there is no other way to one of these than [`Ifma::detect`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ifma(());

impl Ifma {
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma")).then_some(Self(()))
    }
}

/// Asks the memory for what will be read soon.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    // SAFETY: every x86-64 processor has SSE, and a hint reads nothing.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
}

/// Instructions that compute, without touching memory, and need what the token in `self` stands for.
macro_rules! instructions {
    ($($work:tt)*) => {
        // SAFETY: there is an `Ifma`, so `detect` has found these features on this processor, and none of these reads or writes memory.
        unsafe { $($work)* }
    };
}

impl Backend for Ifma {
    type Vector = __m512i;

    fn name(self) -> &'static str {
        "AVX-512 IFMA"
    }

    #[inline(always)]
    fn enter<T>(self, work: impl FnOnce() -> T) -> T {
        #[inline]
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn inside<T>(work: impl FnOnce() -> T) -> T {
            work()
        }
        // SAFETY: there is an `Ifma`, so `detect` has found these features on this processor.
        unsafe { inside(work) }
    }

    inlined! {
        fn splat(self, word: u64) -> __m512i { instructions! { _mm512_set1_epi64(word.cast_signed()) } }
        fn add(self, a: __m512i, b: __m512i) -> __m512i { instructions! { _mm512_add_epi64(a, b) } }
        fn subtract(self, a: __m512i, b: __m512i) -> __m512i { instructions! { _mm512_sub_epi64(a, b) } }
        fn and(self, a: __m512i, b: __m512i) -> __m512i { instructions! { _mm512_and_si512(a, b) } }
        fn or(self, a: __m512i, b: __m512i) -> __m512i { instructions! { _mm512_or_si512(a, b) } }
        fn shift_left<const BITS: u32>(self, a: __m512i) -> __m512i { instructions! { _mm512_slli_epi64::<BITS>(a) } }
        fn shift_right<const BITS: u32>(self, a: __m512i) -> __m512i { instructions! { _mm512_srli_epi64::<BITS>(a) } }
        fn shift_right_signed<const BITS: u32>(self, a: __m512i) -> __m512i { instructions! { _mm512_srai_epi64::<BITS>(a) } }
        fn add_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
            instructions! { _mm512_madd52lo_epu64(sum, a, b) }
        }
        fn add_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
            instructions! { _mm512_madd52hi_epu64(sum, a, b) }
        }
        fn equal(self, a: __m512i, b: __m512i) -> u8 { instructions! { _mm512_cmpeq_epi64_mask(a, b) } }
        fn less(self, a: __m512i, b: __m512i) -> u8 { instructions! { _mm512_cmplt_epi64_mask(a, b) } }
        fn select(self, mask: u8, ones: __m512i, zeros: __m512i) -> __m512i {
            instructions! { _mm512_mask_blend_epi64(mask, zeros, ones) }
        }
    }

    #[inline(always)]
    fn words(self, words: __m512i) -> [u64; 8] {
        let mut result = [0; 8];
        // SAFETY: there is an `Ifma`, so the processor has the instruction; it writes 64 bytes, which `result` has.
        unsafe { _mm512_storeu_si512(result.as_mut_ptr().cast(), words) };
        result
    }

    #[inline(always)]
    fn load(self, elements: [&Words; 8]) -> [__m512i; 4] {
        let [a, b, c, d, e, f, g, h] = elements;
        self.transpose_quarters([self.halves(a, e), self.halves(b, f), self.halves(c, g), self.halves(d, h)])
    }

    #[inline(always)]
    fn store(self, words: [__m512i; 4], elements: &mut [Words; 8]) {
        let rows = self.transpose_quarters(words);
        for i in 0..4 {
            // SAFETY: there is an `Ifma`, so the processor has the instructions; each store writes 32 bytes, which is what `Words` has.
            unsafe {
                _mm256_storeu_si256(elements[i].as_mut_ptr().cast(), _mm512_castsi512_si256(rows[i]));
                _mm256_storeu_si256(elements[i + 4].as_mut_ptr().cast(), _mm512_extracti64x4_epi64::<1>(rows[i]));
            }
        }
    }

    #[inline(always)]
    fn transpose(self, rows: [__m512i; 8]) -> [__m512i; 8] {
        let low = self.transpose_quarters([rows[0], rows[1], rows[2], rows[3]]);
        let high = self.transpose_quarters([rows[4], rows[5], rows[6], rows[7]]);
        let mut result = rows;
        for i in 0..4 {
            result[i] = instructions! { _mm512_shuffle_i64x2::<0b01_00_01_00>(low[i], high[i]) };
            result[i + 4] = instructions! { _mm512_shuffle_i64x2::<0b11_10_11_10>(low[i], high[i]) };
        }
        result
    }
}

impl Ifma {
    /// Two elements in the halves of a vector.
    #[inline(always)]
    fn halves(self, low: &Words, high: &Words) -> __m512i {
        // SAFETY: there is an `Ifma`, so the processor has the instructions; each load reads 32 bytes, which is what `Words` has.
        unsafe {
            let low = _mm512_castsi256_si512(_mm256_loadu_si256(low.as_ptr().cast()));
            _mm512_inserti64x4::<1>(low, _mm256_loadu_si256(high.as_ptr().cast()))
        }
    }

    /// In both halves: lane j of row i becomes lane i of row j.
    #[inline(always)]
    fn transpose_quarters(self, rows: [__m512i; 4]) -> [__m512i; 4] {
        let [a, b, c, d] = rows;
        instructions! {{
            // Of each pair of rows the even lanes of one beside those of the other, and the odd ones; then pairs of lanes.
            let [first, second] = [_mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15)];
            let even = [_mm512_unpacklo_epi64(a, b), _mm512_unpacklo_epi64(c, d)];
            let odd = [_mm512_unpackhi_epi64(a, b), _mm512_unpackhi_epi64(c, d)];
            [
                _mm512_permutex2var_epi64(even[0], first, even[1]),
                _mm512_permutex2var_epi64(odd[0], first, odd[1]),
                _mm512_permutex2var_epi64(even[0], second, even[1]),
                _mm512_permutex2var_epi64(odd[0], second, odd[1]),
            ]
        }}
    }
}

#[cfg(test)]
mod tests {
    use super::Ifma;
    use crate::words::Words;

    /// `test/run.py` runs this one alone under AddressSanitizer, which must end it: a load that reads too far is seen.
    #[test]
    #[ignore = "reads out of bounds"]
    fn a_load_reads_behind_the_heap() {
        let Some(ifma) = Ifma::detect() else { return println!("not run: this processor has no AVX-512 IFMA") };
        let words = Box::new([0u64; 4]);
        // SAFETY: there is none. The last word lies behind the box, and this process is there to be ended for it.
        let behind: &Words = unsafe { &*words.as_ptr().add(1).cast() };
        std::hint::black_box(ifma.halves(behind, behind));
    }
}
