//! Who makes and verifies the proofs of tag, and how long that took.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use contest::tag::{Proofs, Tag};
use fog::engine::Cause;
use fog::statement::{Proves, Statement};

use super::error::GameError;
use super::game::Proven;

/// A proof system that threads share.
pub type Prover = Arc<dyn Proofs>;

/// Runs what makes or verifies proofs on a blocking thread; gives what was made along.
pub(super) async fn run<T: Send + 'static>(
    prover: &Prover,
    work: impl FnOnce(&(dyn Proofs + 'static)) -> T + Send + 'static,
) -> Result<(T, Proven), GameError<Tag>> {
    let timed = Arc::new(Timed { proofs: prover.clone(), made: AtomicU32::new(0), spent: AtomicU64::new(0) });
    let at_work = timed.clone();
    let done = tokio::task::spawn_blocking(move || work(&*at_work)).await;
    let done = done.map_err(|error| GameError::Stopped(error.to_string()))?;
    let seconds = timed.spent.load(Ordering::Relaxed) as f64 / 1e9;
    Ok((done, Proven { proofs: timed.made.load(Ordering::Relaxed), seconds }))
}

/// Proofs with a clock.
///
/// An absent proof passes. It stands for what was said through another contract, whose calldata doesn't show it: the contract of the game, whose code is
/// known, has verified it, and takes none of that length. Else an opponent could keep this program from answering by playing through a contract.
struct Timed {
    proofs: Prover,
    made: AtomicU32,
    /// Nanoseconds spent in making them.
    spent: AtomicU64,
}

impl<S: Statement> Proves<S> for Timed
where
    dyn Proofs: Proves<S>,
{
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        let start = Instant::now();
        let proof = Proves::<S>::prove(&*self.proofs, public, private)?;
        self.made.fetch_add(1, Ordering::Relaxed);
        self.spent.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(proof)
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        if proof.is_empty() { Ok(()) } else { Proves::<S>::verify(&*self.proofs, public, proof) }
    }
}
