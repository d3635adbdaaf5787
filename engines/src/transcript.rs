//! What a session's secrets and proofs hang on: the player's branch, the session's id and all that was said before.
//!
//! ```text
//! T_0     = the session's id
//! T_(i+1) = digest(label of messages, T_i, content of message i)
//! secret  = PRF(branch; digest(label of secrets, label, T_i))
//! ```
//!
//! So nothing secret is ever drawn for two sessions or after other messages, and a crash is undone by replay.

use fog::engine::{Branch, Word, digest};
use std::marker::PhantomData;
use zeroize::Zeroizing;

/// The labels of a protocol, which no other has.
pub trait Labels {
    const MESSAGES: &'static str;
    const SECRETS: &'static str;
}

/// All that was said so far, as one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transcript<L>(Word, PhantomData<fn() -> L>);

impl<L: Labels> Transcript<L> {
    /// The transcript of a session before its first message.
    pub fn new(id: &Word) -> Self {
        Self(*id, PhantomData)
    }

    /// The transcript with one more message, without that message's proof.
    pub fn with(self, content: &[u8]) -> Self {
        Self(digest([L::MESSAGES.as_bytes(), &self.0, content]), PhantomData)
    }

    pub fn word(&self) -> &Word {
        &self.0
    }

    /// Secret bytes. No label is used twice with one transcript.
    pub fn uniform(&self, branch: &Branch, label: &str) -> Zeroizing<[u8; 64]> {
        branch.prf(&digest([L::SECRETS.as_bytes(), label.as_bytes(), &self.0]))
    }

    /// The key of a secret stream.
    pub fn key(&self, branch: &Branch, label: &str) -> Zeroizing<[u8; 32]> {
        let uniform = self.uniform(branch, label);
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(&uniform[..32]);
        key
    }
}
