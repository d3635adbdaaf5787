//! What happened, event by event, and who plays by which terms.

use game::audit::opening;
use game::chronicle::{Chronicle, Entry};
use game::{Mode, TableError};
use serde_json::{Value, json};

use crate::input::{Fetched, parse};

/// Says what the logs mean.
///
/// # Errors
///
/// A sentence, if they are none of the contract's.
pub fn read(text: &[u8]) -> Result<Value, String> {
    let fetched: Fetched = parse(text)?;
    let mut chronicle = Chronicle::new(fetched.game);
    let records = fetched.records()?;
    if opening(&records).is_some_and(|opening| opening.terms.mode == Mode::Channel) {
        return Err(TableError::Channel.to_string());
    }
    let rows: Vec<Entry> = records.iter().map(|record| chronicle.tell(&record.event, record.time)).collect();
    let table = chronicle.table();
    let players = table.begun().map(|play| play.players);
    Ok(json!({
        "rows": rows, "terms": table.terms(), "creator": table.creator(), "joiner": table.joiner(), "players": players,
    }))
}
