//! What a session's errors, keys and seals hang on ([`crate::transcript`]).
//!
//! ```text
//! stream  = ChaCha20 under the first 32 bytes of a secret
//! seal    = digest("fogmate/bfv/seal/1", T_i, content of message i, product or nothing)
//! ```
//!
//! A seal shows that both players have heard the same; it proves nothing else.

use crate::transcript::{self, Labels};
use fog::engine::{Branch, Word, chain_digest, digest};
use rand_chacha_09::{ChaCha20Rng, rand_core::SeedableRng};

/// The labels of this engine's sessions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfProducts;

impl Labels for OfProducts {
    const MESSAGES: &'static str = "fogmate/bfv/transcript/1";
    const SECRETS: &'static str = "fogmate/bfv/secret/1";
}

pub type Transcript = transcript::Transcript<OfProducts>;

impl Transcript {
    /// The seal of the next message, over the product that it goes with, if any.
    pub fn seal(&self, content: &[u8], product: &[u8]) -> Word {
        chain_digest([&b"fogmate/bfv/seal/1"[..], self.word(), content, product])
    }

    /// The commitment to what a player will say.
    pub fn commitment(&self, content: &[u8]) -> Word {
        digest([&b"fogmate/bfv/commitment/1"[..], self.word(), content])
    }

    /// The secret stream of a label. No label is used twice with one transcript.
    pub fn stream(&self, branch: &Branch, label: &str) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(*self.key(branch, label))
    }
}
