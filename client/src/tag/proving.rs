//! Who makes and verifies proofs, and how long that took.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tag::statement::{
    capture::{CapturePrivate, CapturePublic},
    reply::{ReplyPrivate, ReplyPublic},
    step::{StepPrivate, StepPublic},
};
use tag::{Cause, Proofs};

use super::error::TagError;

/// A proof system that threads share.
pub type Prover = Arc<dyn Proofs + Send + Sync>;

/// Proofs that were made for an action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proven {
    pub proofs: u32,
    /// How long they took together, in seconds.
    pub seconds: f64,
}

/// Runs what makes or verifies proofs on a blocking thread; gives what was made along.
pub(super) async fn run<T: Send + 'static>(
    prover: &Prover,
    work: impl FnOnce(&dyn Proofs) -> T + Send + 'static,
) -> Result<(T, Proven), TagError> {
    let prover = prover.clone();
    let job = move || {
        let timed = Timed { proofs: &*prover, made: Cell::default(), spent: Cell::default() };
        let done = work(&timed);
        (done, Proven { proofs: timed.made.get(), seconds: timed.spent.get().as_secs_f64() })
    };
    tokio::task::spawn_blocking(job).await.map_err(|error| TagError::Stopped(error.to_string()))
}

/// Proofs with a clock.
struct Timed<'a> {
    proofs: &'a dyn Proofs,
    made: Cell<u32>,
    spent: Cell<Duration>,
}

impl Timed<'_> {
    fn prove(&self, make: impl FnOnce(&dyn Proofs) -> Result<Vec<u8>, Cause>) -> Result<Vec<u8>, Cause> {
        let start = Instant::now();
        let proof = make(self.proofs)?;
        self.made.set(self.made.get() + 1);
        self.spent.set(self.spent.get() + start.elapsed());
        Ok(proof)
    }
}

impl Proofs for Timed<'_> {
    fn proof_bytes(&self) -> usize {
        self.proofs.proof_bytes()
    }

    fn prove_step(&self, public: &StepPublic, private: &StepPrivate) -> Result<Vec<u8>, Cause> {
        self.prove(|proofs| proofs.prove_step(public, private))
    }

    fn prove_reply(&self, public: &ReplyPublic, private: &ReplyPrivate) -> Result<Vec<u8>, Cause> {
        self.prove(|proofs| proofs.prove_reply(public, private))
    }

    fn prove_capture(&self, public: &CapturePublic, private: &CapturePrivate) -> Result<Vec<u8>, Cause> {
        self.prove(|proofs| proofs.prove_capture(public, private))
    }

    fn verify_step(&self, public: &StepPublic, proof: &[u8]) -> Result<(), Cause> {
        self.proofs.verify_step(public, proof)
    }

    fn verify_reply(&self, public: &ReplyPublic, proof: &[u8]) -> Result<(), Cause> {
        self.proofs.verify_reply(public, proof)
    }

    fn verify_capture(&self, public: &CapturePublic, proof: &[u8]) -> Result<(), Cause> {
        self.proofs.verify_capture(public, proof)
    }
}

/// For what was said through another contract, whose calldata doesn't show the proofs: the contract of the game, whose code is known, has verified
/// them. Else an opponent could keep this program from answering by playing through a contract.
pub(super) struct ByTheContract;

impl Proofs for ByTheContract {
    fn proof_bytes(&self) -> usize {
        0
    }

    fn prove_step(&self, _: &StepPublic, _: &StepPrivate) -> Result<Vec<u8>, Cause> {
        Err("nothing is proved here".into())
    }

    fn prove_reply(&self, _: &ReplyPublic, _: &ReplyPrivate) -> Result<Vec<u8>, Cause> {
        Err("nothing is proved here".into())
    }

    fn prove_capture(&self, _: &CapturePublic, _: &CapturePrivate) -> Result<Vec<u8>, Cause> {
        Err("nothing is proved here".into())
    }

    fn verify_step(&self, _: &StepPublic, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }

    fn verify_reply(&self, _: &ReplyPublic, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }

    fn verify_capture(&self, _: &CapturePublic, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }
}
