//! The audit and the replay of a game, by the verdicts that the page has on its proofs: what `fogmate audit --json` says, and the boards.

use std::collections::BTreeMap;

use alloy_primitives::{B256, keccak256};
use game::chronicle::joined;
use game::replay;
use game::report::report;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::boards::boards;
use crate::input::{Fetched, parse, with_keys};

#[derive(Deserialize)]
struct Question {
    #[serde(flatten)]
    fetched: Fetched,
    /// The hash of each proof with its public inputs, and whether the verifier takes it.
    verdicts: BTreeMap<B256, bool>,
    /// The files of view keys.
    keys: Vec<String>,
}

/// What the logs, the transcript, the verdicts and the view keys show of a game: the report of its audit, and its boards.
///
/// # Errors
///
/// A sentence, if the logs are none of the contract's, or a file has no view key or no transcript of this game.
pub fn audit(text: &[u8]) -> Result<Value, String> {
    let Question { fetched, verdicts, keys } = parse(text)?;
    let game = fetched.game;
    let whole = fetched.whole()?;
    let audit = whole.audit(|public, proof| match verdicts.get(&keccak256(joined(&public.to_instance(), proof))) {
        Some(true) => Ok(()),
        Some(false) => Err("the verifier refuses it"),
        None => Err("it was not verified"),
    });
    let records = with_keys(game, whole.records, &keys)?;
    let replay = replay::replay(game, &records);
    Ok(json!({ "report": report(&audit, replay.as_ref()), "boards": boards(game, &records, replay.as_ref().ok()) }))
}
