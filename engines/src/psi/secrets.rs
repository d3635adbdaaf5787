//! An exchange's secrets, which follow from the player's branch and from all that was said before ([`Transcript`]): so no exponent and no blinding is
//! ever used for two exchanges or after other messages.

use super::group::Group;
use crate::transcript::{self, Labels};
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

/// The labels of exchanges of sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfSets;

impl Labels for OfSets {
    const MESSAGES: &'static str = "fogmate/psi/transcript/1";
    const SECRETS: &'static str = "fogmate/psi/secret/1";
}

pub type Transcript = transcript::Transcript<OfSets>;

impl Transcript {
    /// A word bound to everything said.
    pub fn bind(&self, label: &str) -> Word {
        digest([label.as_bytes(), self.word()])
    }

    pub fn scalar<G: Group>(&self, branch: &Branch, label: &str) -> Secret<G::Scalar> {
        Secret([G::scalar(&self.uniform(branch, label))])
    }

    pub fn exponent<G: Group>(&self, branch: &Branch) -> Secret<G::Scalar> {
        Secret([G::exponent(&self.uniform(branch, EXPONENT))])
    }

    /// `count` secret scalars, from a stream cipher keyed by one secret.
    pub fn scalars<G: Group>(&self, branch: &Branch, label: &str, count: usize) -> Secrets<G::Scalar> {
        let mut stream = ChaCha20Rng::from_seed(*self.key(branch, label));
        let mut wide = Zeroizing::new([0; 64]);
        let mut scalars = Secrets(Vec::with_capacity(count));
        for _ in 0..count {
            stream.fill_bytes(&mut *wide);
            scalars.0.push(G::scalar(&wide));
        }
        scalars
    }
}
