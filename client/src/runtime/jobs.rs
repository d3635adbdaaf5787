//! The seat's jobs beside the seat's task, measured. A process makes one proof at a time: a proof uses all cores, and two at once would
//! only make both late. Once one has ended, the most urgent of the seat's waiting proofs is next. A running one is stopped only if nobody awaits it, never for a
//! more urgent one. Verifying takes milliseconds and waits for nothing.

use super::Completion;
use super::proof_times::ProofTimes;
use super::prover::{Cancel, JobWatch, OnStage, Times, take_times, watch_by};
use crate::seat::{Done, Event, Job, JobId, JobKind};
use ::prover::ProofStage;
use fog::engine::Phase;
use game::{MessageId, MessageKind, Notice, ProofJob, SessionId};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::spawn_blocking;

/// The one proof that a process may be making.
static PROVING: Semaphore = Semaphore::const_new(1);

/// Who waits for a proof, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// This player, whose clock runs: its own move.
    OwnMove,
    /// The opponent, who wants to see what its move has uncovered.
    PostAnswer,
    /// The opponent, once this player's move is final.
    PreAnswer,
}

/// Runs jobs and gives their results as events.
pub(super) struct Jobs {
    done: UnboundedSender<Completion>,
    times: Arc<ProofTimes>,
    /// Proofs to be made, the next one first.
    waiting: BTreeMap<(Urgency, JobId), Job>,
    /// The proof that is being made, until its end is told.
    running: Option<(JobId, Cancel)>,
}

impl Jobs {
    pub fn new(done: UnboundedSender<Completion>, times: ProofTimes) -> Self {
        Self { done, times: Arc::new(times), waiting: BTreeMap::new(), running: None }
    }

    /// Has a job run; its result comes as [`Event::Done`], unless it is not awaited any more.
    pub fn run(&mut self, id: JobId, job: Job) {
        let urgency = match job.kind {
            // What has a deadline of its own goes first: it loses the game.
            JobKind::ProvePublished(..) | JobKind::ProveRequest(_) => Urgency::OwnMove,
            JobKind::ProveFifty | JobKind::ProveNoMove | JobKind::ProveMove(_) => Urgency::OwnMove,
            JobKind::Give(MessageId { phase: Phase::Post, .. }) => Urgency::PostAnswer,
            JobKind::Give(_) => Urgency::PreAnswer,
            JobKind::Receive(_) | JobKind::VerifyMove(_) | JobKind::SetUp => {
                tokio::spawn(run(id, job, Cancel::default(), self.times.clone(), self.done.clone()));
                return;
            }
        };
        self.waiting.insert((urgency, id), job);
        self.prove();
    }

    /// Begins the next proof, unless one is being made.
    fn prove(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(((_, id), job)) = self.waiting.pop_first() else { return };
        let (cancel, times, done) = (Cancel::default(), self.times.clone(), self.done.clone());
        self.running = Some((id, cancel.clone()));
        tokio::spawn(async move {
            // The semaphore is never closed; another seat of this process may hold it.
            let _permit = PROVING.acquire().await;
            if !cancel.is_cancelled() {
                run(id, job, cancel, times, done.clone()).await;
            }
            let _ = done.send(Completion::Ended);
        });
    }

    /// The proof that was being made is over, whatever came of it.
    pub fn ended(&mut self) {
        self.running = None;
        self.prove();
    }

    /// Forgets the proofs that nobody awaits, and stops the one that is being made.
    pub fn keep(&mut self, awaits: impl Fn(JobId) -> bool) {
        self.waiting.retain(|(_, id), _| awaits(*id));
        if let Some((_, cancel)) = self.running.as_ref().filter(|(id, _)| !awaits(*id)) {
            cancel.cancel();
        }
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.keep(|_| false);
    }
}

