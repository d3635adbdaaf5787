//! That a public key is well formed: its modulus has two prime factors, and `y` is a non-residue with Jacobi symbol +1. So every element with
//! symbol +1 is `r²` or `y·r²`, and a question's packet hides its permutation from the sender, however it made its own packets.
//!
//! Let `u` be the smallest number with Jacobi symbol −1. For each of 128 elements `x` that a hash of the key gives, the prover shows a root of
//! one of `x, x·y, x·u, x·u·y`. These four cosets are all only if the residues have index 4 or less and `y`, `u` generate the rest; else they
//! are half of the elements at most, and a false key passes once in 2¹²⁸ tries. An index of 2 is left, that of a prime power `pᵉ`; the
//! verifier sees that itself, since `p` then divides `2ᵐ − 2`. Nothing is told: who may choose the hash's values makes such roots without the primes.
//!
//! Wire: 128 times the coset (1 byte: bit 0 for `y`, bit 1 for `u`) and the root (256 bytes).

use crate::andos::{
    public_key::{ELEMENT, PublicKey, to_bytes},
    random::StreamKey,
    secret_key::SecretKey,
};
use crypto_bigint::U2048;
use fog::engine::{Word, digest};
use rayon::prelude::*;

/// Elements whose roots are shown.
const ELEMENTS: usize = 128;
/// Bytes of a coset and a root.
const ROOT: usize = 1 + ELEMENT;
/// Bytes of a proof.
pub const KEY_PROOF: usize = ELEMENTS * ROOT;

/// The elements that a proof is about.
fn elements(key: &PublicKey, context: &Word) -> Vec<U2048> {
    let seed = digest([&b"fogmate/andos/key/1"[..], context, &key.to_bytes()]);
    let stream = StreamKey::from_bytes(seed);
    (0..ELEMENTS).map(|number| key.random(&mut stream.stream(number))).collect()
}

/// The smallest number, as it is written, with Jacobi symbol −1.
fn opposite(key: &PublicKey) -> U2048 {
    let numbers = (2..=u64::MAX).map(U2048::from_u64);
    let mut numbers = numbers.filter(|number| key.jacobi(number) == -1);
    numbers.next().expect("one of the first few, unless the modulus is a square")
}

/// One of the four cosets' members that belong to an element.
fn member(key: &PublicKey, x: &U2048, u: &U2048, coset: u8) -> U2048 {
    let times = |x: U2048, factor: &U2048, bit: u8| if coset >> bit & 1 == 1 { key.mul(&x, factor) } else { x };
    times(times(*x, key.y(), 0), u, 1)
}

/// Proves that a key is well formed, in a context that says whose it is.
pub fn prove(key: &SecretKey, context: &Word) -> Vec<u8> {
    let public = key.public();
    let u = opposite(public);
    let elements = elements(public, context);
    let proofs = elements.par_iter().map(|x| {
        let mut cosets = (0..4).map(|coset| (coset, member(public, x, &u, coset)));
        // Of an honest key one of them has a root.
        let found = cosets.find(|(_, element)| key.symbols(element) == [1, 1]);
        let (coset, root) = found.map_or((0, U2048::ZERO), |(coset, element)| (coset, key.root(&element)));
        [&[coset][..], &to_bytes(&root)].concat()
    });
    proofs.flatten_iter().collect()
}

/// Why a key or its proof is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyProofError {
    /// The modulus may be a power of a prime.
    #[error("the modulus may be a power of a prime")]
    OnePrime,
    /// A root is none.
    #[error("the modulus has more than two prime factors, or y is a residue")]
    Root,
}

/// Checks a proof of [`KEY_PROOF`] bytes.
pub fn verify(key: &PublicKey, context: &Word, proof: &[u8]) -> Result<(), KeyProofError> {
    fog::ensure!(key.has_two_primes(), KeyProofError::OnePrime);
    let u = opposite(key);
    let elements = elements(key, context);
    let is_root = |(x, shown): (&U2048, &[u8])| {
        let root = key.element(&shown[1..]).filter(|_| shown[0] < 4);
        root.is_some_and(|root| key.square(&root) == member(key, x, &u, shown[0]))
    };
    let is_right = proof.len() == KEY_PROOF && elements.iter().zip(proof.chunks(ROOT)).all(is_root);
    is_right.then_some(()).ok_or(KeyProofError::Root)
}

#[cfg(test)]
mod tests;
