//! Proofs beside the seat's task, measured. One proof is made at a time in a process, and those of a seat in the order of
//! its wishes: a proof uses all cores, and two at once would only make both late. Verifying takes milliseconds and waits
//! for nothing.

use super::{Done, Prover};
use crate::seat::Event;
use fog::statement::{
    answer::{AnswerPrivate, AnswerPublic},
    turn::{TurnPrivate, TurnPublic},
};
use game::Notice;
use game::Phase;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::spawn_blocking;

/// The one proof that a process may be making.
static PROVING: Semaphore = Semaphore::const_new(1);

/// A proof to be made, and what comes of it.
type Proof = Pin<Box<dyn Future<Output = Done> + Send>>;

/// Starts proofs and gives their results as events.
pub(super) struct Jobs {
    prover: Arc<dyn Prover>,
    done: UnboundedSender<Done>,
    queue: UnboundedSender<Proof>,
}

impl Jobs {
    pub fn new(prover: Arc<dyn Prover>, done: UnboundedSender<Done>) -> Self {
        let (queue, mut proofs) = mpsc::unbounded_channel::<Proof>();
        let results = done.clone();
        tokio::spawn(async move {
            while let Some(proof) = proofs.recv().await {
                // A runtime that is gone wants no more proofs.
                if results.send(proof.await).is_err() {
                    return;
                }
            }
        });
        Self {
            prover,
            done,
            queue,
        }
    }

    /// Proves a turn, and verifies the proof as the contract will.
    pub fn prove_turn(&self, ply: u16, public: Box<TurnPublic>, private: Box<TurnPrivate>) {
        let prover = self.prover.clone();
        let work = move || -> Result<_, String> {
            let admitted = prover.admit();
            let (proof, prove) = timed(|| prover.prove_turn(&public, &private));
            drop(admitted);
            let proof = proof.map_err(|error| error.to_string())?;
            let (verified, verify) = timed(|| prover.verify_turn(&public, &proof));
            verified.map_err(|error| error.to_string())?;
            let (prove_s, verify_ms) = (prove.as_secs_f64(), verify.as_secs_f64() * 1e3);
            Ok((
                proof,
                Notice::TurnProved {
                    ply,
                    prove_s,
                    verify_ms,
                },
            ))
        };
        self.enqueue(work, move |result| match result {
            Ok((proof, measurement)) => {
                Done::Job(Event::TurnProved { ply, proof }, Some(measurement))
            }
            Err(reason) => Done::Job(Event::TurnFailed { ply, reason }, None),
        });
    }

    /// Proves an answer.
    pub fn prove_answer(
        &self,
        ply: u16,
        phase: Phase,
        public: Box<AnswerPublic>,
        private: Box<AnswerPrivate>,
    ) {
        let prover = self.prover.clone();
        let work = move || -> Result<_, String> {
            let admitted = prover.admit();
            let (proof, prove) = timed(|| prover.prove_answer(&public, &private));
            drop(admitted);
            let prove_s = prove.as_secs_f64();
            let proof = proof.map_err(|error| error.to_string())?;
            Ok((
                proof,
                Notice::AnswerProved {
                    ply,
                    phase,
                    prove_s,
                },
            ))
        };
        self.enqueue(work, move |result| match result {
            Ok((proof, measurement)) => {
                Done::Job(Event::AnswerProved { ply, phase, proof }, Some(measurement))
            }
            Err(reason) => Done::Job(Event::AnswerFailed { ply, phase, reason }, None),
        });
    }

    /// Verifies the opponent's answer proof; `of` says which answer it is, for the measurement.
    pub fn verify_answer(
        &self,
        check: u64,
        of: Option<(u16, Phase)>,
        public: Box<AnswerPublic>,
        proof: Vec<u8>,
    ) {
        let prover = self.prover.clone();
        let done = self.done.clone();
        tokio::spawn(async move {
            let work = move || timed(|| prover.verify_answer(&public, &proof).is_ok());
            // A proof that makes the verifier stop proves nothing.
            let (valid, verify) = spawn_blocking(work).await.unwrap_or_default();
            let verify_ms = verify.as_secs_f64() * 1e3;
            let measurement = of.map(|(ply, phase)| Notice::AnswerVerified {
                ply,
                phase,
                verify_ms,
            });
            // The runtime may be gone by then.
            let _ = done.send(Done::Job(
                Event::AnswerChecked { check, valid },
                measurement,
            ));
        });
    }

    /// Puts a proof at the end of the queue.
    fn enqueue<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, String> + Send + 'static,
        finish: impl FnOnce(Result<T, String>) -> Done + Send + 'static,
    ) {
        let proof = async move { finish(one_at_a_time(work).await) };
        // The queue ends only with the runtime.
        let _ = self.queue.send(Box::pin(proof));
    }
}

async fn one_at_a_time<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let _permit = PROVING.acquire().await.map_err(|error| error.to_string())?;
    spawn_blocking(work)
        .await
        .map_err(|error| error.to_string())?
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
