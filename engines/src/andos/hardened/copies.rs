//! That a question's packet is a permuted re-randomisation of the sender's, by cut and choose.
//!
//! The receiver makes 64 copies of the question's packet, each permuted and re-randomised from a seed, and sends a digest of all. Then the
//! sender chooses 12. Of the others the receiver shows the seed, so that the sender makes the copy from the question; of the 12 it shows how
//! the copy comes from the *sender's* packet: both steps in one, which say nothing of either alone. A question that doesn't come from the sender's
//! packet has no copy that can be opened both ways, so its maker must have guessed all twelve: once in 2⁴¹ tries.
//!
//! Copies aren't sent: whoever opens one makes it. Wire: 52 seeds of 32 bytes, then 12 links of 64 squares, 64 masks and 256 roots; both
//! in the order of the copies.

use super::challenge::{CHOSEN, COPIES, Challenge};
use crate::andos::{
    packet::{BITS, PACKET, SQUARE, SQUARES, Source, draw, squares},
    public_key::{ELEMENT, PublicKey, to_bytes},
    random::{KEY_BYTES, StreamKey},
};
use crypto_bigint::U2048;
use fog::engine::Word;
use rand_chacha::rand_core::RngCore;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// Bytes of a link: by place the square, then the mask, then the roots of four bits.
const LINK: usize = 2 * SQUARES + PACKET;
/// Bytes of all openings.
pub const OPENINGS: usize = (COPIES - CHOSEN) * KEY_BYTES + CHOSEN * LINK;
/// Products in making all copies, and about as many in making them again.
pub const MODMULS: u64 = (COPIES * 2 * SQUARES * BITS) as u64;

/// Why openings are refused.
#[derive(Debug, PartialEq, Eq)]
pub enum CopiesError {
    /// A link is no permutation with masks of four bits and roots that aren't 0.
    Link,
    /// The copies are not those of the digest.
    Digest,
}

impl std::fmt::Display for CopiesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Link => "a copy is opened by what is no permuted re-randomisation",
            Self::Digest => "the opened copies are not those that were promised",
        })
    }
}

impl std::error::Error for CopiesError {}

/// The seed of a copy.
fn seed(randomness: &StreamKey, copy: usize) -> StreamKey {
    let mut bytes = [0; KEY_BYTES];
    randomness.stream(copy).fill_bytes(&mut bytes);
    StreamKey::from_bytes(bytes)
}

fn digest(copies: impl IntoIterator<Item = Word>) -> Word {
    let mut hash = Sha256::new();
    for copy in copies {
        hash.update(copy);
    }
    hash.finalize().into()
}

fn copy(key: &PublicKey, question: &Source, seed: &StreamKey) -> Word {
    Sha256::digest(question.rerandomise(key, seed).0).into()
}

/// The digest of all copies of a question.
pub fn commit(key: &PublicKey, question: &Source, randomness: &StreamKey) -> Word {
    let copies: Vec<Word> =
        (0..COPIES).into_par_iter().map(|number| copy(key, question, &seed(randomness, number))).collect();
    digest(copies)
}

/// Opens all copies. `question` is the randomness that made the question from the sender's packet.
pub fn open(key: &PublicKey, question: &StreamKey, randomness: &StreamKey, challenge: &Challenge) -> Vec<u8> {
    let seeds = (0..COPIES).filter(|copy| !challenge.contains(*copy)).map(|copy| seed(randomness, copy).to_bytes());
    let mut openings = seeds.collect::<Vec<_>>().concat();
    let chosen: Vec<usize> = (0..COPIES).filter(|copy| challenge.contains(*copy)).collect();
    let links = chosen.into_par_iter().map(|copy| link(key, question, &seed(randomness, copy)));
    openings.extend(links.collect::<Vec<_>>().concat());
    openings
}

/// The way from the sender's packet over the question to a copy, in one step.
fn link(key: &PublicKey, question: &StreamKey, copy: &StreamKey) -> Vec<u8> {
    let (first, second) = (squares(question), squares(copy));
    let mut bytes = vec![0; LINK];
    let (places, roots) = bytes.split_at_mut(2 * SQUARES);
    for (place, roots) in roots.chunks_mut(SQUARE).enumerate() {
        let between = usize::from(second[place]);
        let (a, b) = (draw(key, question, between), draw(key, copy, place));
        places[place] = first[between];
        places[SQUARES + place] = a.0 ^ b.0;
        for (bit, bytes) in roots.chunks_mut(ELEMENT).enumerate() {
            let root = key.mul(&a.1[bit], &b.1[bit]);
            // A bit that is flipped twice leaves the square of `y`.
            let carry = [key.one(), key.y()][usize::from((a.0 & b.0) >> bit & 1)];
            bytes.copy_from_slice(&to_bytes(&key.mul(&root, carry)));
        }
    }
    bytes
}

/// Makes the copy that a link leads to.
fn follow(key: &PublicKey, packet: &Source, link: &[u8]) -> Option<Word> {
    let (places, roots) = link.split_at(2 * SQUARES);
    let (squares, masks) = places.split_at(SQUARES);
    let mut sorted = squares.to_vec();
    sorted.sort_unstable();
    let is_permutation = sorted.into_iter().eq(0..SQUARES as u8);
    if !is_permutation || masks.iter().any(|mask| *mask >> BITS != 0) {
        return None;
    }
    let mut bytes = vec![0; PACKET];
    for (place, (bytes, shown)) in bytes.chunks_mut(SQUARE).zip(roots.chunks(SQUARE)).enumerate() {
        let mut roots = [U2048::ZERO; BITS];
        for (root, shown) in roots.iter_mut().zip(shown.chunks(ELEMENT)) {
            *root = key.element(shown).filter(|root| *root != U2048::ZERO)?;
        }
        packet.write(key, usize::from(squares[place]), masks[place], &roots, bytes);
    }
    Some(Sha256::digest(bytes).into())
}

/// Checks openings of [`OPENINGS`] bytes: `packet` is the sender's, `question` the receiver's.
pub fn verify(
    key: &PublicKey,
    [packet, question]: [&Source; 2],
    commitment: &Word,
    challenge: &Challenge,
    openings: &[u8],
) -> Result<(), CopiesError> {
    let (seeds, links) = openings.split_at((COPIES - CHOSEN) * KEY_BYTES);
    let (mut seeds, mut links) = (seeds.chunks(KEY_BYTES), links.chunks(LINK));
    let opened: Vec<Option<&[u8]>> =
        (0..COPIES).map(|copy| if challenge.contains(copy) { links.next() } else { seeds.next() }).collect();
    let copies = opened.into_par_iter().enumerate().map(|(number, opened)| {
        let opened = opened?;
        if challenge.contains(number) {
            return follow(key, packet, opened);
        }
        Some(copy(key, question, &StreamKey::from_bytes(opened.try_into().ok()?)))
    });
    let copies: Option<Vec<Word>> = copies.collect();
    let copies = copies.ok_or(CopiesError::Link)?;
    (digest(copies) == *commitment).then_some(()).ok_or(CopiesError::Digest)
}

#[cfg(test)]
mod tests;
