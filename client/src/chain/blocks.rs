//! Blocks: which is the latest, which are final, and whether other nodes know the same.

use alloy::eips::{BlockId, BlockNumberOrTag};
use alloy::primitives::{Address, B256, Bloom, BloomInput};
use alloy::providers::{DynProvider, Provider as _};
use fog::ensure;
use game::BlockRef;

use super::{Chain, ChainError};
use crate::follow::{Finality, Header};

impl Chain {
    /// The hash of the chain's first block, which no other chain has, not even a local one that was started anew.
    pub async fn genesis(&self) -> Result<B256, ChainError> {
        genesis(&self.provider).await
    }

    pub(super) async fn head(&self) -> Result<Header, ChainError> {
        let head = self.header(BlockNumberOrTag::Latest.into()).await?;
        head.ok_or(ChainError::Nonsense("the chain has no latest block"))
    }

    /// A block, if the node has it.
    pub(super) async fn header(&self, id: BlockId) -> Result<Option<Header>, ChainError> {
        header(&self.provider, id, None).await
    }

    /// A block, if the node has it, with whether something of a game may have happened in it.
    pub(super) async fn header_for(&self, game: B256, id: BlockId) -> Result<Option<Header>, ChainError> {
        header(&self.provider, id, Some((self.config.contract, game))).await
    }

    /// The number of the last block that is final, if any is.
    pub(super) async fn last_final(&self, head: &Header) -> Result<Option<u64>, ChainError> {
        match self.config.finality {
            Finality::Confirmations(blocks) => Ok(head.block.number.checked_sub(blocks)),
            Finality::Finalized => {
                let found = self.header(BlockNumberOrTag::Finalized.into()).await?;
                // Another machine behind the same address may be ahead of the one that told the head.
                Ok(found.map(|header| header.block.number.min(head.block.number)))
            }
        }
    }

    /// Whether a block is on the chain still.
    ///
    /// # Errors
    ///
    /// [`ChainError::Behind`] if the node hasn't got so far, [`ChainError::Reorganised`] if another block has its number.
    pub async fn check(&self, block: &BlockRef) -> Result<(), ChainError> {
        let found = self.header(block.number.into()).await?.ok_or(ChainError::Behind)?;
        ensure!(found.block == *block, ChainError::Reorganised(block.number));
        Ok(())
    }

    /// How long the last block to become final has taken, in seconds; 0 where a block is final at once.
    pub async fn finality_time(&self) -> Result<u64, ChainError> {
        let head = self.head().await?;
        let last_final = self.last_final(&head).await?.unwrap_or(0);
        if last_final == head.block.number {
            return Ok(0);
        }
        // The first block's time says nothing.
        let found = self.header(last_final.max(1).into()).await?.ok_or(ChainError::Behind)?;
        Ok(head.time.saturating_sub(found.time))
    }
}

/// The hash of the first block of a node's chain. By its number: a node that throws old blocks away calls another one the earliest. Asked for as a
/// process begins, and so more than once.
pub(super) async fn genesis(node: &DynProvider) -> Result<B256, ChainError> {
    let first = rpc::patiently(|| node.get_block_by_number(0.into())).await?;
    Ok(first.ok_or(ChainError::Nonsense("the chain has no first block"))?.header.hash)
}

/// A block of a node; `events` names the contract and the game whose events it may have.
pub(super) async fn header(
    node: &DynProvider,
    id: BlockId,
    events: Option<(Address, B256)>,
) -> Result<Option<Header>, ChainError> {
    let found = node.get_block(id).await?;
    Ok(found.map(|block| {
        let (bloom, is_empty) = (&block.header.logs_bloom, block.transactions.is_empty());
        Header {
            block: BlockRef { number: block.header.number, hash: block.header.hash },
            parent: block.header.parent_hash,
            time: block.header.timestamp,
            may_have_events: events.is_none_or(|(contract, game)| may_hold(bloom, is_empty, contract, game)),
        }
    }))
}

/// Whether a contract may have told of a game in a block. Some chains fill no blooms: an empty one says something only of a block without
/// transactions.
fn may_hold(bloom: &Bloom, is_empty: bool, contract: Address, game: B256) -> bool {
    if bloom.is_zero() {
        return !is_empty;
    }
    [contract.as_slice(), game.as_slice()].iter().all(|word| bloom.contains_input(BloomInput::Raw(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bloom_without_contract_or_game_rules_events_out() {
        let (contract, game) = (Address::repeat_byte(1), B256::repeat_byte(2));
        let may = |words: &[&[u8]]| {
            let mut bloom = Bloom::default();
            words.iter().for_each(|word| bloom.accrue(BloomInput::Raw(word)));
            may_hold(&bloom, false, contract, game)
        };
        assert!(may(&[contract.as_slice(), game.as_slice(), b"other"]));
        assert!(!may(&[contract.as_slice()]) && !may(&[game.as_slice()]) && !may(&[b"other"]));
        assert!(may(&[]), "a chain without blooms");
        assert!(!may_hold(&Bloom::default(), true, contract, game), "a block without transactions");
        assert!(may_hold(&Bloom::repeat_byte(0xff), false, contract, game), "a busy block");
    }
}
