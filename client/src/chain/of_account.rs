//! What the chain knows of an account: the games that it has opened or joined, and the move that it has sent and that is in no block. With
//! a wallet alone, on a machine that remembers nothing, a game begins here again (protocol, section 9).

use super::{Chain, ChainError, games_in};
use alloy::primitives::{Address, B256};
use alloy::rpc::types::Filter;
use alloy::sol_types::{SolCall as _, SolEvent as _};
use chain::send::{Entry, Key, Subject, TxStatus};
use events::IFogmate::{GameCreated, GameJoined, moveCall};
use events::types;
use game::MoveFields;

/// What a wallet has sent for a ply and is in no block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveUnderWay {
    /// Nothing, as far as the node shows what waits for its block.
    None,
    Move {
        fields: MoveFields,
        /// The hash of its last signed version.
        transaction: B256,
    },
    /// The node has a transaction of the wallet that it doesn't show.
    Hidden,
}

impl Chain {
    /// The games that an account has opened or joined, or all there are, in the chain's order, up to the latest block; each with the number of the block
    /// in which that was.
    pub async fn games_of(&self, account: Option<Address>) -> Result<Vec<(B256, u64)>, ChainError> {
        let filter = Filter::new().event_signature(vec![GameCreated::SIGNATURE_HASH, GameJoined::SIGNATURE_HASH]);
        let filter = account.iter().fold(filter, |filter, account| filter.topic2(account.into_word()));
        games_in(&self.logs(filter, self.config.first_block, self.latest_block().await?).await?)
    }

    /// The move of a ply that this wallet has sent, from here or from another machine, and that is in no block. What only the node
    /// remembers is taken over into the wallet's record.
    pub async fn move_under_way(&self, game: B256, ply: u16) -> Result<MoveUnderWay, ChainError> {
        let sender = self.sender()?;
        sender.take_over().await?;
        let ledger = sender.ledger()?;
        let subject = Subject::Exclusive(Key { topic: game, number: ply });
        let is_it = |entry: &&Entry| entry.status() == TxStatus::UnderWay && entry.request.subject == subject;
        let Some(entry) = ledger.entries().iter().find(is_it) else {
            return Ok(if ledger.has_unknown() { MoveUnderWay::Hidden } else { MoveUnderWay::None });
        };
        let call = moveCall::abi_decode_validate(&entry.request.call.input);
        let call = call.map_err(|_| ChainError::Nonsense("a move on its way is no call of `move`"))?;
        let transaction = entry.attempts.last().map(|attempt| attempt.hash).unwrap_or_default();
        Ok(MoveUnderWay::Move { fields: types::declared(&call.declared)?, transaction })
    }
}
