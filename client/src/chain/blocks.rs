//! Blocks: which is the latest, and which are final.

use alloy::eips::BlockId;
use alloy::primitives::B256;
use chain::{BlockRef, Node as _};
use fog::ensure;

use super::{Chain, ChainError};

impl Chain {
    /// The hash of the chain's first block, which no other chain has, not even a local one that was started anew.
    pub async fn genesis(&self) -> Result<B256, ChainError> {
        Ok(chain::genesis(&self.provider).await?)
    }

    /// The number of the last block that is final, if any is.
    pub(super) async fn last_final(&self) -> Result<Option<u64>, ChainError> {
        let head = self.nodes.block(BlockId::latest()).await?;
        let head = head.ok_or(ChainError::Nonsense("the chain has no latest block"))?;
        Ok(self.config.finality.last_final(&self.nodes, head.block).await?.0)
    }

    /// Whether a block is on the chain still.
    ///
    /// # Errors
    ///
    /// [`ChainError::Behind`] if the node hasn't got so far, [`ChainError::Reorganised`] if another block has its number.
    pub async fn check(&self, block: &BlockRef) -> Result<(), ChainError> {
        let found = self.nodes.block(block.number.into()).await?.ok_or(ChainError::Behind)?;
        ensure!(found.block == *block, ChainError::Reorganised(block.number));
        Ok(())
    }

    /// How long the last block to become final has taken, in seconds; 0 where a block is final at once.
    pub async fn finality_time(&self) -> Result<u64, ChainError> {
        Ok(self.config.finality.time(&self.nodes).await?)
    }
}
