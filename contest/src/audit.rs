//! A game checked from its records alone, by anybody: every message, every deadline, and the end.

use alloy_primitives::Address;

use crate::{Action, Checked, Ending, Fault, Opening, Rules, Table};

/// An action as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<R: Rules> {
    pub sender: Address,
    pub action: Action<R>,
    /// The block time, in seconds.
    pub time: u64,
}

/// A game on its way through an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit<R: Rules> {
    /// The game after the last record that was in order.
    pub table: Table<R>,
    /// How many records there were.
    pub records: usize,
    /// The first record that wasn't in order, by its index, and why. What comes after it hangs on it.
    pub fault: Option<(usize, Fault<R::Wrong>)>,
}

impl<R: Rules> Audit<R> {
    /// Begins with a game's opening. A fault if that isn't in order.
    pub fn open(opening: Opening<R>, proofs: &R::Proofs) -> Checked<R, Self> {
        Ok(Self { table: Table::open(opening, proofs)?, records: 0, fault: None })
    }

    /// Replays the next record.
    pub fn take(&mut self, record: &Record<R>, proofs: &R::Proofs) {
        let Record { sender, action, time } = record;
        if self.fault.is_none()
            && let Err(fault) = self.table.apply(*sender, action, *time, proofs)
        {
            self.fault = Some((self.records, fault));
        }
        self.records += 1;
    }

    /// Whether the game ended as it is said to have, by what the records lead to.
    pub fn ends_as(&self, said: Option<Ending>) -> bool {
        self.table.ending() == said
    }

    /// Whether all of it is in order, and the end is the one that is said.
    pub fn is_in_order(&self, said: Option<Ending>) -> bool {
        self.fault.is_none() && self.ends_as(said)
    }
}
