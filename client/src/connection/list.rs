//! The games of an account: those that it has opened or joined, and those that it is invited to.

use alloy::primitives::{Address, B256};
use alloy::rpc::types::Filter;

use super::Connection;
use crate::chain::ChainError;

/// A game of an account, with what its contract says of it as of the latest block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed<L> {
    pub game: B256,
    /// The game as of the latest block.
    pub latest: L,
}

/// The events of a contract that tell whose a game is, by the hashes of their signatures.
#[derive(Clone, Copy, Debug)]
pub struct Beginnings {
    /// A game was opened; its topics are the game, the creator and who may join.
    pub created: B256,
    /// A game was joined; its topics are the game and the joiner.
    pub joined: B256,
}

impl Connection {
    /// The games of an account in the order in which they came up, with those that somebody has opened for it.
    pub(crate) async fn beginnings(&self, account: Address, events: Beginnings) -> Result<Vec<B256>, ChainError> {
        let (first, last) = (self.place.block, self.head().await?.number);
        let own = Filter::new().event_signature(vec![events.created, events.joined]).topic2(account.into_word());
        let invited = Filter::new().event_signature(events.created).topic3(account.into_word());
        let mut told = self.matching(own, first, last).await?;
        told.extend(self.matching(invited, first, last).await?);
        told.sort_by_key(|told| told.block);
        let mut games = Vec::new();
        for told in told {
            let game = told.data.topics().get(1).ok_or(ChainError::Nonsense("the event of a game names no game"))?;
            if !games.contains(game) {
                games.push(*game);
            }
        }
        Ok(games)
    }
}
