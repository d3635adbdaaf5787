//! What of a journal still belongs to a chain that was taken back. A move's basis binds the positions before and after it, so where an own
//! signed move and the chain's have the same basis, all before it was the same.

use super::Entry;
use game::ChainEvent;

/// The last own ply whose move is on the chain as it was signed here; none if there is none.
pub fn last_common<'a>(entries: &[Entry], events: impl IntoIterator<Item = &'a ChainEvent>) -> Option<u16> {
    let is_signed = |event: &ChainEvent| {
        let ChainEvent::Moved { fields: on_chain, basis: Some(rests_on), .. } = event else { return None };
        let is_same = |entry: &Entry| matches!(entry, Entry::Signed { fields, basis, .. } if fields == on_chain && basis == rests_on);
        entries.iter().any(is_same).then_some(on_chain.ply)
    };
    events.into_iter().filter_map(is_signed).max()
}
