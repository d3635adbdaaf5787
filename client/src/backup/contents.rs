//! What a backup has: the entries of a game, each once.

use super::{BackupError, Owner, name};
use crate::journal::{self, Entry};
use game::channel_transcript::Transcript;
use std::collections::BTreeMap;

/// All that a backup has of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    pub owner: Owner,
    /// By their keys: plies come before the signatures under them.
    entries: BTreeMap<Vec<u8>, Entry>,
}

impl Contents {
    pub(super) fn new(owner: Owner) -> Self {
        Self { owner, entries: BTreeMap::new() }
    }

    /// Each entry after those that it needs.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// How many plies there are.
    pub fn plies(&self) -> u16 {
        let plies = self.entries().filter(|entry| matches!(entry, Entry::Ply(_))).count();
        u16::try_from(plies).unwrap_or(u16::MAX)
    }

    /// Puts an entry to those that are kept: says whether it is new.
    pub(super) fn set(&mut self, entry: &Entry) -> Result<bool, BackupError> {
        if let Some(known) = self.entries.get(&entry.key()) {
            return if is_same(known, entry) { Ok(false) } else { Err(BackupError::Taken(name(entry))) };
        }
        let follows = match entry {
            Entry::Ply(kept) => kept.signed.fields.ply == self.plies(),
            Entry::Countersigned { ply, .. } => *ply < self.plies(),
            _ => true,
        };
        fog::ensure!(follows, BackupError::Gap { what: name(entry), has: self.plies() });
        self.entries.insert(entry.key(), entry.clone());
        Ok(true)
    }

    /// As a transcript, for an audit; with each player's time for the game.
    pub fn transcript(&self, base: u32) -> Transcript {
        journal::transcript(self.owner.game, self.entries.values(), base)
    }
}

/// Whether two entries of one place say the same. A ply may have been proven twice, and come at another time; of second plies one is evidence enough.
fn is_same(known: &Entry, entry: &Entry) -> bool {
    match (known, entry) {
        (Entry::Ply(known), Entry::Ply(kept)) => {
            let said = |signed: &game::SignedPly| (signed.fields, signed.clock, signed.signature);
            said(&known.signed) == said(&kept.signed)
        }
        (Entry::Evidence(_), Entry::Evidence(_)) => true,
        (known, entry) => known == entry,
    }
}
