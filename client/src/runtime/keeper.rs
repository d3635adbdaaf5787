//! Keeps what a seat wants remembered. A disk without room stops no game: the journal keeps in memory what it can't write, and is made to try
//! again until it can.

use super::{RuntimeError, notify};
use crate::journal::{Journal, JournalError};
use game::Notice;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// A journal, and whether it is on disk.
pub(super) struct Keeper {
    journal: Arc<Journal>,
    notices: UnboundedSender<Notice>,
    /// Whether something isn't written yet; the user knows.
    is_behind: bool,
}

impl Keeper {
    /// A keeper of an open journal.
    pub fn new(journal: Journal, notices: UnboundedSender<Notice>) -> Self {
        Self { journal: Arc::new(journal), notices, is_behind: false }
    }

    /// Has something written before anything else is done.
    pub async fn keep(
        &mut self,
        write: impl FnOnce(&Journal) -> Result<(), JournalError> + Send + 'static,
    ) -> Result<(), RuntimeError> {
        let journal = self.journal.clone();
        let written = tokio::task::spawn_blocking(move || write(&journal)).await;
        let written = written.map_err(|error| RuntimeError::Stopped(error.to_string()))?;
        let was_behind = std::mem::replace(&mut self.is_behind, written.is_err());
        match written {
            Err(error) if !was_behind => self.tell(format!(
                "{error}; the game goes on, and what is to be remembered is kept in memory: make room before you stop"
            )),
            Ok(()) if was_behind => self.tell("the journal is on disk again".to_owned()),
            _ => {}
        }
        Ok(())
    }

    /// Whether something isn't written yet.
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Tries again, if there is anything to be written.
    pub async fn retry(&mut self) -> Result<(), RuntimeError> {
        match self.is_behind {
            true => self.keep(Journal::retry).await,
            false => Ok(()),
        }
    }

    fn tell(&self, note: String) {
        notify(&self.notices, Notice::JournalNote { text: note });
    }
}
