//! One side of an engine's session as a seat runs it: set-up, a sight that is given, or one that is got. At most one step runs at a
//! time; what was accepted is told, so that it is in the journal before the reply leaves; and of the own messages only the one that the
//! peer waits for leaves by itself, so that a seat which runs a session again after a restart repeats nothing that was answered.

use super::effects::Effects;
use super::event::{Job, JobId};
use fog::engine::{self, BoxedParty, Fault, Finished, Received, Session, Word};

pub(super) struct Dialogue<T> {
    session: Session<T>,
    opens: bool,
    /// The step to run, and the one that is running.
    step: Option<engine::Job<T>>,
    job: Option<JobId>,
    /// Whether that step looks at a message.
    looks: bool,
    /// Own messages below this number have left.
    sent: usize,
    /// Whether the peer has answered something of this side by what isn't in order: see [`Self::is_closed`].
    is_closed: bool,
}

/// What came of a step.
#[derive(Debug)]
pub(super) struct Heard {
    /// The message of the peer that was accepted.
    pub accepted: Option<usize>,
    /// What is wrong with a message, or on this side.
    pub faults: Vec<Fault>,
}

impl<T> Dialogue<T> {
    /// `opens`: message 0 is this side's.
    pub fn start(party: BoxedParty<T>, opens: bool) -> Self {
        let (session, step) = Session::start(party, opens);
        Self { session, opens, step: Some(step), job: None, looks: false, sent: 0, is_closed: false }
    }

    /// Has the step run that is to be run. Says whether there was one that looks at a message.
    pub fn run(&mut self, job: impl FnOnce(engine::Job<T>) -> Job, fx: &mut Effects) -> bool {
        let Some(step) = self.step.take() else { return false };
        self.job = Some(fx.run(job(step)));
        self.looks
    }

    /// Whether this job is the running step.
    pub fn is_running(&self, job: JobId) -> bool {
        self.job == Some(job)
    }

    /// Takes a message of the peer: whether it is new.
    pub fn receive(&mut self, index: usize, bytes: &[u8]) -> Result<bool, Fault> {
        match self.session.receive(index, bytes)? {
            Received::Job(step) => (self.step, self.looks) = (Some(step), true),
            Received::Held => {}
            Received::Repeat => return Ok(false),
        }
        Ok(true)
    }

    /// The running step has run; messages that came meanwhile are looked at.
    pub fn finish(&mut self, finished: Finished<T>) -> Heard {
        self.job = None;
        let index = self.session.messages().len();
        let has_received = finished.received().is_some();
        let result = self.session.finish(finished);
        let accepted = (has_received && result.is_ok()).then_some(index);
        self.is_closed |= has_received && index > 0 && result.as_ref().is_err_and(|fault| !fault.is_own());
        let mut faults: Vec<Fault> = result.err().into_iter().collect();
        loop {
            match self.session.resume() {
                Ok(Some(step)) => (self.step, self.looks) = (Some(step), true),
                Ok(None) => break,
                Err(fault) => faults.push(fault),
            }
        }
        Heard { accepted, faults }
    }

    /// A first step that failed is run again.
    pub fn retry(&mut self) {
        if let Some(step) = self.session.retry() {
            (self.step, self.looks) = (Some(step), false);
        }
    }

    /// Whether the session is over by the peer's fault. What answers a message of this side is looked at once: whether it is refused may hang on
    /// this side's board, so a peer that could try again would learn a bit of it each time. An opening, of which nothing was said before, may
    /// come again.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Whether nothing of it is being worked on.
    pub fn is_idle(&self) -> bool {
        self.step.is_none() && self.job.is_none()
    }

    /// The own message that the peer waits for and that hasn't left yet.
    pub fn unsent(&self) -> Option<usize> {
        let last = self.session.messages().len().checked_sub(1)?;
        (self.is_idle() && self.is_own(last) && last >= self.sent).then_some(last)
    }

    /// That message leaves.
    pub fn sent(&mut self, index: usize) {
        self.sent = index + 1;
    }

    /// An own message, if it is made.
    pub fn own(&self, index: usize) -> Option<&[u8]> {
        self.message(index).filter(|_| self.is_own(index))
    }

    /// A message that was made or accepted.
    pub fn message(&self, index: usize) -> Option<&[u8]> {
        self.session.messages().get(index).map(Vec::as_slice)
    }

    /// The number of the message that the peer owes.
    pub fn awaits(&self) -> Option<usize> {
        self.session.awaits().filter(|_| self.is_idle() && !self.is_closed)
    }

    /// A digest of all its messages, once it is over.
    pub fn transcript(&self, id: &Word) -> Option<Word> {
        self.session.is_over().then(|| self.session.transcript(id))
    }

    pub fn output(&self) -> Option<&T> {
        self.session.output()
    }

    pub fn messages(&self) -> &[Vec<u8>] {
        self.session.messages()
    }

    fn is_own(&self, index: usize) -> bool {
        index.is_multiple_of(2) == self.opens
    }
}

fog::redacted!(Dialogue<T>);
