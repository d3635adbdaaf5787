//! What the chain knows of an account: the games that it has opened or joined, and whether a move of it may be on its way. With a wallet alone, on a
//! machine that remembers nothing, a game begins here again (protocol, section 9).

use super::{Chain, ChainError, games_in};
use alloy::primitives::{Address, B256};
use alloy::rpc::types::Filter;
use alloy::sol_types::SolEvent as _;
use chain::send::{Key, Subject};
use events::IFogmate::{GameCreated, GameJoined};

impl Chain {
    /// The games that an account has opened or joined, or all there are, in the chain's order, up to the latest block; each with the number of the block
    /// in which that was.
    pub async fn games_of(&self, account: Option<Address>) -> Result<Vec<(B256, u64)>, ChainError> {
        let filter = Filter::new().event_signature(vec![GameCreated::SIGNATURE_HASH, GameJoined::SIGNATURE_HASH]);
        let filter = account.iter().fold(filter, |filter, account| filter.topic2(account.into_word()));
        games_in(&self.logs(filter, self.config.first_block, self.latest_block().await?).await?)
    }

    /// Whether this wallet may have sent a move of a ply, from here or from another machine, that is in no block: a transaction that the node doesn't show
    /// may be one. What only the node remembers is taken over into the wallet's record.
    pub async fn move_may_be_under_way(&self, game: B256, ply: u16) -> Result<bool, ChainError> {
        self.sender()?.take_over().await?;
        let subject = Subject::Exclusive(Key { topic: game, number: ply });
        Ok(self.ledger()?.has_unknown() || self.is_under_way(|request| request.subject == subject)?)
    }
}
