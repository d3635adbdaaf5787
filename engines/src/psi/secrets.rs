//! What an exchange's secrets and proofs hang on: the player's branch, the exchange's id and all that was said before.
//!
//! ```text
//! T_0     = the exchange's id
//! T_(i+1) = digest("fogmate/psi/transcript/1", T_i, content of message i)
//! secret  = PRF(branch; digest("fogmate/psi/secret/1", label, T_i))
//! ```
//!
//! So no exponent and no blinding is ever used for two exchanges or after other messages, and a crash is undone by replay.

use curve25519_dalek::scalar::Scalar;
use fog::engine::{Branch, Phase, Word, digest};
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{RngCore, SeedableRng},
};
use rules::Side;
use zeroize::Zeroizing;

/// What a party knows before the first message.
#[derive(Clone)]
pub struct Own {
    /// The own board, its captured piece removed.
    pub board: Side,
    /// Before or after the receiver's move.
    pub phase: Phase,
    /// The exchange's id.
    pub id: Word,
    /// The engine's branch of the own seed.
    pub branch: Branch,
}

fog::redacted!(Own);

/// All that was said so far, as one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transcript(Word);

impl Transcript {
    /// The transcript of an exchange before its first message.
    pub fn new(id: &Word) -> Self {
        Self(*id)
    }

    /// The transcript with one more message, without that message's proof.
    pub fn with(self, content: &[u8]) -> Self {
        Self(digest([&b"fogmate/psi/transcript/1"[..], &self.0, content]))
    }

    /// A word bound to everything said.
    pub fn bind(&self, label: &str) -> Word {
        digest([label.as_bytes(), &self.0])
    }

    fn uniform(&self, branch: &Branch, label: &str) -> Zeroizing<[u8; 64]> {
        branch.prf(&digest([&b"fogmate/psi/secret/1"[..], label.as_bytes(), &self.0]))
    }

    /// A secret scalar.
    pub fn scalar(&self, branch: &Branch, label: &str) -> Zeroizing<Scalar> {
        Zeroizing::new(Scalar::from_bytes_mod_order_wide(&self.uniform(branch, label)))
    }

    /// `count` secret scalars, from a stream cipher keyed by one secret.
    pub fn scalars(&self, branch: &Branch, label: &str, count: usize) -> Zeroizing<Vec<Scalar>> {
        let uniform = self.uniform(branch, label);
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(&uniform[..32]);
        let mut stream = ChaCha20Rng::from_seed(*key);
        let mut wide = Zeroizing::new([0; 64]);
        let mut scalars = Zeroizing::new(Vec::with_capacity(count));
        for _ in 0..count {
            stream.fill_bytes(&mut *wide);
            scalars.push(Scalar::from_bytes_mod_order_wide(&wide));
        }
        scalars
    }
}
