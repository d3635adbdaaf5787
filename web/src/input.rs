//! What a page has fetched of a game: the logs of the contract, in the chain's order, each with its block's time and its transaction.

use alloy_primitives::{Address, B256, Bytes, LogData, U256};
use events::Sent;
use game::GameRef;
use game::audit::Record;
use game::channel_transcript::{Transcript, Whole};
use game::replay::KeyFile;
use serde::Deserialize;

/// What every question begins with.
#[derive(Deserialize)]
pub struct Fetched {
    #[serde(flatten)]
    pub game: GameRef,
    logs: Vec<Log>,
    /// The file of a transcript, if there is one.
    transcript: Option<String>,
}

#[derive(Deserialize)]
struct Log {
    topics: Vec<B256>,
    data: Bytes,
    time: Option<u64>,
    transaction: Option<Transaction>,
}

#[derive(Deserialize)]
struct Transaction {
    /// By its signature; none of a transaction that the page can't hold to its hash.
    from: Option<Address>,
    to: Option<Address>,
    #[serde(default)]
    value: U256,
    input: Bytes,
}

impl Fetched {
    /// The game as the logs tell it, with the plies of the transcript.
    pub fn whole(&self) -> Result<Whole, String> {
        let transcript = self.transcript.as_ref().map(|text| Transcript::from_json(text.as_bytes()));
        let transcript = transcript.transpose().map_err(|error| error.to_string())?;
        Whole::of(self.game, self.records()?, transcript.as_ref()).map_err(|error| error.to_string())
    }

    /// What each log tells of the game.
    fn records(&self) -> Result<Vec<Record>, String> {
        self.logs.iter().map(|log| self.record(log)).collect()
    }

    fn record(&self, log: &Log) -> Result<Record, String> {
        let raw = LogData::new(log.topics.clone(), log.data.clone()).ok_or("a log has more than four topics")?;
        if log.topics.get(1) != Some(&self.game.game_id) {
            return Err("the node has given a log of another game".to_owned());
        }
        let event = events::decode(&raw).map_err(|error| format!("the chain's data makes no sense: {error}"))?;
        let event = event.ok_or("the node has given a log that tells nothing of a game")?;
        let direct = log.transaction.as_ref().filter(|transaction| transaction.to == Some(self.game.contract));
        let sent =
            direct.map(|Transaction { from, value, input, .. }| Sent { sender: *from, value: *value, calldata: input });
        events::record(event, log.time, self.game.game_id, sent).map_err(|error| error.to_string())
    }
}

/// A game's records, and the view keys of files as if they had been published after it.
pub fn with_keys(game: GameRef, mut records: Vec<Record>, keys: &[String]) -> Result<Vec<Record>, String> {
    for key in keys {
        let key = KeyFile::from_json(key.as_bytes()).and_then(|file| file.record(game, &records));
        records.push(key.map_err(|error| error.to_string())?);
    }
    Ok(records)
}

/// What the page asks, which is JSON.
pub fn parse<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| format!("the page has asked what can't be read: {error}"))
}
