//! The events of games, in the chain's order.
//!
//! Protocol section 8 ("anyone can audit": events) and section 6: the caller asks for blocks that are final, or
//! up to the latest to show what is coming.  What events mean is the seat's and the audit's business.

use alloy::primitives::B256;
use alloy::rpc::types::{Filter, Log};
use game::ChainEvent;

use super::{Chain, ChainError};

/// An event of a game and where it is on the chain.
pub type Logged = chain::Log<ChainEvent>;

impl Chain {
    /// The events of one game in the blocks `from..=to`, in order.
    pub async fn events(&self, game: B256, from: u64, to: u64) -> Result<Vec<Logged>, ChainError> {
        let mut logs = self.logs(Filter::new().topic1(game), from, to).await?;
        logs.retain(|log| log.topics().get(1) == Some(&game));
        let mut events = Vec::new();
        for log in logs {
            let chain::Log { event, block, transaction, index } = chain::Log::placed(log)?;
            let event = events::decode(&event)?;
            events.extend(event.map(|event| Logged { event, block, transaction, index }));
        }
        Ok(events)
    }
}

/// The games that logs of the contract name, in their order, each with the number of the block of the first one that does.
pub(crate) fn games_in(logs: &[Log]) -> Result<Vec<(B256, u64)>, ChainError> {
    let mut games: Vec<(B256, u64)> = Vec::new();
    for log in logs {
        let game = log.topics().get(1).ok_or(ChainError::Nonsense("the event of a game names no game"))?;
        if !games.iter().any(|(known, _)| known == game) {
            games.push((*game, log.block_number.unwrap_or_default()));
        }
    }
    Ok(games)
}
