//! Who else keeps what a game between the machines is recovered from, such as a backup on another disk.

use super::Entry;

/// Why a store doesn't keep an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unkept {
    /// Another entry stands in its place, which another machine has put there.
    #[error("{0}")]
    Taken(String),
    /// It may be kept later, and is given again.
    #[error("{0}")]
    Later(String),
}

/// A place besides the journal. What an entry belongs to leaves this machine only once every such place has it.
pub trait Store: Send + Sync {
    /// All that is kept there, each entry after those that it needs.
    ///
    /// # Errors
    ///
    /// Why it can't be read, in words.
    fn kept(&self) -> Result<Vec<Entry>, String>;

    /// Has an entry kept for good when this returns. The same one may come again.
    ///
    /// # Errors
    ///
    /// [`Unkept`]; nothing that hangs on the entry may leave.
    fn keep(&self, entry: &Entry) -> Result<(), Unkept>;
}
