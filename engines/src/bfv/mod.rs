//! Trust: both players must follow the protocol; a receiver that doesn't may look everywhere, a sender may show any board.
//!
//! Sight by one product under two-party homomorphic encryption: the sender encrypts what stands where (its *item* vector), the receiver
//! where it looks (its *view* vector), and the product of both is opened to the receiver alone. From the note *Fog of war chess*
//! (<https://hackmd.io/@GmJnylgPT2mD6YGCz2uVkA/H1t8vrmST>), whose vectors have a place a square; here they have one for every square of every
//! line of sight, so that pieces hide what stands behind them.
//!
//! The scheme is that of Brakerski, Fan and Vercauteren (<https://eprint.iacr.org/2012/144>) with the joint keys of Mouchet, Troncoso-Pastoriza, Bossuat
//! and Hubaux, *Multiparty homomorphic encryption from ring-learning-with-errors* (<https://eprint.iacr.org/2020/304>), section 4, for two players.
//! Encryption, products and decryption are `fhe`'s; shares of keys and of decryptions are made here over its polynomials, since those of
//! its own module for several parties have no smudging and no bytes.
//!
//! Sizes and the noise in [`parameters`], findings in `slots`, the set-up in `set_up`, an exchange in `sender` and
//! `receiver`. The vectors are [`crate::bfv::vector`]'s.

#[cfg(test)]
mod attack;
pub mod captured;
#[cfg(test)]
mod cheats;
mod cipher;
pub mod decryption;
pub mod encrypted;
mod flood;
pub mod integers;
pub(crate) mod key_share;
mod keys;
#[cfg(test)]
mod noise;
mod own;
pub mod parameters;
mod proofs;
mod receiver;
mod refusal;
mod ring;
mod sender;
mod set_up;
pub mod shares;
mod slots;
mod transcript;
pub mod vector;

#[cfg(test)]
mod pairs;

use crate::replay::{Accountable, registered};
use fog::engine::{About, BoxedParty, Branch, Claims, Engine, Fault, Game, GameKeys, Seed, Trust};
use proofs::AllVerified;
pub use proofs::RingProofs;
use rules::Color;
use set_up::SetUp;
use std::sync::Arc;

const ABOUT: About = About {
    name: "bfv",
    trust: Trust::SemiHonest,
    caveat: "a cheating receiver sees the whole board, a cheating sender shows any board",
    claims: Claims {
        proven: "nothing; a hash of the product is compared",
        cheating_receiver: "a view of everything, so the whole board",
        cheating_sender: "any items; a wrong product is caught, a wrong share mostly",
        security: "128 bits, ring learning with errors; flood of 2⁻⁸²",
    },
    max_message: parameters::OPENING_BYTES,
};

/// The engine, and what makes and checks its proofs, if it has any.
#[derive(Clone, Default)]
pub struct Bfv {
    proofs: Option<Arc<dyn RingProofs>>,
}

impl Bfv {
    pub const ABOUT: &'static About = &ABOUT;

    /// The engine in a game whose keys, ciphertexts and captures are proven.
    pub fn proven(proofs: Arc<dyn RingProofs>) -> Self {
        Self { proofs: Some(proofs) }
    }

    /// The engine of such a game that is over.
    pub(crate) fn verified() -> Self {
        Self::proven(Arc::new(AllVerified::new()))
    }
}

impl Accountable for Bfv {
    fn by_branch(&self, color: Color, branch: Branch, game: &Game) -> BoxedParty<Arc<dyn GameKeys>> {
        Box::new(SetUp::new(color, branch, game.clone(), self.proofs.clone()))
    }
}

impl Engine for Bfv {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        Ok(self.by_branch(color, registered(&ABOUT, color, seed, game)?, game))
    }
}
