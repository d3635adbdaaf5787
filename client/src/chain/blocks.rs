//! Blocks: which is the latest, which are final, and whether other nodes know the same.

use alloy::eips::{BlockId, BlockNumberOrTag};
use alloy::primitives::B256;
use alloy::providers::{DynProvider, Provider as _};
use fog::ensure;
use game::BlockRef;

use super::{Chain, ChainError};
use crate::follow::{Finality, Header};

impl Chain {
    /// The hash of the chain's first block, which no other chain has, not even a local one that was started anew.
    pub async fn genesis(&self) -> Result<B256, ChainError> {
        let first = self.header(BlockNumberOrTag::Earliest.into()).await?;
        Ok(first.ok_or(ChainError::Nonsense("the chain has no first block"))?.block.hash)
    }

    /// The latest block.
    pub(super) async fn head(&self) -> Result<Header, ChainError> {
        let head = self.header(BlockNumberOrTag::Latest.into()).await?;
        head.ok_or(ChainError::Nonsense("the chain has no latest block"))
    }

    /// A block, if the node has it.
    pub(super) async fn header(&self, id: BlockId) -> Result<Option<Header>, ChainError> {
        header(&self.provider, id).await
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

    /// What another node has at a number.
    pub(super) async fn header_of_witness(&self, node: usize, number: u64) -> Result<Option<Header>, ChainError> {
        match self.witnesses.get(node) {
            Some(witness) => header(witness, number.into()).await,
            None => Ok(None),
        }
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

async fn header(node: &DynProvider, id: BlockId) -> Result<Option<Header>, ChainError> {
    let found = node.get_block(id).await?;
    Ok(found.map(|block| Header {
        block: BlockRef { number: block.header.number, hash: block.header.hash },
        parent: block.header.parent_hash,
        time: block.header.timestamp,
    }))
}
