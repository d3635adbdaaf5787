//! The proofs of the game of tag: its three statements behind `tag::Proofs`, whose circuits have *turn*'s shape, so one parameter set and one proof
//! length serve all.

use crate::{KeyError, Keys, Progress, Srs, Verifier};
use circuits::{StatementCircuit, TagCaptureCircuit, TagReplyCircuit, TagStepCircuit};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tag::statement::{
    capture::{CapturePrivate, CapturePublic},
    reply::{ReplyPrivate, ReplyPublic},
    step::{StepPrivate, StepPublic},
};
use tag::{Cause, Proofs};

/// Keys of the three statements, and what blinds proofs.
#[derive(Debug)]
pub struct TagProofs {
    step: Keys<TagStepCircuit>,
    reply: Keys<TagReplyCircuit>,
    capture: Keys<TagCaptureCircuit>,
    rng: Mutex<ChaCha20Rng>,
}

impl TagProofs {
    /// Base-two logarithm of the rows that parameters must be for.
    pub const K: u32 = TagStepCircuit::K;

    /// Takes the keys from the folder `cache`, or makes them (some seconds each) and puts them there. `rng` blinds all proofs.
    pub fn load_or_make(srs: &Srs, cache: &Path, progress: &dyn Progress, rng: ChaCha20Rng) -> Result<Self, KeyError> {
        Ok(Self {
            step: Keys::load_or_make(srs, cache, progress)?,
            reply: Keys::load_or_make(srs, cache, progress)?,
            capture: Keys::load_or_make(srs, cache, progress)?,
            rng: Mutex::new(rng),
        })
    }

    /// The hashes of the verifying keys: of *tag step*, *tag reply* and *tag capture*.
    pub fn key_hashes(&self) -> [[u8; 32]; 3] {
        [self.step.verifier().key_hash(), self.reply.verifier().key_hash(), self.capture.verifier().key_hash()]
    }

    /// The verifier of *tag step*.
    pub fn step_verifier(&self) -> &Verifier<TagStepCircuit> {
        self.step.verifier()
    }

    /// Randomness of its own for a proof.
    fn blinding(&self) -> ChaCha20Rng {
        let mut seed = [0; 32];
        self.rng.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut seed);
        ChaCha20Rng::from_seed(seed)
    }
}

impl Proofs for TagProofs {
    fn proof_bytes(&self) -> usize {
        self.step.verifier().proof_bytes()
    }

    fn prove_step(&self, public: &StepPublic, private: &StepPrivate) -> Result<Vec<u8>, Cause> {
        Ok(self.step.prove(public, private, self.blinding())?)
    }

    fn prove_reply(&self, public: &ReplyPublic, private: &ReplyPrivate) -> Result<Vec<u8>, Cause> {
        Ok(self.reply.prove(public, private, self.blinding())?)
    }

    fn prove_capture(&self, public: &CapturePublic, private: &CapturePrivate) -> Result<Vec<u8>, Cause> {
        Ok(self.capture.prove(public, private, self.blinding())?)
    }

    fn verify_step(&self, public: &StepPublic, proof: &[u8]) -> Result<(), Cause> {
        Ok(self.step.verify(public, proof)?)
    }

    fn verify_reply(&self, public: &ReplyPublic, proof: &[u8]) -> Result<(), Cause> {
        Ok(self.reply.verify(public, proof)?)
    }

    fn verify_capture(&self, public: &CapturePublic, proof: &[u8]) -> Result<(), Cause> {
        Ok(self.capture.verify(public, proof)?)
    }
}
