//! The one hash of engines over several byte strings.

use super::Word;
use crate::word::{reduce, to_word};
use sha3::{Digest, Keccak256};

/// keccak256 over the parts, each after its length (8 bytes, big-endian), so that no two lists of parts run together.
pub fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Word {
    let mut hash = Keccak256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// The digest of parts as a word that the chain takes: reduced modulo `|F|`.
pub fn chain_digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Word {
    to_word(&reduce(&digest(parts)))
}
