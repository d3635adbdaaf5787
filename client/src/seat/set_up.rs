//! The engine's set-up, where it has messages: both players exchange them once colors are drawn, White first. Until it is done
//! nothing of the game is looked at but its end: the chain's events wait here, and after a restart what the journal has.

use super::dialogue::{Dialogue, tell};
use super::effects::Effects;
use super::event::{Done, Job, JobId, JobKind};
use crate::journal::Entry;
use fog::engine::{BoxedParty, Finished, GameKeys, Word};
use game::{ChainEvent, Message, MessageId, PeerFault, SessionId, Table, TableError};
use std::sync::Arc;

/// What a set-up gives.
pub(super) type Keys = Arc<dyn GameKeys>;

#[derive(Debug, Default)]
pub(super) struct SetUp {
    dialogue: Option<Dialogue<Keys>>,
    /// What binds its transcript to the game.
    id: Word,
    is_done: bool,
    /// What the chain has told meanwhile.
    pub waiting: Vec<ChainEvent>,
    /// What everybody knows of the game by that.
    ahead: Option<Table>,
    /// What the journal has of the game itself, after a restart.
    pub unrestored: Option<Vec<Entry>>,
}

impl SetUp {
    /// Colors are drawn. `opens`: this player is White.
    pub fn begin(&mut self, party: BoxedParty<Keys>, opens: bool, id: Word) {
        self.dialogue = Some(Dialogue::start(SessionId::SetUp.message(0, false), party, opens));
        self.id = id;
    }

    /// Whether it has begun and isn't done.
    pub fn is_pending(&self) -> bool {
        self.dialogue.is_some() && !self.is_done
    }

    /// Keeps an event of the chain until it is done. `table`: the game as it was when it began. Errors are the table's: nothing is kept.
    pub fn wait(&mut self, table: &Table, event: &ChainEvent) -> Result<(), TableError> {
        self.ahead.get_or_insert_with(|| table.clone()).apply(event)?;
        self.waiting.push(event.clone());
        Ok(())
    }

    /// What everybody knows of the game while this goes on, if that is more than its beginning.
    pub fn ahead(&self) -> Option<&Table> {
        self.ahead.as_ref().filter(|_| self.is_pending())
    }

    /// The game is over before it is done.
    pub fn abandon(&mut self) -> Vec<ChainEvent> {
        self.dialogue = None;
        std::mem::take(&mut self.waiting)
    }

    /// Takes a message of the opponent, unchecked.
    pub fn receive(&mut self, id: MessageId, bytes: &[u8]) -> Result<(), PeerFault> {
        self.dialogue.as_mut().ok_or(PeerFault::TooEarly(id))?.receive(id, bytes)
    }

    /// Runs and sends what can be.
    pub fn advance(&mut self, fx: &mut Effects) {
        let Some(dialogue) = &mut self.dialogue else { return };
        dialogue.run(|step| Job::step(JobKind::SetUp, step, Done::SetUp), fx);
        dialogue.say(|_| true, fx);
    }

    /// A step has run: the keys, if it is done by that.
    pub fn finish(&mut self, job: JobId, finished: Finished<Keys>, fx: &mut Effects) -> Option<Keys> {
        let dialogue = self.dialogue.as_mut().filter(|dialogue| dialogue.is_running(job))?;
        dialogue.finish(finished, fx, tell);
        let keys = dialogue.output().filter(|_| !self.is_done).cloned();
        self.is_done |= keys.is_some();
        keys
    }

    /// What failed on this side may be tried again.
    pub fn retry(&mut self) {
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.retry();
        }
    }

    /// The opponent is asked again for what it owes.
    pub fn ask_again(&mut self) {
        self.dialogue.iter_mut().for_each(Dialogue::ask_again);
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        self.dialogue.as_ref().is_some_and(|dialogue| dialogue.is_running(job))
    }

    /// An own message that the opponent asks for (again): none while it is being made. `id` is that of the wish.
    pub fn message(&self, id: MessageId) -> Result<Option<Message>, PeerFault> {
        self.dialogue.as_ref().ok_or(PeerFault::NotToBeHad(id))?.wanted(id)
    }

    /// The wish for the message that the opponent owes.
    pub fn missing(&self) -> Option<MessageId> {
        self.dialogue.as_ref()?.missing()
    }

    /// A digest of its messages, if it has any.
    pub fn transcript(&self) -> Option<Word> {
        self.dialogue.as_ref()?.transcript(&self.id)
    }
}
