//! What of a journal still belongs to a chain that was taken back. A move's context binds the position that it led to, both
//! commitments in it, so where an own signed move and the chain's have the same context, all before it was the same.

use super::Entry;
use game::ChainEvent;

/// The last own ply whose move is on the chain as it was signed here; none if there is none.
pub fn last_common<'a>(entries: &[Entry], events: impl IntoIterator<Item = &'a ChainEvent>) -> Option<u16> {
    let is_signed = |event: &ChainEvent| {
        let ChainEvent::Moved { fields: on_chain, ctx_next: Some(context), .. } = event else { return None };
        let is_same = |entry: &Entry| matches!(entry, Entry::Signed { fields, ctx_next, .. } if fields == on_chain && ctx_next == context);
        entries.iter().any(is_same).then_some(on_chain.ply)
    };
    events.into_iter().filter_map(is_signed).max()
}
