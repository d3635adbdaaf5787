//! What proves and verifies for a runtime: the real keys of *turn* and *answer* (protocol, section 7), behind a trait so
//! that tests can put something else in their place.

use circuits::{AnswerCircuit, StatementCircuit, TurnCircuit};
use fog::statement::{
    answer::{AnswerPrivate, AnswerPublic},
    turn::{TurnPrivate, TurnPublic},
};
use prover::{KeyError, Keys, Pin, Progress, ProofError, Srs, SrsError};
use rand::rngs::OsRng;
use std::any::Any;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Why there is no prover.
#[derive(Debug, thiserror::Error)]
pub enum ProverError {
    /// The parameters can't be used.
    #[error(transparent)]
    Parameters(#[from] SrsError),
    /// There are no keys.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

/// Proves and verifies the statements of a game. Called on threads that may block.
pub trait Prover: Send + Sync {
    /// Waits until a proof may be made, where several players share a machine. What is returned is held while the proof
    /// is made; the waiting isn't counted as proving.
    fn admit(&self) -> Option<Box<dyn Any>> {
        None
    }

    /// Proves a turn.
    fn prove_turn(&self, public: &TurnPublic, private: &TurnPrivate)
    -> Result<Vec<u8>, ProofError>;
    /// Verifies a turn proof.
    fn verify_turn(&self, public: &TurnPublic, proof: &[u8]) -> Result<(), ProofError>;
    /// Proves an answer.
    fn prove_answer(
        &self,
        public: &AnswerPublic,
        private: &AnswerPrivate,
    ) -> Result<Vec<u8>, ProofError>;
    /// Verifies an answer proof.
    fn verify_answer(&self, public: &AnswerPublic, proof: &[u8]) -> Result<(), ProofError>;
}

/// Where the KZG parameters come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// Parameters whose secret everybody knows: for local chains only.
    Development,
    /// A ceremony's file.
    File {
        /// The file, `.ptau` or Ignition.
        path: PathBuf,
        /// Which file it must be.
        pin: Pin,
    },
}

impl Parameters {
    /// The parameters for circuits of 2^k rows.
    pub fn load(&self, k: u32, cache: &Path, progress: &dyn Progress) -> Result<Srs, SrsError> {
        match self {
            Self::Development => Ok(Srs::development(k, cache, progress)),
            Self::File { path, pin } => Srs::load(path, *pin, k, cache, progress),
        }
    }
}

/// The prover that is shipped: halo2 with keys from a cache.
pub struct KeyProver {
    turn: Keys<TurnCircuit>,
    answer: Keys<AnswerCircuit>,
    lock: Option<PathBuf>,
}

impl fmt::Debug for KeyProver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyProver({:?}, {:?})", self.turn, self.answer)
    }
}

impl KeyProver {
    /// Takes both statements' keys from the folder `cache`, or makes them and puts them there.
    pub fn load_or_make(
        parameters: &Parameters,
        cache: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, ProverError> {
        let srs = parameters.load(TurnCircuit::K, cache, progress)?;
        let turn = Keys::load_or_make(&srs, cache, progress)?;
        let srs = if AnswerCircuit::K == TurnCircuit::K {
            srs
        } else {
            parameters.load(AnswerCircuit::K, cache, progress)?
        };
        let answer = Keys::load_or_make(&srs, cache, progress)?;
        Ok(Self {
            turn,
            answer,
            lock: None,
        })
    }

    /// The same, but a proof is made only while the lock of this file is held: where several players share a machine, each
    /// proof then has all cores, and the measured seconds are its own.
    #[must_use]
    pub fn with_lock(self, lock: Option<PathBuf>) -> Self {
        Self { lock, ..self }
    }

    /// The keys of *turn*.
    pub fn turn(&self) -> &Keys<TurnCircuit> {
        &self.turn
    }

    /// The keys of *answer*.
    pub fn answer(&self) -> &Keys<AnswerCircuit> {
        &self.answer
    }
}

impl Prover for KeyProver {
    fn admit(&self) -> Option<Box<dyn Any>> {
        // Without the lock the proof only takes longer. It is released when the file is closed, also by a sudden end.
        let file = File::create(self.lock.as_ref()?).ok()?;
        file.lock().ok()?;
        Some(Box::new(file))
    }

    fn prove_turn(
        &self,
        public: &TurnPublic,
        private: &TurnPrivate,
    ) -> Result<Vec<u8>, ProofError> {
        self.turn.prove(public, private, OsRng)
    }

    fn verify_turn(&self, public: &TurnPublic, proof: &[u8]) -> Result<(), ProofError> {
        self.turn.verify(public, proof)
    }

    fn prove_answer(
        &self,
        public: &AnswerPublic,
        private: &AnswerPrivate,
    ) -> Result<Vec<u8>, ProofError> {
        self.answer.prove(public, private, OsRng)
    }

    fn verify_answer(&self, public: &AnswerPublic, proof: &[u8]) -> Result<(), ProofError> {
        self.answer.verify(public, proof)
    }
}
