//! Proofs beside the seat's task, measured. One proof is made at a time in a process, in the order of the seat's wishes: a
//! proof uses all cores, and two at once would only make both late. Verifying takes milliseconds and waits for nothing.

use super::{Done, Measurement, Prover};
use crate::link::Phase;
use crate::seat::Event;
use fog::statement::{
    answer::{AnswerPrivate, AnswerPublic},
    turn::{TurnPrivate, TurnPublic},
};
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, mpsc::UnboundedSender};
use tokio::task::{JoinHandle, spawn_blocking};

/// The one proof that a process may be making; first come, first served.
static PROVING: Semaphore = Semaphore::const_new(1);

/// Starts proofs and gives their results as events.
pub(super) struct Jobs {
    prover: Arc<dyn Prover>,
    done: UnboundedSender<Done>,
}

impl Jobs {
    pub fn new(prover: Arc<dyn Prover>, done: UnboundedSender<Done>) -> Self {
        Self { prover, done }
    }

    /// Proves a turn, and verifies the proof as the contract will.
    pub fn prove_turn(&self, ply: u16, public: Box<TurnPublic>, private: Box<TurnPrivate>) {
        let prover = self.prover.clone();
        let work = move || -> Result<_, String> {
            let (proof, prove) = timed(|| prover.prove_turn(&public, &private));
            let proof = proof.map_err(|error| error.to_string())?;
            let (verified, verify) = timed(|| prover.verify_turn(&public, &proof));
            verified.map_err(|error| error.to_string())?;
            let (prove_s, verify_ms) = (prove.as_secs_f64(), verify.as_secs_f64() * 1e3);
            Ok((
                proof,
                Measurement::TurnProved {
                    ply,
                    prove_s,
                    verify_ms,
                },
            ))
        };
        self.start(one_at_a_time(work), move |result| match flat(result) {
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
            let (proof, prove) = timed(|| prover.prove_answer(&public, &private));
            let prove_s = prove.as_secs_f64();
            let proof = proof.map_err(|error| error.to_string())?;
            Ok((
                proof,
                Measurement::AnswerProved {
                    ply,
                    phase,
                    prove_s,
                },
            ))
        };
        self.start(one_at_a_time(work), move |result| match flat(result) {
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
        let work = spawn_blocking(move || timed(|| prover.verify_answer(&public, &proof).is_ok()));
        self.start(
            async { work.await.map_err(|error| error.to_string()) },
            move |result| {
                // A proof that makes the verifier stop proves nothing.
                let (valid, verify) = result.unwrap_or((false, Duration::ZERO));
                let verify_ms = verify.as_secs_f64() * 1e3;
                let measurement = of.map(|(ply, phase)| Measurement::AnswerVerified {
                    ply,
                    phase,
                    verify_ms,
                });
                Done::Job(Event::AnswerChecked { check, valid }, measurement)
            },
        );
    }

    fn start<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, String>> + Send + 'static,
        finish: impl FnOnce(Result<T, String>) -> Done + Send + 'static,
    ) -> JoinHandle<()> {
        let done = self.done.clone();
        tokio::spawn(async move {
            // The runtime may be gone by then.
            let _ = done.send(finish(work.await));
        })
    }
}

async fn one_at_a_time<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let _permit = PROVING.acquire().await.map_err(|error| error.to_string())?;
    spawn_blocking(work)
        .await
        .map_err(|error| error.to_string())
}

fn flat<T>(result: Result<Result<T, String>, String>) -> Result<T, String> {
    result.and_then(|inner| inner)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
