//! The games of an account.

use alloy::primitives::{Address, B256};
use alloy::sol_types::SolEvent as _;

use super::chain::{Latest, TagChain};
use super::contract::ITagGame::{GameCreated, GameJoined};
use super::error::TagError;
use crate::connection::{Beginnings, Listed};

impl TagChain {
    /// The ids of an account's games in the order in which they came up, with those that somebody has opened for it.
    ///
    /// # Errors
    ///
    /// The node's failures, and [`TagError::Nonsense`].
    pub async fn ids_of(&self, account: Address) -> Result<Vec<B256>, TagError> {
        let events = Beginnings { created: GameCreated::SIGNATURE_HASH, joined: GameJoined::SIGNATURE_HASH };
        Ok(self.beginnings(account, events).await?)
    }

    /// The games of an account, as they stand.
    ///
    /// # Errors
    ///
    /// As [`Self::ids_of`].
    pub async fn games_of(&self, account: Address) -> Result<Vec<Listed<Latest>>, TagError> {
        let mut games = Vec::new();
        for game in self.ids_of(account).await? {
            games.push(Listed { game, latest: self.latest(game).await? });
        }
        Ok(games)
    }
}
