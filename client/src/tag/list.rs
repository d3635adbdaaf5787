//! The games of an account: those that it has opened or joined, and those that it is invited to.

use alloy::primitives::{Address, B256};
use alloy::rpc::types::Filter;
use alloy::sol_types::SolEvent as _;

use super::chain::{Latest, TagChain};
use super::contract::ITagGame::{GameCreated, GameJoined};
use super::error::TagError;

/// A game of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub game: B256,
    /// The game as of the latest block.
    pub latest: Latest,
}

impl TagChain {
    /// The games of an account in the order in which they came up, with those that somebody has opened for it.
    ///
    /// # Errors
    ///
    /// The node's failures, and [`TagError::Nonsense`].
    pub async fn games_of(&self, account: Address) -> Result<Vec<Listed>, TagError> {
        let (first, last) = (self.place().block, self.head().await?.number);
        let own = vec![GameCreated::SIGNATURE_HASH, GameJoined::SIGNATURE_HASH];
        let own = Filter::new().event_signature(own).topic2(account.into_word());
        let invited = Filter::new().event_signature(GameCreated::SIGNATURE_HASH).topic3(account.into_word());
        let mut told = self.matching(own, first, last).await?;
        told.extend(self.matching(invited, first, last).await?);
        told.sort_by_key(|told| told.block);
        let mut games: Vec<Listed> = Vec::new();
        for told in told {
            let game = *told.data.topics().get(1).ok_or(TagError::Nonsense("the event of a game names no game"))?;
            if games.iter().all(|known| known.game != game) {
                games.push(Listed { game, latest: self.latest(game).await? });
            }
        }
        Ok(games)
    }
}
