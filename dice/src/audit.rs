//! A game checked from its records alone, by anybody: every promise, every roll, every square, every deadline, and the end.

use alloy_primitives::Address;

use crate::{Action, Ending, Fault, Opening, Status, Table};

/// An action as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub sender: Address,
    pub action: Action,
    /// The block time, in seconds.
    pub time: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The game after the last record that was in order.
    pub table: Table,
    /// The first record that wasn't, by its index, and why. What comes after it hangs on it.
    pub fault: Option<(usize, Fault)>,
    /// Whether the recorded ending is the one that the records lead to.
    pub ends_right: bool,
}

impl Audit {
    /// Whether all of it is in order.
    pub fn is_in_order(&self) -> bool {
        self.fault.is_none() && self.ends_right
    }
}

/// Replays a game from its opening, its records in order, and how it is said to have ended.
pub fn audit(opening: Opening, records: &[Record], said: Option<Ending>) -> Audit {
    let mut table = Table::open(opening);
    let mut fault = None;
    for (index, Record { sender, action, time }) in records.iter().enumerate() {
        if let Err(found) = table.apply(*sender, action, *time) {
            fault = Some((index, found));
            break;
        }
    }
    let ending = match table.status() {
        Status::Over(ending) => Some(ending),
        _ => None,
    };
    Audit { table, fault, ends_right: ending == said }
}
