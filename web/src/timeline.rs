//! What happened, event by event, and who plays by which terms.

use game::chronicle::{Chronicle, Entry};
use serde::Serialize;
use serde_json::{Value, json};

use crate::input::{Fetched, parse};

/// An event, or a ply of the transcript.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    entry: Entry,
    /// Which of the logs tells it; none of a ply that is not on the chain.
    log: Option<usize>,
}

/// Says what the logs mean, and the transcript, if there is one.
///
/// # Errors
///
/// A sentence, if the logs are none of the contract's, or the transcript is none of this game.
pub fn read(text: &[u8]) -> Result<Value, String> {
    let fetched: Fetched = parse(text)?;
    let mut chronicle = Chronicle::new(fetched.game);
    let mut logs = 0..;
    let rows: Vec<Row> = fetched
        .whole()?
        .records
        .iter()
        .map(|record| Row { entry: chronicle.tell(record), log: if record.is_of_chain() { logs.next() } else { None } })
        .collect();
    let table = chronicle.table();
    let players = table.begun().map(|play| play.players);
    Ok(json!({
        "rows": rows, "terms": table.terms(), "creator": table.creator(), "joiner": table.joiner(), "players": players,
    }))
}