async fn run(id: JobId, job: Job, cancel: Cancel, known: Arc<ProofTimes>, results: UnboundedSender<Completion>) {
    let kind = job.kind;
    let stopped = cancel.clone();
    let watch = JobWatch { cancel, on_stage: progress(kind, &known, &results) };
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
    use std::path::Path;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    fn jobs() -> (Jobs, UnboundedReceiver<Completion>) {
        let (done, results) = unbounded_channel();
        (Jobs::new(done, ProofTimes::open(Path::new("nowhere"))), results)
    }

    fn job(kind: JobKind) -> Job {
        Job::test(kind, || Done::VerifyMove(Ok(())))
    }

    /// The numbers of the jobs that give a result, in this order, until all have ended.
    async fn results(jobs: &mut Jobs, results: &mut UnboundedReceiver<Completion>) -> Vec<JobId> {
        let mut ids = Vec::new();
        while jobs.running.is_some() {
            match results.recv().await {
                Some(Completion::Job(Event::Done(id, _))) => ids.push(id),
                Some(Completion::Ended) => jobs.ended(),
                _ => panic!("something else was told"),
            }
        }
        ids
    }

    #[test]
    fn only_a_move_that_was_proven_has_a_time_to_tell() {
        assert!(is_failed(&Done::ProveMove(Err(Fault::internal("it doesn't verify")))));
        assert!(!is_failed(&Done::ProveMove(Ok(vec![1]))));
    }

    #[test]
    fn a_step_of_a_session_tells_its_processor_time() {
        let (ply, phase) = (2, Phase::Post);
        let told = |kind| measured(kind, Times::default(), Duration::from_millis(500));
        let stepped = |kind, ply, phase| Some(Notice::Stepped { kind, ply, phase, cpu_ms: 500.0 });
        let id = SessionId::Exchange { ply, phase }.message(3, false);
        for step in [JobKind::Give(id), JobKind::Receive(id)] {
            assert_eq!(told(step), stepped(MessageKind::Exchange, ply, phase));
        }
        assert_eq!(told(JobKind::SetUp), stepped(MessageKind::SetUp, 0, Phase::Pre));
    }

    #[tokio::test]
    async fn the_most_urgent_goes_first_and_of_equals_the_first() {
        let (mut jobs, mut told) = jobs();
        let ids: Vec<JobId> = (0..6).map(JobId::test).collect();
        let answer = |phase| JobKind::Give(MessageId { ply: 2, phase, kind: MessageKind::Answer, index: 0 });
        let (own, post, pre) = (JobKind::ProveMove(2), answer(Phase::Post), answer(Phase::Pre));
        jobs.run(ids[0], Job::test(pre, || panic!("the end of a job, too")));
        for (id, kind) in ids[1..].iter().zip([pre, post, own, post, own]) {
            jobs.run(*id, job(kind));
        }
        assert_eq!(results(&mut jobs, &mut told).await, [3, 5, 2, 4, 1].map(|place| ids[place]));
    }

    #[tokio::test]
    async fn what_nobody_awaits_is_forgotten_or_stopped() {
        let (mut jobs, mut told) = jobs();
        let ids: Vec<JobId> = (0..3).map(JobId::test).collect();
        let (begins, begun) = std::sync::mpsc::channel();
        let (release, released) = std::sync::mpsc::channel();
        let first = Job::test(JobKind::ProveFifty, move || {
            begins.send(()).unwrap();
            released.recv().unwrap();
            Done::VerifyMove(Ok(()))
        });
        jobs.run(ids[0], first);
        ids[1..].iter().for_each(|id| jobs.run(*id, job(JobKind::ProveFifty)));
        spawn_blocking(move || begun.recv()).await.unwrap().unwrap();
        let (running, cancel) = jobs.running.clone().unwrap();
        jobs.keep(|id| id != ids[1]);
        assert!(running == ids[0] && !cancel.is_cancelled());
        jobs.keep(|id| id == ids[2]);
        assert!(cancel.is_cancelled());
        release.send(()).unwrap();
        assert_eq!(results(&mut jobs, &mut told).await, [ids[2]], "what was stopped gives no result");
    }

    #[tokio::test]
    async fn what_runs_is_stopped_once_nobody_runs_jobs() {
        let (mut jobs, mut told) = jobs();
        (0..2).for_each(|number| jobs.run(JobId::test(number), job(JobKind::ProveFifty)));
        let (_, cancel) = jobs.running.clone().unwrap();
        drop(jobs);
        assert!(cancel.is_cancelled());
        assert!(matches!(told.recv().await, Some(Completion::Ended)));
        assert!(told.recv().await.is_none(), "nothing else runs");
    }
}
