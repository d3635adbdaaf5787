//! The audit and the replay of a game, by the verdicts that the page has on its proofs: what `fogmate audit --json` says.

use std::collections::BTreeMap;

use alloy_primitives::{B256, keccak256};
use game::report::report;
use game::{audit, replay};
use serde::Deserialize;
use serde_json::Value;

use crate::input::{Fetched, parse};
use crate::keys::{self, KeyFile};
use crate::timeline::evidence;

#[derive(Deserialize)]
struct Question {
    #[serde(flatten)]
    fetched: Fetched,
    /// The hash of each proof with its public inputs, and whether the verifier takes it.
    verdicts: BTreeMap<B256, bool>,
    /// View keys from files.
    keys: Vec<KeyFile>,
}

/// Judges a game.
///
/// # Errors
///
/// A sentence, if the logs are none of the contract's.
pub fn audit(text: &[u8]) -> Result<Value, String> {
    let Question { fetched, verdicts, keys } = parse(text)?;
    let game = fetched.game;
    let mut records = fetched.records()?;
    let audit = audit::audit(game, &records, |public, proof| {
        match verdicts.get(&keccak256(evidence(&public.to_instance(), proof))) {
            Some(true) => Ok(()),
            Some(false) => Err("the verifier refuses it"),
            None => Err("it was not verified"),
        }
    });
    records.extend(keys::opened(&records, game, &keys)?);
    Ok(report(&audit, replay::replay(game, &records).as_ref()))
}
