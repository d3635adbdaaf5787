//! What the algorithms ask of a processor.

use crate::limbs::Limbs;

/// Operations on eight words of 64 bits beside each other. A value of the type is the proof that the processor has them.
///
/// What uses them is `#[inline(always)]` up to the closure that is given to [`Backend::enter`]: an instruction that isn't inlined there
/// costs a call.
pub(crate) trait Backend: Copy + Send + Sync + 'static {
    type Words: Copy + Send + Sync;

    /// What a person calls it.
    fn name(self) -> &'static str;
    /// Does the work where the instructions may be inlined.
    fn enter<T>(self, work: impl FnOnce() -> T) -> T;

    fn splat(self, word: u64) -> Self::Words;
    fn words(self, words: Self::Words) -> [u64; 8];
    fn add(self, a: Self::Words, b: Self::Words) -> Self::Words;
    fn subtract(self, a: Self::Words, b: Self::Words) -> Self::Words;
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;
    fn or(self, a: Self::Words, b: Self::Words) -> Self::Words;
    fn shift_left<const BITS: u32>(self, a: Self::Words) -> Self::Words;
    fn shift_right<const BITS: u32>(self, a: Self::Words) -> Self::Words;
    /// Shifts with copies of the sign.
    fn shift_right_signed<const BITS: u32>(self, a: Self::Words) -> Self::Words;
    /// Adds the low 52 bits of the products of the factors' low 52 bits.
    fn add_low(self, sum: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Adds the high 52 bits of the products of the factors' low 52 bits.
    fn add_high(self, sum: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// In which lanes the words are equal: bit i for lane i.
    fn equal(self, a: Self::Words, b: Self::Words) -> u8;
    /// In which lanes the first word is less, as signed numbers.
    fn less(self, a: Self::Words, b: Self::Words) -> u8;
    /// The first words where the mask has ones, the second where it has zeros.
    fn select(self, mask: u8, ones: Self::Words, zeros: Self::Words) -> Self::Words;
    /// Limb i of the element j becomes lane j of the words i.
    fn load(self, elements: [&Limbs; 8]) -> [Self::Words; 4];
    /// The reverse of [`Self::load`], to elements that follow each other.
    fn store(self, words: [Self::Words; 4], elements: &mut [Limbs; 8]);
    /// Lane j of the words i becomes lane i of the words j.
    fn transpose(self, rows: [Self::Words; 8]) -> [Self::Words; 8];
}
