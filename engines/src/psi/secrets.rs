//! What an exchange's secrets and proofs hang on: the player's branch, the exchange's id and all that was said before.
//!
//! ```text
//! T_0     = the exchange's id
//! T_(i+1) = digest("fogmate/psi/transcript/1", T_i, content of message i)
//! secret  = PRF(branch; digest("fogmate/psi/secret/1", label, T_i))
//! ```
//!
//! So no exponent and no blinding is ever used for two exchanges or after other messages, and a crash is undone by replay.

use super::group::Group;
use fog::{
    engine::{Branch, CommittedState, Exchange, Phase, Word, digest},
    secret::wipe_all,
};
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{RngCore, SeedableRng},
};
use rules::{Color, Side};
use std::ops::Deref;
use zeroize::Zeroizing;

/// Secret scalars, overwritten when they are dropped.
#[derive(Clone)]
pub struct Secrets<S: Default + Copy>(Vec<S>);

impl<S: Default + Copy> Deref for Secrets<S> {
    type Target = [S];

    fn deref(&self) -> &[S] {
        &self.0
    }
}

impl<S: Default + Copy> Drop for Secrets<S> {
    fn drop(&mut self) {
        wipe_all(&mut self.0);
    }
}

/// One secret scalar, overwritten when it is dropped.
#[derive(Clone)]
pub struct Secret<S: Default + Copy>([S; 1]);

impl<S: Default + Copy> Deref for Secret<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0[0]
    }
}

impl<S: Default + Copy> Drop for Secret<S> {
    fn drop(&mut self) {
        wipe_all(&mut self.0);
    }
}

/// What the sender's exponent is derived under.
pub const EXPONENT: &str = "exponent";

/// What a party knows before the first message.
#[derive(Clone)]
pub struct Own {
    /// The public facts of the exchange.
    pub exchange: Exchange,
    /// The own state, as committed to.
    pub state: CommittedState,
    pub id: Word,
    /// The engine's branch of the own seed.
    pub branch: Branch,
}

fog::redacted!(Own);

impl Own {
    /// The own board, its captured piece removed.
    pub fn board(&self) -> Side {
        self.exchange.board(&self.state.side)
    }

    /// Before or after the receiver's move.
    pub fn phase(&self) -> Phase {
        self.exchange.phase
    }

    /// Who gets the sight.
    pub fn receiver(&self) -> Color {
        self.exchange.receiver()
    }
}

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

    pub fn uniform(&self, branch: &Branch, label: &str) -> Zeroizing<[u8; 64]> {
        branch.prf(&digest([&b"fogmate/psi/secret/1"[..], label.as_bytes(), &self.0]))
    }

    pub fn scalar<G: Group>(&self, branch: &Branch, label: &str) -> Secret<G::Scalar> {
        Secret([G::scalar(&self.uniform(branch, label))])
    }

    pub fn exponent<G: Group>(&self, branch: &Branch) -> Secret<G::Scalar> {
        Secret([G::exponent(&self.uniform(branch, EXPONENT))])
    }

    /// `count` secret scalars, from a stream cipher keyed by one secret.
    pub fn scalars<G: Group>(&self, branch: &Branch, label: &str, count: usize) -> Secrets<G::Scalar> {
        let uniform = self.uniform(branch, label);
        let mut key = Zeroizing::new([0; 32]);
        key.copy_from_slice(&uniform[..32]);
        let mut stream = ChaCha20Rng::from_seed(*key);
        let mut wide = Zeroizing::new([0; 64]);
        let mut scalars = Secrets(Vec::with_capacity(count));
        for _ in 0..count {
            stream.fill_bytes(&mut *wide);
            scalars.0.push(G::scalar(&wide));
        }
        scalars
    }
}
