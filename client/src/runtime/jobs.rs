//! The seat's jobs beside the seat's task, measured. A process makes one proof at a time: a proof uses all cores, and two at once would
//! only make both late. Of a seat's waiting proofs the most urgent is next. A running one is stopped only if nobody awaits it, never for a
//! more urgent one; with `--prover library` none can be stopped. Verifying takes milliseconds and waits for nothing.

use super::Completion;
use super::proof_times::ProofTimes;
use super::prover::{JobWatch, OnStage, Times, take_times, watch_by};
use super::queue::{Cancel, Queue, Urgency};
use crate::seat::{Done, Event, Job, JobId, JobKind};
use ::prover::ProofStage;
use fog::engine::Phase;
use game::{MessageId, MessageKind, Notice, ProofJob, SessionId};
use rustix::time::{ClockId, clock_gettime};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::spawn_blocking;

/// The one proof that a process may be making.
static PROVING: Semaphore = Semaphore::const_new(1);

/// Runs jobs and gives their results as events.
pub(super) struct Jobs {
    done: UnboundedSender<Completion>,
    proofs: Arc<Queue<Job>>,
    times: Arc<ProofTimes>,
}

impl Jobs {
    pub fn new(done: UnboundedSender<Completion>, times: ProofTimes) -> Self {
        let (proofs, times) = (Arc::<Queue<Job>>::default(), Arc::new(times));
        let (queue, results, known) = (proofs.clone(), done.clone(), times.clone());
        tokio::spawn(async move {
            while queue.wait().await {
                // The semaphore is never closed. The choice is made when the machine is free.
                let permit = PROVING.acquire().await;
                if let Some((id, job, cancel)) = queue.take() {
                    run(id, job, cancel, &known, &results).await;
                }
                drop(permit);
            }
        });
        Self { done, proofs, times }
    }

    /// Has a job run; its result comes as [`Event::Done`], unless it is not awaited any more.
    pub fn run(&self, id: JobId, job: Job) {
        let urgency = match job.kind {
            // What has a deadline of its own goes first: it loses the game.
            JobKind::ProvePublished(..) | JobKind::ProveRequest(_) => Urgency::OwnMove,
            JobKind::ProveFifty | JobKind::ProveNoMove | JobKind::ProveMove(_) => Urgency::OwnMove,
            JobKind::Give(MessageId { phase: Phase::Post, .. }) => Urgency::PostAnswer,
            JobKind::Give(_) => Urgency::PreAnswer,
            JobKind::Receive(_) | JobKind::VerifyMove(_) | JobKind::SetUp => {
                let (done, times) = (self.done.clone(), self.times.clone());
                tokio::spawn(async move { run(id, job, Cancel::default(), &times, &done).await });
                return;
            }
        };
        self.proofs.push(urgency, id, job);
    }

    /// Forgets the proofs that nobody awaits, and stops the one that is being made.
    pub fn keep(&self, awaits: impl Fn(JobId) -> bool) {
        self.proofs.keep(awaits);
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.proofs.close();
    }
}

async fn run(id: JobId, job: Job, cancel: Cancel, known: &ProofTimes, results: &UnboundedSender<Completion>) {
    let kind = job.kind;
    let stopped = cancel.clone();
    let watch = JobWatch { cancel, on_stage: progress(kind, known, results) };
    let work = move || {
        take_times();
        watch_by(watch);
        let before = cpu();
        let done = job.run();
        let cpu = cpu().saturating_sub(before);
        // The thread serves others after this.
        watch_by(JobWatch::default());
        (done, take_times(), cpu)
    };
    // A job catches its panics; anything else is the end of the runtime.
    if let Ok((done, times, cpu)) = spawn_blocking(work).await
        && !stopped.is_cancelled()
    {
        if let (Some((job, _)), Some(time)) = (proof(kind), times.prove) {
            known.keep(job, time);
        }
        if let Some(measured) = measured(kind, times, cpu).filter(|_| !is_failed(&done)) {
            let _ = results.send(Completion::Told(measured));
        }
        let _ = results.send(Completion::Job(Event::Done(id, done)));
    }
}

/// The processor time of this process: of an engine's step, with whatever else it did meanwhile, on all cores.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// A move that couldn't be proven has no time to tell.
fn is_failed(done: &Done) -> bool {
    matches!(done, Done::ProveMove(Err(_)))
}

/// What a player waits for with a job, and its ply.
fn proof(kind: JobKind) -> Option<(ProofJob, u16)> {
    match kind {
        JobKind::ProveMove(ply) => Some((ProofJob::Move, ply)),
        JobKind::Give(id) if !is_step(id) => Some((ProofJob::Answer, id.ply)),
        _ => None,
    }
}

/// Whether a message is one of another engine than sight-lines.
fn is_step(id: MessageId) -> bool {
    id.kind == MessageKind::Exchange
}

/// Tells how far the proof is, at each of its stages.
fn progress(kind: JobKind, known: &ProofTimes, out: &UnboundedSender<Completion>) -> Option<OnStage> {
    let ((job, ply), out, begun) = (proof(kind)?, out.clone(), OnceLock::new());
    let expected_ms = known.of(job);
    Some(Arc::new(move |stage| {
        let elapsed = begun.get_or_init(Instant::now).elapsed();
        let (stage, stages) = (stage as u8, ProofStage::ALL.len() as u8);
        let elapsed_ms = elapsed.as_millis() as u64;
        // Nobody listens once the runtime has ended.
        let _ = out.send(Completion::Told(Notice::Proof { job, ply, stage, stages, elapsed_ms, expected_ms }));
    }))
}

/// What to tell of a job that has run.
fn measured(kind: JobKind, times: Times, cpu: Duration) -> Option<Notice> {
    let prove_s = times.prove.map(|time| time.as_secs_f64());
    let verify_ms = times.verify.map(|time| time.as_secs_f64() * 1e3);
    let stepped =
        |MessageId { kind, ply, phase, .. }| Notice::Stepped { kind, ply, phase, cpu_ms: cpu.as_secs_f64() * 1e3 };
    Some(match kind {
        JobKind::ProveMove(ply) => Notice::TurnProved { ply, prove_s: prove_s?, verify_ms: verify_ms? },
        JobKind::SetUp => stepped(SessionId::SetUp.message(0, false)),
        JobKind::Give(id) | JobKind::Receive(id) if is_step(id) => stepped(id),
        JobKind::Give(MessageId { ply, phase, .. }) => Notice::AnswerProved { ply, phase, prove_s: prove_s? },
        JobKind::Receive(MessageId { ply, phase, .. }) => Notice::AnswerVerified { ply, phase, verify_ms: verify_ms? },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::engine::Fault;

    #[test]
    fn only_a_move_that_was_proven_has_a_time_to_tell() {
        assert!(is_failed(&Done::ProveMove(Err(Fault::internal("it doesn't verify")))));
        assert!(!is_failed(&Done::ProveMove(Ok(vec![1]))));
    }
}
