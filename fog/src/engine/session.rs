//! The driver of one side of a session: order, lengths, no second word. It is the same for all engines.
//!
//! A step is a [`Job`] that any thread may run; meanwhile the party is away, and messages that come are held. Use:
//! [`Session::start`] gives the first job; [`Session::receive`] may give one for a message; after each [`Session::finish`]
//! ask [`Session::resume`] until it gives no more.

use super::{BoxedParty, Fault, MessageSize, Step, Word, digest};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// One side of a session.
pub struct Session<T> {
    /// Away while a step runs.
    party: Option<BoxedParty<T>>,
    /// Whether message 0 is this side's.
    opens: bool,
    sizes: Vec<MessageSize>,
    /// Sent and accepted, by number.
    messages: Vec<Vec<u8>>,
    /// What the running step was given, or the last one if this side failed at it.
    running: Option<Vec<u8>>,
    /// Whether the first step has failed and must be run again.
    unstarted: bool,
    /// What came while it couldn't be looked at, the first of each number.
    held: BTreeMap<usize, Vec<u8>>,
    output: Option<T>,
}

/// A step to run.
pub struct Job<T> {
    party: BoxedParty<T>,
    received: Option<Vec<u8>>,
}

/// A step that was run, for [`Session::finish`].
pub struct Finished<T> {
    party: BoxedParty<T>,
    received: Option<Vec<u8>>,
    result: Result<Step<T>, Fault>,
}

/// What became of a message that wasn't refused.
#[derive(Debug)]
pub enum Received<T> {
    /// It is due: a step to run.
    Job(Job<T>),
    /// It has come before.
    Repeat,
    /// A step is running, or the first must be run again: [`Session::resume`] will look at it.
    Held,
}

impl<T> Job<T> {
    /// Slow. Runs the step. A panic is this side's fault, whatever the message was.
    pub fn run(mut self) -> Finished<T> {
        let step = AssertUnwindSafe(|| self.party.step(self.received.as_deref()));
        let result = catch_unwind(step).unwrap_or_else(|_| Err(Fault::internal("a step panicked")));
        Finished { party: self.party, received: self.received, result }
    }
}

impl<T> Finished<T> {
    /// The message that the step looked at; none at the start.
    pub fn received(&self) -> Option<&[u8]> {
        self.received.as_deref()
    }
}

impl<T> Session<T> {
    /// A session, and its first step. `opens` says whether message 0 is this side's.
    pub fn start(party: BoxedParty<T>, opens: bool) -> (Self, Job<T>) {
        let session = Self {
            party: None,
            opens,
            sizes: party.shape(),
            messages: Vec::new(),
            running: None,
            unstarted: false,
            held: BTreeMap::new(),
            output: None,
        };
        let job = Job { party, received: None };
        (session, job)
    }

    /// Takes a message of the peer. One that is malformed in itself is refused by the step that looks at it. Until that has judged the first of
    /// a number no other is due: what a restarted side gives again, it gives before the peer speaks, and the peer can't replace it.
    pub fn receive(&mut self, index: usize, bytes: &[u8]) -> Result<Received<T>, Fault> {
        let size = self.sizes.get(index).filter(|_| !self.is_own(index));
        let size = *size.ok_or(Fault::NotDue(index))?;
        if bytes.len() != size.total() {
            let (got, expected) = (bytes.len(), size.total());
            return Err(Fault::Length { index, got, expected });
        }
        let is_same = |known: &Vec<u8>| known[..size.content] == bytes[..size.content];
        if let Some(known) = self.messages.get(index) {
            return is_same(known).then_some(Received::Repeat).ok_or(Fault::Contradiction(index));
        }
        let is_next = index == self.messages.len();
        match self.running.as_ref().filter(|_| is_next) {
            Some(running) if self.party.is_none() && running == bytes => return Ok(Received::Repeat),
            Some(failed) if self.party.is_some() && !is_same(failed) => return Err(Fault::NotDue(index)),
            _ => {}
        }
        if self.party.is_none() || self.unstarted {
            let first = self.held.entry(index).or_insert_with(|| bytes.to_vec());
            return is_same(first).then_some(Received::Held).ok_or(Fault::NotDue(index));
        }
        // Of one that this side failed at, the first proof counts too.
        let first = self.running.as_deref().unwrap_or(bytes);
        let bytes = is_next.then(|| first.to_vec()).ok_or(Fault::NotDue(index))?;
        Ok(self.job(Some(bytes)).map_or(Received::Held, Received::Job))
    }

