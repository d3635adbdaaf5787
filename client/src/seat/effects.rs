//! What a seat wants done after an event, in its order, and the numbers of its jobs.

use super::event::{Effect, Job, JobId};
use crate::journal::Entry;
use game::{Message, Notice, PeerFault, Transaction};
use std::fmt::Display;

#[derive(Debug)]
pub(super) struct Effects {
    pub list: Vec<Effect>,
    /// The number of the last job of the seat.
    pub last_job: u64,
}

impl Effects {
    /// None yet, after an earlier event with the job `last_job`.
    pub fn after(last_job: u64) -> Self {
        Self { list: Vec::new(), last_job }
    }

    pub fn notify(&mut self, notice: Notice) {
        self.list.push(Effect::Notify(notice));
    }

    /// Tells the player that something failed on this side.
    pub fn failed(&mut self, error: &impl Display) {
        self.notify(Notice::Failed { reason: error.to_string() });
    }

    /// Tells the player what the opponent sent that is of no use.
    pub fn fault(&mut self, fault: PeerFault) {
        self.notify(Notice::Fault { fault });
    }

    /// Tells the player what it should know of the journal.
    pub fn note(&mut self, note: impl Display) {
        self.notify(Notice::JournalNote { text: note.to_string() });
    }

    pub fn journal(&mut self, entry: Entry) {
        self.list.push(Effect::Journal(entry));
    }

    pub fn send(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.list.extend(messages.into_iter().map(Effect::SendMessage));
    }

    pub fn transact(&mut self, transaction: Transaction) {
        self.list.push(Effect::SendTransaction(transaction));
    }

    /// Has a job run; gives its number.
    pub fn run(&mut self, job: Job) -> JobId {
        self.last_job += 1;
        let id = JobId(self.last_job);
        self.list.push(Effect::Run(id, job));
        id
    }
}
