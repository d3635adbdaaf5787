//! What the ticks have told, and how patient the seat is: when something missing is asked for again, when a transaction is
//! sent again, when a move waits no longer. Times are Unix seconds.

use game::{Message, MessageId};
use std::collections::BTreeMap;

/// How patient a seat is. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How long to wait for a message before asking for it, and between two such requests to send it.
    pub want_every: u64,
    /// How long to wait for a transaction before sending it again.
    pub resend_every: u64,
    /// With so much of the own time left a move no longer waits for the opponent's request. Must cover the proof and the
    /// transaction.
    pub reserve: u64,
    /// How long a move waits for the opponent's request once it could be made.
    pub await_request: u64,
    /// How long to wait for a sight before it is demanded through the chain.
    pub grace: u64,
    /// Whether to demand sights after own moves too, which no move needs.
    pub demand_post: bool,
    /// Whether the plies of a game between the machines are posted with the view key.
    pub posts_transcript: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            want_every: 5,
            resend_every: 30,
            reserve: 60,
            await_request: 30,
            grace: 30,
            demand_post: false,
            posts_transcript: false,
        }
    }
}

#[derive(Debug)]
pub(super) struct Clock {
    pub config: Config,
    pub now: u64,
    deadline: Option<u64>,
    /// By the wish for it: since when an item is missing, or when it was last asked for.
    missing: BTreeMap<MessageId, u64>,
    /// When a transaction was last sent.
    sent_at: u64,
    /// The passed deadline of the opponent that was told.
    told: Option<u64>,
    /// The own ply that is due, and since when.
    turn: Option<(u16, u64)>,
}

impl Clock {
    pub fn new(config: Config) -> Self {
        Self { config, now: 0, deadline: None, missing: BTreeMap::new(), sent_at: 0, told: None, turn: None }
    }

    /// The time, the game's earliest deadline, and the own ply that is due.
    pub fn tick(&mut self, now: u64, deadline: Option<u64>, due: Option<u16>) {
        (self.now, self.deadline) = (now, deadline);
        let since = |ply| self.turn.filter(|(known, _)| *known == ply).map_or(now, |(_, since)| since);
        self.turn = due.map(|ply| (ply, since(ply)));
    }

    /// There is no link any more: to wait for what would come over it makes no sense.
    pub fn cut(&mut self) {
        (self.config.grace, self.config.await_request) = (0, 0);
    }

    /// Whether the own move has waited long enough for the opponent's request.
    pub fn has_waited_for_request(&self) -> bool {
        self.turn.is_some_and(|(_, since)| self.now >= since.saturating_add(self.config.await_request))
    }

    /// Asks for what has been missing for a while.
    pub fn want(&mut self, missing: &[MessageId]) -> Vec<Message> {
        self.missing.retain(|item, _| missing.contains(item));
        let mut due = Vec::new();
        for item in missing {
            let since = self.missing.entry(*item).or_insert(self.now);
            if self.now >= since.saturating_add(self.config.want_every) {
                *since = self.now;
                due.extend(Message::wish(*item));
            }
        }
        due
    }

    /// Asks for everything that is missing: the link is up again.
    pub fn want_now(&mut self, missing: &[MessageId]) -> Vec<Message> {
        self.missing.extend(missing.iter().map(|item| (*item, self.now)));
        missing.iter().copied().filter_map(Message::wish).collect()
    }

    /// A transaction was sent.
    pub fn sent(&mut self) {
        self.sent_at = self.now;
    }

    /// Whether it is time to send a transaction again that has come to nothing.
    pub fn resend_due(&mut self) -> bool {
        let due = self.now >= self.sent_at.saturating_add(self.config.resend_every);
        if due {
            self.sent();
        }
        due
    }

    /// Whether too little time is left to wait for anything.
    pub fn is_late(&self) -> bool {
        let end = self.now.saturating_add(self.config.reserve);
        self.deadline.is_some_and(|deadline| end >= deadline)
    }

    /// The game's earliest deadline, if it has passed.
    pub fn passed_deadline(&self) -> Option<u64> {
        self.deadline.filter(|deadline| self.now > *deadline)
    }

    /// Whether it wasn't told yet that this deadline has passed.
    pub fn tell(&mut self, deadline: u64) -> bool {
        self.told.replace(deadline) != Some(deadline)
    }
}
