//! Who makes and verifies proofs, and how long that took.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use fog::engine::Cause;
use fog::statement::{Proves, Statement};
use tag::Proofs;

use super::error::TagError;

/// A proof system that threads share.
pub type Prover = Arc<dyn Proofs>;

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
        let timed = Timed { proofs: &*prover, made: AtomicU32::new(0), spent: AtomicU64::new(0) };
        let done = work(&timed);
        let seconds = timed.spent.into_inner() as f64 / 1e9;
        (done, Proven { proofs: timed.made.into_inner(), seconds })
    };
    tokio::task::spawn_blocking(job).await.map_err(|error| TagError::Stopped(error.to_string()))
}

/// Proofs with a clock.
struct Timed<'a> {
    proofs: &'a dyn Proofs,
    made: AtomicU32,
    /// Nanoseconds spent in making them.
    spent: AtomicU64,
}

impl<'a, S: Statement> Proves<S> for Timed<'a>
where
    dyn Proofs + 'a: Proves<S>,
{
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        let start = Instant::now();
        let proof = Proves::<S>::prove(self.proofs, public, private)?;
        self.made.fetch_add(1, Ordering::Relaxed);
        self.spent.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(proof)
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        Proves::<S>::verify(self.proofs, public, proof)
    }
}

/// For what was said through another contract, whose calldata doesn't show the proofs: the contract of the game, whose code is known, has verified
/// them. Else an opponent could keep this program from answering by playing through a contract.
pub(super) struct ByTheContract;

impl<S: Statement> Proves<S> for ByTheContract {
    fn prove(&self, _: &S::Public, _: &S::Private) -> Result<Vec<u8>, Cause> {
        Err("nothing is proved here".into())
    }

    fn verify(&self, _: &S::Public, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }
}
