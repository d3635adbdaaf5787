//! How a machine goes on after it was killed: with its journal, with its backup, with an old copy, or with nothing.

use super::{Machine, Pair, parts};
use client::channel::Side;
use client::journal::Entry;
use client::seat::Event;
use game::ChainEvent;

impl Pair {
    /// The machine is killed and started again with what it has written, and the link comes back.
    pub fn restart(&mut self, i: usize) {
        self.restart_in_secret(i);
        if self.is_linked {
            for i in 0..2 {
                if !self.machines[i].is_off {
                    self.tell(i, Event::Connected);
                }
            }
        }
        self.settle();
    }

    /// A player's machine forgets what it has kept of a game, unless that is to stay.
    pub fn forget(&mut self, i: usize, stays: impl Fn(&Entry) -> bool) {
        let Machine { journal, backup, .. } = &mut self.machines[i];
        journal.retain(|_, entry| stays(entry));
        backup.retain(|_, entry| stays(entry));
    }

    /// The machine is killed and started again with what it has written, and the link has not noticed.
    pub fn restart_in_secret(&mut self, i: usize) {
        // What the other store lacks it is given.
        let Machine { journal, backup, .. } = &mut self.machines[i];
        let kept = journal.iter().filter(|(_, entry)| entry.is_of_a_channel());
        backup.extend(kept.map(|(key, entry)| (key.clone(), entry.clone())));
        let finals = self.chain.log.len() - self.pending;
        let events: Vec<ChainEvent> = self.chain.log[..finals].iter().map(|logged| logged.event.clone()).collect();
        let machine = &mut self.machines[i];
        let parts = parts(&machine.wallet, &machine.secrets, &self.oracle, self.chain.game, self.config);
        let entries = machine.journal.values().cloned().collect();
        let (side, effects) = Side::recover(parts, &events, entries);
        machine.side = side;
        (machine.jobs, machine.inbox, machine.failures) = Default::default();
        (machine.seen, machine.heard, machine.is_off, machine.dies_at) = (finals, finals, false, None);
        machine.is_woken = false;
        machine.shown.clear();
        self.carry(i, effects);
        self.tell(i, self.chain.tick());
    }

    /// The disk is lost: another machine goes on from the backup.
    pub fn restart_from_backup(&mut self, i: usize) {
        let Machine { journal, backup, .. } = &mut self.machines[i];
        journal.clone_from(backup);
        self.restart(i);
    }

    /// Journal and backup are lost.
    pub fn restart_with_nothing(&mut self, i: usize) {
        self.machines[i].backup.clear();
        self.restart_from_backup(i);
    }

    /// The machine goes on from a copy that is older than the last plies.
    pub fn restart_from_an_old_copy(&mut self, i: usize, plies: u16) {
        self.machines[i].backup.retain(|_, entry| entry.ply() < plies || matches!(entry, Entry::Begun));
        self.restart_from_backup(i);
    }
}
