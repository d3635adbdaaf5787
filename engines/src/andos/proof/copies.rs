//! That one list of encrypted codes is a permuted re-randomisation of another, a question's packet of the sender's above all, by cut and
//! choose.
//!
//! The prover makes 64 copies of the second list, each permuted and re-randomised from a seed, and sends a digest of all. Then the
//! verifier chooses 12. Of the others the prover shows the seed, so that the verifier makes the copy from the second list; of the 12 it
//! shows how the copy comes from the *first*: both steps in one, which say nothing of either alone. If the second list doesn't come from the
//! first, no copy can be opened both ways, so the prover must have guessed all twelve: once in 2⁴¹ tries.
//!
//! Copies aren't sent: whoever opens one makes it. Wire: 52 seeds of 32 bytes, then 12 links: by place the square, by place the mask, the
//! roots; both in the order of the copies.

use super::challenge::{CHOSEN, COPIES, Challenge};
use crate::andos::{
    packet::{Form, Source},
    public_key::{ELEMENT, PublicKey, to_bytes},
    random::{KEY_BYTES, StreamKey, bytes},
};
use crypto_bigint::U2048;
use fog::engine::Word;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// Bytes of a link.
const fn link_bytes(form: &Form) -> usize {
    2 * form.squares + form.bytes()
}

/// Bytes of all openings.
pub const fn opening_bytes(form: &Form) -> usize {
    (COPIES - CHOSEN) * KEY_BYTES + CHOSEN * link_bytes(form)
}

/// Why openings are refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopiesError {
    /// A link is no permutation with allowed masks and roots that aren't 0.
    #[error("a copy is opened by what is no permuted re-randomisation")]
    Link,
    /// The copies are not those of the digest.
    #[error("the opened copies are not those that were promised")]
    Digest,
}

/// The seed of a copy.
fn seed(randomness: &StreamKey, copy: usize) -> StreamKey {
    StreamKey::from_bytes(bytes(&mut randomness.stream(copy)))
}

fn digest(copies: impl IntoIterator<Item = Word>) -> Word {
    let mut hash = Sha256::new();
    for copy in copies {
        hash.update(copy);
    }
    hash.finalize().into()
}

fn copy(key: &PublicKey, second: &Source, seed: &StreamKey) -> Word {
    Sha256::digest(second.rerandomise(key, seed).0).into()
}

/// The digest of all copies of the second list.
pub fn commit(key: &PublicKey, second: &Source, randomness: &StreamKey) -> Word {
    let copies: Vec<Word> =
        (0..COPIES).into_par_iter().map(|number| copy(key, second, &seed(randomness, number))).collect();
    digest(copies)
}

/// How the second list was made from the first.
pub struct Step {
    /// By place, the square of the first list.
    pub squares: Vec<u8>,
    /// By place, the bits that were flipped.
    pub masks: Vec<u8>,
    /// By place and bit, the root of what was multiplied.
    pub roots: Vec<U2048>,
}

impl Step {
    /// The step that randomness makes ([`Source::rerandomise`]).
    pub fn of(key: &PublicKey, form: &Form, randomness: &StreamKey) -> Self {
        let places = (0..form.squares).into_par_iter().map(|place| form.draw(key, randomness, place));
        let (masks, roots): (Vec<u8>, Vec<Vec<U2048>>) = places.unzip();
        Self { squares: form.permute(randomness), masks, roots: roots.concat() }
    }
}

/// Opens all copies. `step` is how the second list was made, `randomness` that of the copies.
pub fn open(key: &PublicKey, form: &Form, step: &Step, randomness: &StreamKey, challenge: &Challenge) -> Vec<u8> {
    let seeds = (0..COPIES).filter(|copy| !challenge.contains(*copy)).map(|copy| seed(randomness, copy).to_bytes());
    let mut openings = seeds.collect::<Vec<_>>().concat();
    let chosen: Vec<usize> = (0..COPIES).filter(|copy| challenge.contains(*copy)).collect();
    let links = chosen.into_par_iter().map(|copy| link(key, form, step, &seed(randomness, copy)));
    openings.extend(links.collect::<Vec<_>>().concat());
    openings
}

/// The way from the first list over the second to a copy, in one step.
fn link(key: &PublicKey, form: &Form, step: &Step, copy: &StreamKey) -> Vec<u8> {
    let squares = form.permute(copy);
    let mut bytes = vec![0; link_bytes(form)];
    let (places, roots) = bytes.split_at_mut(2 * form.squares);
    for (place, roots) in roots.chunks_mut(form.square_bytes()).enumerate() {
        let between = usize::from(squares[place]);
        let first = (step.masks[between], &step.roots[between * form.bits..]);
        let second = form.draw(key, copy, place);
        places[place] = step.squares[between];
        places[form.squares + place] = first.0 ^ second.0;
        for (bit, bytes) in roots.chunks_mut(ELEMENT).enumerate() {
            let root = key.mul(&first.1[bit], &second.1[bit]);
            // A bit that is flipped twice leaves the square of `y`.
            let carry = [key.one(), key.y()][usize::from((first.0 & second.0) >> bit & 1)];
            bytes.copy_from_slice(&to_bytes(&key.mul(&root, carry)));
        }
    }
    bytes
}

/// Makes the copy that a link leads to.
fn follow(key: &PublicKey, first: &Source, link: &[u8]) -> Option<Word> {
    let form = &first.form;
    let (places, roots) = link.split_at(2 * form.squares);
    let (squares, masks) = places.split_at(form.squares);
    let mut sorted = squares.to_vec();
    sorted.sort_unstable();
    let is_permutation = sorted.into_iter().map(usize::from).eq(0..form.squares);
    let may_flip = |mask: u8| if form.flips { u32::from(mask) >> form.bits == 0 } else { mask == 0 };
    if !is_permutation || !masks.iter().copied().all(may_flip) {
        return None;
    }
    let mut bytes = vec![0; form.bytes()];
    let (width, rows) = (form.square_bytes(), roots.chunks(form.square_bytes()));
    for (place, (bytes, shown)) in bytes.chunks_mut(width).zip(rows).enumerate() {
        let root = |shown| key.element(shown).filter(|root| *root != U2048::ZERO);
        let roots: Option<Vec<U2048>> = shown.chunks(ELEMENT).map(root).collect();
        first.write(key, usize::from(squares[place]), masks[place], &roots?, bytes);
    }
    Some(Sha256::digest(bytes).into())
}

/// Checks openings of [`opening_bytes`] that prove the second list to be made from the first; both have the same form.
pub fn verify(
    key: &PublicKey,
    [first, second]: [&Source; 2],
    commitment: &Word,
    challenge: &Challenge,
    openings: &[u8],
) -> Result<(), CopiesError> {
    let (seeds, links) = openings.split_at((COPIES - CHOSEN) * KEY_BYTES);
    let (mut seeds, mut links) = (seeds.chunks(KEY_BYTES), links.chunks(link_bytes(&first.form)));
    let opened: Vec<Option<&[u8]>> =
        (0..COPIES).map(|copy| if challenge.contains(copy) { links.next() } else { seeds.next() }).collect();
    let copies = opened.into_par_iter().enumerate().map(|(number, opened)| {
        let opened = opened?;
        if challenge.contains(number) {
            return follow(key, first, opened);
        }
        Some(copy(key, second, &StreamKey::from_bytes(opened.try_into().ok()?)))
    });
    let copies: Option<Vec<Word>> = copies.collect();
    let copies = copies.ok_or(CopiesError::Link)?;
    (digest(copies) == *commitment).then_some(()).ok_or(CopiesError::Digest)
}

#[cfg(test)]
mod tests;
