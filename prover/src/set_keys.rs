//! The proofs of sets, *shown* and *asked*, behind `fog`'s trait [`SetProofs`].

use crate::{KeyError, Keys, Progress, Srs};
use circuits::{AskedCircuit, ShownCircuit, StatementCircuit};
use fog::engine::Cause;
use fog::psi::proofs::SetProofs;
use fog::statement::set::{
    asked::{AskedPrivate, AskedPublic},
    shown::{ShownPrivate, ShownPublic},
};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Keys of both statements, and what blinds proofs. Made once in a process, and shared.
#[derive(Debug)]
pub struct SetKeys {
    shown: Keys<ShownCircuit<false>>,
    asked: Keys<AskedCircuit<false>>,
    rng: Mutex<ChaCha20Rng>,
}

impl SetKeys {
    /// Base-two logarithm of the rows that parameters must be for.
    pub const K: u32 = <ShownCircuit<false> as StatementCircuit>::K;

    /// Takes the keys from the folder `cache`, or makes them (some ten seconds each) and puts them there. `rng` blinds all proofs.
    pub fn load_or_make(srs: &Srs, cache: &Path, progress: &dyn Progress, rng: ChaCha20Rng) -> Result<Self, KeyError> {
        let shown = Keys::load_or_make(srs, cache, progress)?;
        Ok(Self { shown, asked: Keys::load_or_make(srs, cache, progress)?, rng: Mutex::new(rng) })
    }

    /// The keys of *shown*.
    pub fn shown(&self) -> &Keys<ShownCircuit<false>> {
        &self.shown
    }

    /// The keys of *asked*.
    pub fn asked(&self) -> &Keys<AskedCircuit<false>> {
        &self.asked
    }

    /// Randomness of its own for a proof.
    fn blinding(&self) -> ChaCha20Rng {
        let mut seed = [0; 32];
        self.rng.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut seed);
        ChaCha20Rng::from_seed(seed)
    }
}

impl SetProofs for SetKeys {
    fn prove_shown(&self, public: &ShownPublic, private: &ShownPrivate) -> Result<Vec<u8>, Cause> {
        Ok(self.shown.prove(public, private, self.blinding())?)
    }

    fn verify_shown(&self, public: &ShownPublic, proof: &[u8]) -> Result<(), Cause> {
        Ok(self.shown.verify(public, proof)?)
    }

    fn prove_asked(&self, public: &AskedPublic, private: &AskedPrivate) -> Result<Vec<u8>, Cause> {
        Ok(self.asked.prove(public, private, self.blinding())?)
    }

    fn verify_asked(&self, public: &AskedPublic, proof: &[u8]) -> Result<(), Cause> {
        Ok(self.asked.verify(public, proof)?)
    }
}
