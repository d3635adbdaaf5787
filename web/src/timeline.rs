//! What happened, event by event, and who plays by which terms.

use alloy_primitives::LogData;
use alloy_sol_types::SolEventInterface as _;
use events::IFogmate::IFogmateEvents;
use game::chronicle::{Chronicle, Entry};
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
    let tell = |read: &crate::input::Read| match &read.event {
        Some(event) => chronicle.tell(event, read.time),
        None => of_money(&read.raw),
    };
    let rows: Vec<Entry> = fetched.read()?.iter().map(tell).collect();
    let table = chronicle.table();
    let players = table.begun().map(|play| play.players);
    Ok(json!({
        "rows": rows, "terms": table.terms(), "creator": table.creator(), "joiner": table.joiner(), "players": players,
    }))
}

/// An event that tells nothing of the game's course.
fn of_money(raw: &LogData) -> Entry {
    let (what, by) = match IFogmateEvents::decode_raw_log(raw.topics(), &raw.data) {
        Ok(IFogmateEvents::BondReclaimed(event)) => {
            (format!("has its bond of {} wei back, which nobody earned", event.bond), Some(event.player))
        }
        _ => ("an event of the contract".to_owned(), None),
    };
    Entry { what, by, ..Entry::default() }
}
