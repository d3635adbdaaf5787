//! The audit and the replay of a game, by the verdicts that the page has on its proofs: what `fogmate audit --json` says, and the boards.

use std::collections::BTreeMap;

use game::replay;
use game::report::{Said, report};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::boards::boards;
use crate::input::{Fetched, parse, with_keys};

#[derive(Deserialize)]
struct Question {
    #[serde(flatten)]
    fetched: Fetched,
    /// Whether the verifier takes each proof, by what its row names.
    verdicts: BTreeMap<String, bool>,
    /// The files of view keys.
    keys: Vec<String>,
}

/// What the logs, the transcript, the verdicts and the view keys show of a game: the report of its audit, what it says to people, and its boards.
///
/// # Errors
///
/// A sentence, if the logs are none of the contract's, or a file has no view key or no transcript of this game.
pub fn audit(text: &[u8]) -> Result<Value, String> {
    let Question { fetched, verdicts, keys } = parse(text)?;
    let game = fetched.game;
    let whole = fetched.whole()?;
    let audit = whole.audit(|statement, proof| match verdicts.get(&statement.key(proof)) {
        Some(true) => Ok(()),
        Some(false) => Err("the verifier refuses it"),
        None => Err("it was not verified"),
    });
    let records = with_keys(game, whole.records, &keys)?;
    let replay = replay::replay(game, &records);
    let (report, said) = (report(&audit, replay.as_ref()), Said::of(&audit, replay.as_ref()));
    Ok(json!({ "report": report, "said": said, "boards": boards(game, &records, replay.as_ref().ok()) }))
}
