//! 256-bit words: how field elements look in hashes, on the wire and in calldata (protocol section 5 and "Encodings").
//!
//! A word is 32 bytes, big-endian, and canonical: a value not below the modulus is refused, never reduced.
//! This is not a general serialisation layer; the wire formats themselves are in [`request`](crate::engine::sight_lines::request) and
//! [`answer`](crate::engine::sight_lines::answer).

use crate::F;
use ff::{FromUniformBytes, PrimeField};
use sha3::{Digest, Keccak256};

/// Bytes in a word.
pub const WORD: usize = 32;
/// A word: the bytes of a number as the chain has it, big-endian.
pub type Word = [u8; WORD];

/// The big-endian word of a field element (of `F`, or of the group order's field).
pub fn to_word<T: PrimeField<Repr = [u8; WORD]>>(value: &T) -> [u8; WORD] {
    let mut word = value.to_repr();
    word.reverse();
    word
}

/// The field element of a big-endian word; `None` if the word is not below the modulus.
pub fn from_word<T: PrimeField<Repr = [u8; WORD]>>(word: &[u8; WORD]) -> Option<T> {
    let mut repr = *word;
    repr.reverse();
    T::from_repr(repr).into()
}

/// The word of a small number.
pub fn small_word(value: u64) -> [u8; WORD] {
    let mut word = [0; WORD];
    word[WORD - 8..].copy_from_slice(&value.to_be_bytes());
    word
}

/// A field element as an integer of at most `bits` (up to 63) bits; `None` if it is larger.
pub fn to_small(value: F, bits: usize) -> Option<u64> {
    let repr = value.to_repr();
    let (low, high) = repr.split_at(8);
    let number = u64::from_le_bytes(low.try_into().ok()?);
    (high.iter().all(|byte| *byte == 0) && number >> bits == 0).then_some(number)
}

/// A word as an integer, reduced modulo `|F|`: for hash outputs only.
pub fn reduce(word: &[u8; WORD]) -> F {
    let mut wide = [0; 2 * WORD];
    for (low, byte) in wide.iter_mut().zip(word.iter().rev()) {
        *low = *byte;
    }
    F::from_uniform_bytes(&wide)
}

/// Keccak-256 of bytes, as the EVM computes it.
pub fn keccak256(data: &[u8]) -> [u8; WORD] {
    Keccak256::digest(data).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::Field;

    #[test]
    fn keccak_is_the_one_of_the_evm() {
        let empty = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
        let abc = "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45";
        assert_eq!(hex::encode(keccak256(b"")), empty);
        assert_eq!(hex::encode(keccak256(b"abc")), abc);
    }

    #[test]
    fn words_are_canonical() {
        let top = to_word(&-F::ONE);
        assert_eq!(from_word::<F>(&top), Some(-F::ONE));
        let mut modulus = top;
        modulus[WORD - 1] += 1;
        assert_eq!(from_word::<F>(&modulus), None);
        assert_eq!(from_word::<F>(&[0xff; WORD]), None);
        assert_eq!(reduce(&modulus), F::ZERO);
        assert_eq!(from_word::<F>(&small_word(7)), Some(F::from(7)));
        assert_eq!(to_small(F::from(511), 9), Some(511));
        assert_eq!(to_small(F::from(512), 9), None);
        assert_eq!(to_small(-F::ONE, 9), None);
        assert_eq!(to_small(F::from_raw([1, 1, 0, 0]), 9), None);
    }
}
