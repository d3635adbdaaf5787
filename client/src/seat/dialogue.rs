//! One side of an engine's session as a seat runs it: set-up, a sight that is given, or one that is got. At most one step runs at a
//! time; what was accepted is told, so that it is in the journal before the reply leaves; and of the own messages only the one that the
//! peer waits for leaves by itself, so that a seat which runs a session again after a restart repeats nothing that was answered.

use super::effects::Effects;
use super::event::{Job, JobId};
use crate::journal::Entry;
use fog::engine::{self, BoxedParty, Fault, Finished, Received, Session, Word};
use fog::ensure;
use game::{Message, MessageId, MessageKind, PeerFault, SessionId};

/// How many wrong openings of a session are looked at before the peer is asked for another.
const OPENINGS: u8 = 8;

pub(super) struct Dialogue<T> {
    /// The address of its first message.
    id: MessageId,
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

/// Tells of a fault: of this side, or of the peer's message `id`.
pub(super) fn tell(id: MessageId, fault: &Fault, fx: &mut Effects) {
    match fault.is_own() {
        true => fx.failed(fault),
        false => fx.fault(PeerFault::of_message(id, fault)),
    }
}

impl<T> Dialogue<T> {
    /// `id` is the address of message 0, which is this side's if it `opens`.
    pub fn start(id: MessageId, party: BoxedParty<T>, opens: bool) -> Self {
        let (session, step) = Session::start(party, opens);
        Self {
            id,
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

    /// Takes a message of the peer, unchecked; `id` is its address.
    pub fn receive(&mut self, id: MessageId, bytes: &[u8]) -> Result<(), PeerFault> {
        match self.take(id.index.into(), bytes).map_err(|fault| PeerFault::of_message(id, &fault))? {
            Received::Job(step) => (self.step, self.looks) = (Some(step), true),
            Received::Held => {}
            Received::Repeat => return Err(PeerFault::Duplicate(id)),
        }
        Ok(())
    }

    fn take(&mut self, index: usize, bytes: &[u8]) -> Result<Received<T>, Fault> {
        let closed =
            || Fault::Malformed { index, cause: "the session is closed by an answer that wasn't in order".into() };
        ensure!(!self.is_closed, closed());
        ensure!(self.openings > 0, Fault::NotDue(index));
        self.session.receive(index, bytes)
    }

    /// The running step has run: what was accepted is written down, before the reply to it leaves, and what is wrong with a message or on this
    /// side is told. Messages that came meanwhile are looked at, if the session isn't closed by that.
    pub fn finish(
        &mut self,
        finished: Finished<T>,
        fx: &mut Effects,
        mut on_fault: impl FnMut(MessageId, &Fault, &mut Effects),
    ) {
        self.job = None;
        let index = self.session.messages().len();
        let due = MessageId { index: u16::try_from(index).unwrap_or(u16::MAX), ..self.id };
        let has_received = finished.received().is_some();
        let result = self.session.finish(finished);
        if let Err(fault) = &result {
            on_fault(due, fault, fx);
            if has_received && !fault.is_own() {
                match index {
                    0 => self.openings = self.openings.saturating_sub(1),
                    _ => self.is_closed = true,
                }
            }
        }
        while !self.is_closed && self.openings > 0 {
            match self.session.resume() {
                Ok(Some(step)) => (self.step, self.looks) = (Some(step), true),
                Ok(None) => break,
                Err(fault) => on_fault(due, &fault, fx),
            }
        }
        if has_received && result.is_ok() {
            self.message(index).into_iter().for_each(|message| fx.journal(Entry::Received(message)));
        }
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

    /// Sends the own message that the peer waits for, once, if it may leave.
    pub fn say(&mut self, may_leave: impl FnOnce(&mut Effects) -> bool, fx: &mut Effects) {
        let last = self.session.messages().len().checked_sub(1);
        let unsent = last.filter(|last| self.is_idle() && self.is_own(*last) && *last >= self.sent);
        if let Some(index) = unsent
            && let Some(message) = self.message(index)
            && may_leave(fx)
        {
            self.sent = index + 1;
            fx.send([message]);
        }
    }

    /// An own message that the peer asks for (again): none while it is being made. `id` is that of the wish.
    pub fn wanted(&self, id: MessageId) -> Result<Option<Message>, PeerFault> {
        let index = usize::from(id.index);
        let made = self.message(index).filter(|_| self.is_own(index));
        (made.is_some() || !self.is_idle()).then_some(made).ok_or(PeerFault::NotToBeHad(id))
    }

    /// A message that was made or accepted, as the link has it.
    fn message(&self, index: usize) -> Option<Message> {
        let bytes = self.session.messages().get(index)?;
        let id = MessageId { index: u16::try_from(index).ok()?, ..self.id };
        match id.kind {
            MessageKind::SetUp => {
                Some(Message::Session { session: SessionId::SetUp, index: id.index, bytes: bytes.clone() })
            }
            _ => Message::of_exchange(id, bytes),
        }
    }

    /// The wish for the message that the peer owes.
    pub fn missing(&self) -> Option<MessageId> {
        let index = self.session.awaits().filter(|_| self.is_idle() && !self.is_closed)?;
        let is_set_up = self.id.kind == MessageKind::SetUp;
        let kind = if is_set_up { MessageKind::WantSetUp } else { MessageKind::WantExchange };
        Some(MessageId { kind, index: u16::try_from(index).ok()?, ..self.id })
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
