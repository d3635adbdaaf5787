//! A game followed record by record: its table, and the clocks by the times of the blocks. What comes after time has decided the game, or ends it by time
//! before that, is refused as the contract refuses it (protocol, section 8). Where a block's time is missing nobody can say that.

use alloy_primitives::Address;
use fog::ensure;

use crate::record::Record;
use crate::watch::Watch;
use crate::{ChainEvent, GameRef, Hold, Outcome, Slot, Table, TableError};

/// The table of a game and its clocks.
pub(crate) struct Course {
    table: Table,
    watch: Option<Watch>,
    /// When the second player came, from which on the time to reveal the shares of the toss counts.
    joined: Option<u64>,
    /// Until when a woken game may be woken again, and nothing else comes.
    contested: Option<u64>,
    /// Whether the opponent has granted a claim of fifty moves: its bond went back with that.
    is_granted: bool,
    /// The time of the event before, if the end of the game must come with it: of the capture of a king, or of a signed result.
    ends: Option<Option<u64>>,
}

impl Course {
    pub(crate) fn new(game: GameRef) -> Self {
        Self { table: Table::new(game), watch: None, joined: None, contested: None, is_granted: false, ends: None }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// What both clocks show at a time, White's first; none where the chain runs none.
    pub fn clocks(&self, time: u64) -> Option<[u64; 2]> {
        Some(self.watch.as_ref()?.at(self.table.begun()?, time))
    }

    /// The last second in which the player to move is in time.
    pub fn deadline(&self) -> Option<u64> {
        self.watch.as_ref()?.deadline(self.table.playing()?)
    }

    /// Whether the end of the game is due that comes with the record before.
    pub(crate) fn is_ending(&self) -> bool {
        self.ends.is_some()
    }

    /// Takes the next record; on an error nothing has changed. Gives what is left then to who was to move before it, if that is known.
    pub fn take(&mut self, record: &Record) -> Result<Option<u64>, TableError> {
        if let Some(time) = self.ends {
            let is_with = time.zip(record.time).is_none_or(|(before, now)| before == now);
            ensure!(is_with && matches!(record.event, ChainEvent::Ended { .. }), TableError::NoEnd);
        }
        self.check_wake(record)?;
        self.check_bond(record)?;
        self.check_time(record)?;
        let before = self.table.playing().cloned();
        self.table.apply(&record.event)?;
        let ends = match &record.event {
            ChainEvent::Moved { fields, .. } => fields.king_fell && record.is_of_chain(),
            event => matches!(event, ChainEvent::Closed { .. }),
        };
        self.ends = ends.then_some(record.time);
        let (Some(terms), true) = (self.table.terms(), record.is_of_chain()) else { return Ok(None) };
        match (&record.event, record.time) {
            (ChainEvent::Joined { .. }, time) => self.joined = time,
            (ChainEvent::Woken { position, until }, _) => {
                (self.watch, self.contested) = (Some(Watch::woken(terms, position, *until)), Some(*until));
            }
            (ChainEvent::Ended { outcome: Outcome::FiftyMoves, .. }, _) if record.carried.is_some() => {
                self.is_granted = !self.table.is_signed();
            }
            (ChainEvent::Started { .. }, Some(time)) if !self.table.is_asleep() => {
                self.watch = Some(Watch::start(terms, time));
            }
            (_, Some(time)) => {
                let taken = self.watch.as_mut().zip(before).zip(self.table.begun());
                return Ok(taken.map(|((watch, before), after)| watch.take(&before, after, time)));
            }
            (_, None) => self.watch = None,
        }
        Ok(None)
    }

    /// What decides the game once the time for it is up: the last second before that, who wins then, and how.
    fn due(&self) -> Option<(u64, Option<Address>, Outcome)> {
        if let Some((player, _)) = self.table.to_reveal() {
            let (reveal, creator) = (u64::from(self.table.terms()?.reveal), self.table.creator());
            let (times, winner) = if Some(player) == creator { (1, None) } else { (2, creator) };
            return Some((self.joined?.saturating_add(times * reveal), winner, Outcome::Unrevealed));
        }
        let play = self.table.playing()?;
        let clock = self.watch.as_ref()?.deadline(play);
        let (last, winner, outcome) = play.deadlines(clock).min_by_key(|(last, ..)| *last)?;
        Some((last, winner.map(|color| play.players[color.index()]), outcome))
    }

    /// A game is woken for one window, in which only a later position and a signed result can come.
    fn check_wake(&self, record: &Record) -> Result<(), TableError> {
        let late = TableError::Late(record.event.name());
        match (&record.event, self.contested) {
            (ChainEvent::Woken { until, .. }, None) => {
                let window = self.table.terms().map_or(0, |terms| terms.window.into());
                ensure!(record.time.is_none_or(|now| *until == now.saturating_add(window)), late);
            }
            (ChainEvent::Woken { position, until }, Some(last)) => {
                ensure!(*until == last && record.time.is_none_or(|now| now <= last), late);
                let is_later = self.table.woken().is_none_or(|known| position.ply > known);
                ensure!(is_later, TableError::NotLater(position.ply));
            }
            (ChainEvent::Closed { .. }, _) => {}
            (ChainEvent::Ended { .. }, _) if self.table.is_signed() => {}
            (_, Some(last)) if self.table.playing().is_some() && record.is_of_chain() => {
                ensure!(record.time.is_none_or(|now| now > last), late);
            }
            _ => {}
        }
        Ok(())
    }

    /// Bonds are earned by their deadlines, and go back after them, both also once the game is over.
    fn check_bond(&self, record: &Record) -> Result<(), TableError> {
        let late = TableError::Late(record.event.name());
        let (Some(play), now) = (self.table.begun(), record.time) else { return Ok(()) };
        match &record.event {
            ChainEvent::SightAnswered { ctx, .. } => {
                let deadline = play.demand_for(*ctx).map(|demand| demand.deadline);
                ensure!(now.zip(deadline).is_none_or(|(now, deadline)| now <= deadline), late);
            }
            ChainEvent::BondReclaimed { slot, .. } => {
                let deadline = play.deadline_of(*slot);
                ensure!(now.zip(deadline).is_none_or(|(now, deadline)| now > deadline), late);
                ensure!(!self.is_granted || *slot != Slot::Hold, TableError::WrongBond);
            }
            _ => {}
        }
        Ok(())
    }

    fn is_claimed(&self) -> bool {
        self.table.playing().is_some_and(|play| matches!(play.hold, Some(Hold::FiftyMoves { .. })))
    }

    fn check_time(&self, record: &Record) -> Result<(), TableError> {
        if let (ChainEvent::Joined { .. }, Some(now), Some(terms)) = (&record.event, record.time, self.table.terms()) {
            ensure!(now <= terms.expiry, TableError::Late(record.event.name()));
        }
        let (Some(now), Some((last, due_winner, due))) = (record.time, self.due()) else { return Ok(()) };
        let is_late = now > last;
        match &record.event {
            // Both have signed it, or anybody may show it.
            ChainEvent::Closed { .. } | ChainEvent::Woken { .. } => {}
            ChainEvent::Ended { .. } if self.table.is_signed() => {}
            // Its own deadline counts, whatever has decided the game.
            ChainEvent::SightAnswered { .. } => {}
            // A claim may have been granted in a transaction that isn't shown.
            ChainEvent::Ended { outcome: Outcome::FiftyMoves, .. } if record.sender.is_none() && self.is_claimed() => {}
            ChainEvent::Ended { winner, outcome } if outcome.is_by_time() && record.carried.is_none() => {
                let is_so = is_late && (*winner, *outcome) == (due_winner, due);
                ensure!(is_so, TableError::NotDue(*outcome));
            }
            ChainEvent::SightDemanded { deadline, .. } | ChainEvent::FiftyClaimed { deadline, .. } => {
                let window = self.table.terms().map_or(0, |terms| terms.window.into());
                ensure!(!is_late && *deadline == now.saturating_add(window), TableError::Late(record.event.name()));
            }
            event => ensure!(!is_late, TableError::Late(event.name())),
        }
        Ok(())
    }
}
