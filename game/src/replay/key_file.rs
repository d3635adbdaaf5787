//! A player's view key in a file: with it everybody who has the file can replay that player's side, without the chain being told.

use crate::audit::Record;
use crate::secrets::ViewKey;
use crate::view_keys::opens;
use crate::{ChainEvent, GameRef, Table};
use alloy_primitives::{Address, B256};
use fog::ensure;
use serde::{Deserialize, Serialize};

const VERSION: &str = "view key 1";

/// A view key, and whose it is in which game.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFile {
    fogmate: String,
    #[serde(flatten)]
    game: GameRef,
    player: Address,
    view_key: B256,
}

fog::redacted!(KeyFile);

/// Why a key file can't be used for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    #[error("it is no key file that `fogmate publish --file` writes: {0}")]
    Form(String),
    /// The file says so itself.
    #[error("it is a key of the game {0}")]
    OtherGame(B256),
    #[error("it is the key of {0:#x}, who doesn't play in this game")]
    NotAPlayer(Address),
    /// The first commitment of the player isn't one that the key leads to.
    #[error("the key is not the one that {0:#x} has played with")]
    WrongKey(Address),
    /// A view key is published after the end.
    #[error("the game is not over, as far as is known here")]
    NotOver,
}

impl KeyFile {
    /// A player's key of a game.
    pub fn new(game: GameRef, player: Address, key: &ViewKey) -> Self {
        Self { fogmate: VERSION.to_owned(), game, player, view_key: key.to_bytes().into() }
    }

    /// As one JSON object.
    ///
    /// # Errors
    ///
    /// None that are known: every field has a JSON form.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Reads what [`Self::to_json`] wrote.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Form`].
    pub fn from_json(text: &[u8]) -> Result<Self, KeyFileError> {
        let file: Self = serde_json::from_slice(text).map_err(|error| KeyFileError::Form(error.to_string()))?;
        ensure!(file.fogmate == VERSION, KeyFileError::Form(format!("it says that it is a {:?}", file.fogmate)));
        Ok(file)
    }

    /// The key as if its player had published it on chain after these records.
    ///
    /// # Errors
    ///
    /// If it isn't a key of this game that its player has played with.
    pub fn record(&self, game: GameRef, records: &[Record]) -> Result<Record, KeyFileError> {
        ensure!(self.game == game, KeyFileError::OtherGame(self.game.game_id));
        let mut table = Table::new(game);
        // What is wrong with the records is told when the game is replayed.
        records.iter().for_each(|record| drop(table.apply(&record.event)));
        if let Some(play) = table.begun() {
            let color = play.color_of(self.player).ok_or(KeyFileError::NotAPlayer(self.player))?;
            let key = ViewKey::from_bytes(self.view_key.0);
            ensure!(opens(records, color, &key), KeyFileError::WrongKey(self.player));
        }
        ensure!(table.ending().is_some(), KeyFileError::NotOver);
        let event = ChainEvent::ViewKeyPublished { player: self.player, key: self.view_key.0 };
        Ok(Record::of_chain(event, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written_and_others_are_refused() {
        let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(1), game_id: B256::repeat_byte(2) };
        let file = KeyFile::new(game, Address::repeat_byte(3), &ViewKey::from_bytes([4; 32]));
        let text = file.to_json().expect("JSON");
        assert!(KeyFile::from_json(text.as_bytes()).expect("a file") == file);
        assert_eq!(format!("{file:?}"), "KeyFile(…)");
        for wrong in ["", "{}", "[]", &text.replace("key 1", "key 2"), &text.replace("0x04", "0x")] {
            assert!(matches!(KeyFile::from_json(wrong.as_bytes()), Err(KeyFileError::Form(_))), "{wrong}");
        }
        let other = GameRef { game_id: B256::ZERO, ..game };
        assert_eq!(file.record(other, &[]).expect_err("another"), KeyFileError::OtherGame(game.game_id));
    }
}
