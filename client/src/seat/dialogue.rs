//! One side of an engine's session as a seat runs it: set-up, a sight that is given, or one that is got. At most one step runs at a
//! time; what was accepted is told, so that it is in the journal before the reply leaves; and of the own messages only the one that the
//! peer waits for leaves by itself, so that a seat which runs a session again after a restart repeats nothing that was answered.

use super::effects::Effects;
use super::event::{Job, JobId};
use fog::engine::{self, BoxedParty, Fault, Finished, Received, Session, Word};
use fog::ensure;

/// How many wrong openings of a session are looked at before the peer is asked for another.
const OPENINGS: u8 = 8;

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
    /// Whether the peer has answered something of this side by what isn't in order. Such an answer is looked at once: whether it is refused may
    /// hang on this side's board, so a peer that could try again would learn a bit of it each time.
    is_closed: bool,
    /// How many wrong openings of the peer may still be looked at. No bit is told by them, for nothing was said before; but each costs time.
    openings: u8,
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
        Self {
            session,
            opens,
            step: Some(step),
            job: None,
            looks: false,
            sent: 0,
            is_closed: false,
            openings: OPENINGS,
        }
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
        let closed =
            || Fault::Malformed { index, cause: "the session is closed by an answer that wasn't in order".into() };
        ensure!(!self.is_closed, closed());
        ensure!(self.openings > 0, Fault::NotDue(index));
        match self.session.receive(index, bytes)? {
            Received::Job(step) => (self.step, self.looks) = (Some(step), true),
            Received::Held => {}
            Received::Repeat => return Ok(false),
        }
        Ok(true)
    }

    /// The running step has run; messages that came meanwhile are looked at, if the session isn't closed by that.
    pub fn finish(&mut self, finished: Finished<T>) -> Heard {
        self.job = None;
        let index = self.session.messages().len();
        let has_received = finished.received().is_some();
        let result = self.session.finish(finished);
        let accepted = (has_received && result.is_ok()).then_some(index);
        if has_received && result.as_ref().is_err_and(|fault| !fault.is_own()) {
            match index {
                0 => self.openings = self.openings.saturating_sub(1),
                _ => self.is_closed = true,
            }
        }
        let mut faults: Vec<Fault> = result.err().into_iter().collect();
        while !self.is_closed && self.openings > 0 {
            match self.session.resume() {
                Ok(Some(step)) => (self.step, self.looks) = (Some(step), true),
                Ok(None) => break,
                Err(fault) => faults.push(fault),
            }
        }
        Heard { accepted, faults }
    }

    /// The peer is asked again for what it owes: one more opening may be wrong.
    pub fn ask_again(&mut self) {
        self.openings = self.openings.max(1);
    }

    /// A first step that failed is run again.
    pub fn retry(&mut self) {
        if let Some(step) = self.session.retry() {
            (self.step, self.looks) = (Some(step), false);
        }
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
