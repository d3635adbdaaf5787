//! The seat's jobs beside the seat's task, measured. One proof is made at a time in a process, and those of a seat in the order
//! of its wishes: a proof uses all cores, and two at once would only make both late. Verifying takes milliseconds and waits
//! for nothing.

use super::Done;
use super::prover::{Times, take_times};
use crate::seat::{self, Event, Job, JobId};
use game::{MessageId, Notice};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::spawn_blocking;

/// The one proof that a process may be making.
static PROVING: Semaphore = Semaphore::const_new(1);

/// Runs jobs and gives their results as events.
pub(super) struct Jobs {
    done: UnboundedSender<Done>,
    proofs: UnboundedSender<(JobId, Job)>,
}

impl Jobs {
    pub fn new(done: UnboundedSender<Done>) -> Self {
        let (proofs, mut queue) = mpsc::unbounded_channel();
        let results = done.clone();
        tokio::spawn(async move {
            while let Some((id, job)) = queue.recv().await {
                // The semaphore is never closed.
                let permit = PROVING.acquire().await;
                run(id, job, &results).await;
                drop(permit);
                // A runtime that is gone wants no more proofs.
                if results.is_closed() {
                    return;
                }
            }
        });
        Self { done, proofs }
    }

    /// Has a job run; its result comes as [`Event::Done`].
    pub fn run(&self, id: JobId, job: Job) {
        if let Job::Receive(..) = job {
            let done = self.done.clone();
            tokio::spawn(async move { run(id, job, &done).await });
        } else {
            // The queue ends only with the runtime.
            let _ = self.proofs.send((id, job));
        }
    }
}

async fn run(id: JobId, job: Job, results: &UnboundedSender<Done>) {
    let subject = Subject::of(&job);
    let work = move || {
        take_times();
        (job.run(), take_times())
    };
    // A job catches its panics; anything else is the end of the runtime.
    if let Ok((done, times)) = spawn_blocking(work).await {
        // A proof that doesn't verify is none.
        let failed = matches!(done, seat::Done::ProveMove(Err(_)));
        let measured = subject.measured(times).filter(|_| !failed);
        let _ = results.send(Done::Job(Event::Done(id, done), measured));
    }
}

/// What a job is about.
enum Subject {
    Move(u16),
    Giving(MessageId),
    Receiving(MessageId),
}

impl Subject {
    fn of(job: &Job) -> Self {
        match job {
            Job::ProveMove { ply, .. } => Self::Move(*ply),
            Job::Give(id, _) => Self::Giving(*id),
            Job::Receive(id, _) => Self::Receiving(*id),
        }
    }

    fn measured(self, times: Times) -> Option<Notice> {
        let prove_s = times.prove.map(|time| time.as_secs_f64());
        let verify_ms = times.verify.map(|time| time.as_secs_f64() * 1e3);
        Some(match self {
            Self::Move(ply) => Notice::TurnProved { ply, prove_s: prove_s?, verify_ms: verify_ms? },
            Self::Giving(MessageId { ply, phase, .. }) => Notice::AnswerProved { ply, phase, prove_s: prove_s? },
            Self::Receiving(MessageId { ply, phase, .. }) => {
                Notice::AnswerVerified { ply, phase, verify_ms: verify_ms? }
            }
        })
    }
}