    /// Takes a step that was run: the number of the message to send, if any. After a fault of the peer's the message is forgotten, with
    /// what came for later steps, and another may come. What this side failed at ([`Fault::is_own`]) may come again; a first step that failed waits for [`Session::retry`].
    pub fn finish(&mut self, finished: Finished<T>) -> Result<Option<usize>, Fault> {
        self.party = Some(finished.party);
        let is_first = finished.received.is_none();
        let next = self.messages.len() + usize::from(!is_first);
        let step = finished.result.and_then(|step| self.check_shape(next, step));
        let running = self.running.take();
        let step = step.inspect_err(|fault| {
            (self.unstarted, self.running) = (is_first, running.filter(|_| fault.is_own()));
            self.held.retain(|index, _| fault.is_own() || *index < next);
        })?;
        self.messages.extend(finished.received);
        self.output = step.output.or(self.output.take());
        let sent = step.send.is_some().then_some(next);
        self.messages.extend(step.send);
        Ok(sent)
    }

    /// The first step, to be run again after it failed.
    pub fn retry(&mut self) -> Option<Job<T>> {
        let failed = std::mem::take(&mut self.unstarted);
        failed.then(|| self.job(None)).flatten()
    }

    /// The next step that held messages give. After every [`Session::finish`] this is asked until it gives `None`; a fault is
    /// that of one message, and the others are still looked at by asking again.
    pub fn resume(&mut self) -> Result<Option<Job<T>>, Fault> {
        while self.party.is_some() && !self.unstarted {
            let due = |index: &usize| *index <= self.messages.len();
            let Some(index) = self.held.keys().next().copied().filter(due) else {
                break;
            };
            let bytes = self.held.remove(&index).unwrap_or_default();
            if let Received::Job(job) = self.receive(index, &bytes)? {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    /// All messages so far, this side's and the peer's, by number.
    pub fn messages(&self) -> &[Vec<u8>] {
        &self.messages
    }

    /// The size of every message of the session, in order.
    pub fn sizes(&self) -> &[MessageSize] {
        &self.sizes
    }

    /// A digest of all messages so far, the same on both sides: keccak256 over `id` and what each message says, without its proof,
    /// which may be another when the message is sent again.
    pub fn transcript(&self, id: &Word) -> Word {
        transcript(id, &self.sizes, &self.messages)
    }

    /// What the session was for, once it is there.
    pub fn output(&self) -> Option<&T> {
        self.output.as_ref()
    }

    /// Whether every message was sent or accepted.
    pub fn is_over(&self) -> bool {
        self.messages.len() == self.sizes.len()
    }

    /// The number of the message that the peer owes; `None` while this side has to do something, and at the end.
    pub fn awaits(&self) -> Option<usize> {
        let next = self.messages.len();
        let is_idle = self.party.is_some() && !self.unstarted;
        (is_idle && next < self.sizes.len() && !self.is_own(next)).then_some(next)
    }

    /// What is hidden in the last message of this side, as [`Party::meaning`](super::Party::meaning) tells its owner.
    pub fn meaning(&self) -> String {
        self.party.as_ref().map(|party| party.meaning()).unwrap_or_default()
    }

    fn is_own(&self, index: usize) -> bool {
        index.is_multiple_of(2) == self.opens
    }

    fn job(&mut self, received: Option<Vec<u8>>) -> Option<Job<T>> {
        let party = self.party.take()?;
        self.running.clone_from(&received);
        Some(Job { party, received })
    }

    /// This side keeps to the public shape too: it sends what it owes as message `index`, of the right size, and no more.
    fn check_shape(&self, index: usize, step: Step<T>) -> Result<Step<T>, Fault> {
        let owed = self.sizes.get(index).filter(|_| self.is_own(index));
        if step.send.as_ref().map(Vec::len) != owed.map(|size| size.total()) {
            return Err(Fault::internal(format!("message {index} breaks the public shape")));
        }
        let ends = index + usize::from(step.send.is_some()) == self.sizes.len();
        if ends && step.output.is_none() && self.output.is_none() {
            return Err(Fault::internal("a session ends without an output"));
        }
        Ok(step)
    }
}

/// A digest of the messages of a session of these sizes, as [`Session::transcript`].
pub fn transcript(id: &Word, sizes: &[MessageSize], messages: &[Vec<u8>]) -> Word {
    let contents = sizes.iter().zip(messages).map(|(size, message)| &message[..size.content.min(message.len())]);
    digest([&b"fogmate/session/1"[..], id].into_iter().chain(contents))
}

crate::redacted!(Session<T>, Job<T>, Finished<T>);
