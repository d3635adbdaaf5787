//! View keys that a page was given as files, where players have shown them to somebody without publishing them.

use alloy_primitives::{Address, B256};
use game::audit::Record;
use game::{ChainEvent, GameRef, Table};
use serde::Deserialize;

/// What is read of a file with a player's view key: a disclosure has it among other things.
#[derive(Deserialize)]
pub struct KeyFile {
    #[serde(flatten)]
    game: GameRef,
    player: Address,
    view_key: B256,
}

/// The keys of a game's players as events that publish them, where the chain has none.
///
/// # Errors
///
/// A sentence, if a key is of another game, or of nobody who plays it.
pub fn opened(records: &[Record], game: GameRef, files: &[KeyFile]) -> Result<Vec<Record>, String> {
    let mut table = Table::new(game);
    for record in records {
        // What is wrong with the records themselves is the audit's business.
        let _ = table.apply(&record.event);
    }
    let mut found = Vec::new();
    for file in files {
        if file.game != game {
            return Err("the key in this file is another game's".to_owned());
        }
        if ![table.creator(), table.joiner()].contains(&Some(file.player)) {
            return Err("the key in this file is of somebody who doesn't play this game".to_owned());
        }
        if table.view_key(file.player).is_none() {
            let event = ChainEvent::ViewKeyPublished { player: file.player, key: file.view_key.0 };
            found.push(Record { event, time: None });
        }
    }
    Ok(found)
}
