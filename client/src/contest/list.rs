//! The games of an account: those that it has opened or joined, and those that it is invited to.

use alloy::primitives::{Address, B256};
use alloy::rpc::types::Filter;

use super::{Chain, Contract, GameError, Latest};
use crate::chain::games_in;

/// A game of an account, with what its contract says of it as of the latest block.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<G: Contract> {
    pub game: B256,
    /// The game as of the latest block.
    pub latest: Latest<G>,
}

impl<G: Contract> Chain<G> {
    /// The ids of an account's games in the order in which they came up, with those that somebody has opened for it.
    ///
    /// # Errors
    ///
    /// The node's failures, and [`GameError::Nonsense`].
    pub async fn ids_of(&self, account: Address) -> Result<Vec<B256>, GameError<G>> {
        let ([created, joined], last) = (G::beginnings(), self.latest_block().await?);
        let own = Filter::new().event_signature(vec![created, joined]).topic2(account.into_word());
        let invited = Filter::new().event_signature(created).topic3(account.into_word());
        let mut told = self.logs(own, 0, last).await?;
        told.extend(self.logs(invited, 0, last).await?);
        told.sort_by_key(|told| told.block_number);
        Ok(games_in(&told)?.into_iter().map(|(game, _)| game).collect())
    }

    /// The games of an account, as they stand.
    ///
    /// # Errors
    ///
    /// Those of [`Self::ids_of`], and of looking at each game.
    pub async fn games_of(&self, account: Address) -> Result<Vec<Listed<G>>, GameError<G>> {
        let mut games = Vec::new();
        for game in self.ids_of(account).await? {
            games.push(Listed { game, latest: self.latest(game).await? });
        }
        Ok(games)
    }
}
