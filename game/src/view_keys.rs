//! Which view keys were published, and whether they are those that a game was played with: whoever plays may publish another.

use crate::record::Record;
use crate::secrets::ViewKey;
use crate::table::MOST_VIEW_KEYS;
use crate::{ChainEvent, OwnState};
use alloy_primitives::Address;
use rules::Color;

/// The view keys that a player has published, the last one first.
pub(crate) fn keys(records: &[Record], of: Address) -> impl Iterator<Item = ViewKey> {
    let published = records.iter().rev().filter_map(move |record| match record.event {
        ChainEvent::ViewKeyPublished { player, key } if player == of => Some(ViewKey::from_bytes(key)),
        _ => None,
    });
    published.take(MOST_VIEW_KEYS)
}

/// Whether a view key opens a player's first move, before which nothing of its own can have been captured; if it has made none, every key does.
pub(crate) fn opens(records: &[Record], color: Color, key: &ViewKey) -> bool {
    let first = records.iter().find_map(|record| match &record.event {
        ChainEvent::Moved { fields, .. } if fields.ply == color as u16 => Some(fields.next_commitment),
        _ => None,
    });
    OwnState::is_opened(color, key, first)
}
