//! How hundreds of words of calldata are bound to one root (protocol section 7): a point `z`, and the value `y` there of the polynomial
//! that has the words for coefficients.
//!
//! As public inputs the words would cost a contract more than it can pay, and to hash them as the circuits do, more still. So a circuit
//! takes only a root, `z` and `y`, computes the root of the values that it speaks of, and says that these have the value `y` at `z`;
//! the contract computes `z` and `y` from the root and from calldata. The values under a root are fixed before `z`, which is a hash of
//! that root: other words in calldata would give the same `y` only at one of fewer than 733 points in `|F|`. Without the root in the
//! circuit and in the hash this would bind nothing, since for a known `z` some values have any `y`.
//!
//! The words must be below the modulus: whoever reads them from bytes refuses others ([`from_word`](crate::word::from_word); the contract
//! does too), since the polynomial doesn't tell a word from one larger by the modulus.

use crate::{
    F,
    word::{keccak256, reduce, to_word},
};
use ff::Field;

/// A point, and a polynomial's value there: two public inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub z: F,
    pub y: F,
}

/// What binds `values`, in the order of calldata, to their root: `z = keccak256(root ‖ values) mod |F|` over big-endian words, and
/// `y = Σ vᵢ·zⁱ` with `i` from 0.
pub fn binding(root: F, values: &[F]) -> Binding {
    let words = std::iter::once(&root).chain(values);
    let bytes: Vec<u8> = words.flat_map(to_word).collect();
    let z = reduce(&keccak256(&bytes));
    Binding { z, y: evaluate(values, z) }
}

/// `Σ vᵢ·zⁱ`, by Horner's rule from the last value to the first.
pub fn evaluate(values: &[F], z: F) -> F {
    values.iter().rev().fold(F::ZERO, |sum, value| sum * z + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_is_the_constant_coefficient() {
        let values = [3, 5, 7].map(F::from);
        assert_eq!(evaluate(&values, F::from(10)), F::from(753));
        assert_eq!(evaluate(&[], F::from(10)), F::ZERO);
    }
}
