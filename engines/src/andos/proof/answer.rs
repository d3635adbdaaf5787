//! That an answer says what the question's four elements hold: each, times `y` where the bit is 1, is a residue. So the sender can't answer
//! otherwise than by the packet that it has opened with.
//!
//! A root itself can't be shown: of two questions for one square two roots would give the primes away. So the prover shows that it knows the
//! four roots (A. Fiat and A. Shamir, *How to prove yourself*, 1986): 128 squares `s²`, to each four challenge bits from a hash of all of them,
//! and `s` times the roots whose bits are set. A non-residue passes once in 2¹²⁸ tries.
//!
//! Wire: the hash (32 bytes), then 128 products of 256 bytes.

use crate::andos::{
    packet::{BITS, SQUARE},
    public_key::{ELEMENT, PublicKey, to_bytes},
    random::StreamKey,
    secret_key::SecretKey,
};
use crypto_bigint::U2048;
use fog::{
    engine::{Word, digest},
    word::WORD,
};
use rand_chacha::rand_core::RngCore;
use rayon::prelude::*;

/// Squares that are challenged.
const ROUNDS: usize = 128;
/// Bytes of a proof.
pub const ANSWER_PROOF: usize = WORD + ROUNDS * ELEMENT;

/// The elements that are residues if an answer is right.
fn residues(key: &PublicKey, square: &[u8], answer: u8) -> [U2048; BITS] {
    std::array::from_fn(|bit| {
        let element = U2048::from_be_slice(&square[bit * ELEMENT..][..ELEMENT]);
        if answer >> bit & 1 == 1 { key.mul(&element, key.y()) } else { element }
    })
}

/// The hash from which challenges come.
fn hash(key: &PublicKey, context: &Word, square: &[u8], answer: u8, squares: &[U2048]) -> Word {
    let squares: Vec<u8> = squares.iter().flat_map(to_bytes).collect();
    digest([&b"fogmate/andos/answer/1"[..], &key.to_bytes(), context, square, &[answer], &squares])
}

/// Four bits for each round.
fn challenges(hash: &Word) -> Vec<u8> {
    let mut rng = StreamKey::from_bytes(*hash).stream(0);
    (0..ROUNDS).map(|_| (rng.next_u32() & 0xf) as u8).collect()
}

/// A number times those of four factors whose bits are set.
fn times(key: &PublicKey, number: &U2048, factors: &[U2048], bits: u8) -> U2048 {
    let chosen = factors.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
    chosen.fold(*number, |product, (_, factor)| key.mul(&product, factor))
}

/// Proves an answer to the elements of one square of a question.
pub fn prove(key: &SecretKey, context: &Word, square: &[u8], answer: u8, randomness: &StreamKey) -> Vec<u8> {
    let public = key.public();
    let residues = residues(public, square, answer);
    let roots: Vec<U2048> = residues.par_iter().map(|residue| key.root(residue)).collect();
    let mut rng = randomness.stream(0);
    let secrets: Vec<U2048> = (0..ROUNDS).map(|_| public.random(&mut rng)).collect();
    let squares: Vec<U2048> = secrets.par_iter().map(|secret| public.square(secret)).collect();
    let hash = hash(public, context, square, answer, &squares);
    let shown = secrets.par_iter().zip(challenges(&hash)).map(|(secret, bits)| times(public, secret, &roots, bits));
    let shown: Vec<U2048> = shown.collect();
    hash.into_iter().chain(shown.iter().flat_map(to_bytes)).collect()
}

/// Whether [`ANSWER_PROOF`] bytes prove an answer to the elements of one square of an own question.
pub fn is_proven(key: &PublicKey, context: &Word, square: &[u8], answer: u8, proof: &[u8]) -> bool {
    if square.len() != SQUARE || proof.len() != ANSWER_PROOF {
        return false;
    }
    let (given, shown) = proof.split_at(WORD);
    let given: Word = std::array::from_fn(|i| given[i]);
    let inverses = key.invert_all(&residues(key, square, answer));
    let squares = shown.par_chunks(ELEMENT).zip(challenges(&given)).map(|(shown, bits)| {
        let shown = key.element(shown).filter(|shown| *shown != U2048::ZERO)?;
        Some(times(key, &key.square(&shown), &inverses, bits))
    });
    let squares: Option<Vec<U2048>> = squares.collect();
    squares.is_some_and(|squares| hash(key, context, square, answer, &squares) == given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::andos::{
        packet::{SQUARES, decrypt, encrypt},
        random::KEY_BYTES,
    };

    const CONTEXT: Word = [9; WORD];

    /// The sender does its best for every answer; only the right one is proven.
    #[test]
    fn the_right_answer_alone_is_proven() {
        let stream = |byte| StreamKey::from_bytes([byte; KEY_BYTES]);
        let key = SecretKey::generate(&stream(1));
        let packet = encrypt(&key, &[5; SQUARES], &stream(2));
        let square = &packet[SQUARE..2 * SQUARE];
        assert_eq!(decrypt(&key, square, &stream(3), 0), 5);
        for answer in 0..16 {
            let proof = prove(&key, &CONTEXT, square, answer, &stream(4));
            assert_eq!(is_proven(key.public(), &CONTEXT, square, answer, &proof), answer == 5);
        }
        let proof = prove(&key, &CONTEXT, square, 5, &stream(5));
        let is_proven = |proof: &[u8]| is_proven(key.public(), &CONTEXT, square, 5, proof);
        assert!(is_proven(&proof) && !is_proven(&proof[1..]));
        for place in [0, WORD, ANSWER_PROOF - 1] {
            let mut wrong = proof.clone();
            wrong[place] ^= 1;
            assert!(!is_proven(&wrong));
        }
        let elsewhere = [8; WORD];
        assert!(!super::is_proven(key.public(), &elsewhere, square, 5, &proof));
    }
}
