//! Who else keeps what a game between the machines is recovered from, such as a backup on another disk.

use super::Entry;

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
    /// Why it isn't kept, in words: it is given again later, and nothing leaves meanwhile.
    fn keep(&self, entry: &Entry) -> Result<(), String>;
}
