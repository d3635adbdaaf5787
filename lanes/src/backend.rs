//! What the algorithms ask of a processor.

use crate::words::Words;

/// Operations on eight words of 64 bits beside each other. A value of the type is the proof that the processor has them.
///
/// What uses them is `#[inline(always)]` up to the closure that is given to [`Backend::enter`]: an instruction that isn't inlined there
/// costs a call.
pub(crate) trait Backend: Copy + Send + Sync + 'static {
    type Vector: Copy + Send + Sync;

    /// What a person calls it.
    fn name(self) -> &'static str;
    /// Does the work where the instructions may be inlined.
    fn enter<T>(self, work: impl FnOnce() -> T) -> T;

    fn splat(self, word: u64) -> Self::Vector;
    fn words(self, words: Self::Vector) -> [u64; 8];
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn subtract(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn shift_left<const BITS: u32>(self, a: Self::Vector) -> Self::Vector;
    fn shift_right<const BITS: u32>(self, a: Self::Vector) -> Self::Vector;
    /// Shifts with copies of the sign.
    fn shift_right_signed<const BITS: u32>(self, a: Self::Vector) -> Self::Vector;
    /// Adds the low 52 bits of the products of the factors' low 52 bits.
    fn add_low(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Adds the high 52 bits of the products of the factors' low 52 bits.
    fn add_high(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// In which lanes the words are equal: bit i for lane i.
    fn equal(self, a: Self::Vector, b: Self::Vector) -> u8;
    /// In which lanes the first word is less, as signed numbers.
    fn less(self, a: Self::Vector, b: Self::Vector) -> u8;
    /// The first words where the mask has ones, the second where it has zeros.
    fn select(self, mask: u8, ones: Self::Vector, zeros: Self::Vector) -> Self::Vector;
    /// Limb i of the element j becomes lane j of the words i.
    fn load(self, elements: [&Words; 8]) -> [Self::Vector; 4];
    /// The reverse of [`Self::load`], to elements that follow each other.
    fn store(self, words: [Self::Vector; 4], elements: &mut [Words; 8]);
    /// Lane j of the words i becomes lane i of the words j.
    fn transpose(self, rows: [Self::Vector; 8]) -> [Self::Vector; 8];
}

/// Methods of a backend that are one expression each, with `#[inline(always)]` before each.
macro_rules! inlined {
    ($(fn $name:ident $(<const $bits:ident: u32>)? ($this:ident $(, $argument:ident: $type:ty)*) -> $result:ty { $work:expr })*) => {
        $(#[inline(always)]
        fn $name $(<const $bits: u32>)? ($this $(, $argument: $type)*) -> $result {
            $work
        })*
    };
}

pub(crate) use inlined;
