//! What a session's secrets and seals hang on: the player's branch, the session's id and all that was said before.
//!
//! ```text
//! T_0     = the session's id
//! T_(i+1) = digest("fogmate/bfv/transcript/1", T_i, content of message i)
//! stream  = ChaCha20 under the first 32 bytes of PRF(branch; digest("fogmate/bfv/secret/1", label, T_i))
//! seal    = digest("fogmate/bfv/seal/1", T_i, content of message i, product or nothing)
//! ```
//!
//! So no error and no key is ever drawn for two sessions or after other messages, and a crash is undone by replay. A seal shows that both
//! players have heard the same; it proves nothing else.

use fog::engine::{Branch, Word, chain_digest, digest};
use rand_chacha_09::{ChaCha20Rng, rand_core::SeedableRng};
use zeroize::Zeroizing;

/// All that was said so far, as one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transcript(Word);

impl Transcript {
    /// The transcript of a session before its first message.
    pub fn new(id: &Word) -> Self {
        Self(*id)
    }

    /// The transcript with one more message, without its seal.
    pub fn with(self, content: &[u8]) -> Self {
        Self(digest([&b"fogmate/bfv/transcript/1"[..], &self.0, content]))
    }

    /// The seal of the next message, over the product that it goes with, if any.
    pub fn seal(&self, content: &[u8], product: &[u8]) -> Word {
        chain_digest([&b"fogmate/bfv/seal/1"[..], &self.0, content, product])
    }

    /// The commitment to what a player will say.
    pub fn commitment(&self, content: &[u8]) -> Word {
        digest([&b"fogmate/bfv/commitment/1"[..], &self.0, content])
    }

    /// The secret stream of a label. No label is used twice with one transcript.
    pub fn stream(&self, branch: &Branch, label: &str) -> ChaCha20Rng {
        let uniform = branch.prf(&digest([&b"fogmate/bfv/secret/1"[..], label.as_bytes(), &self.0]));
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(&uniform[..32]);
        ChaCha20Rng::from_seed(*key)
    }
}
