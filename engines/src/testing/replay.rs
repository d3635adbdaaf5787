//! A whole recorded session, held against what a player's branch says.

use crate::replay::{Again, first_other_byte};
use fog::engine::{BoxedParty, Fault};

/// Where a player first said something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The number of the message.
    pub message: usize,
    /// The first byte that differs, or the end of the shorter one.
    pub byte: usize,
}

/// Compares a recorded session with what `party` says to the recorded messages of its peer. `opens`: message 0 is the party's. A fault is
/// that of a message of the peer, which an honest player would have refused, where nothing before it differs.
pub fn replay<T: Clone>(party: BoxedParty<T>, opens: bool, recorded: &[Vec<u8>]) -> Result<Option<Difference>, Fault> {
    let sizes = party.shape();
    // Nothing after a difference is of interest.
    let heard = |index: usize, before: &[Vec<u8>]| {
        let last = index.checked_sub(1);
        let is_right =
            last.and_then(|last| first_other_byte(&sizes, last, before.get(last)?, recorded.get(last)?)).is_none();
        recorded.get(index).filter(|_| is_right).map(Vec::as_slice)
    };
    let (again, _) = Again::run(party, opens, heard)?;
    for (message, said) in recorded.iter().enumerate() {
        if let Some(byte) = again.first_other_byte(message, said) {
            return Ok(Some(Difference { message, byte }));
        }
    }
    again.refused.map_or(Ok(None), |(_, fault)| Err(fault))
}
