//! Which blocks are final, and whether other nodes have the same ones. All that is read of a game's course is in blocks up to the last final one, so
//! nothing is done upon what another node denies.

use std::sync::PoisonError;

use alloy::eips::BlockId;
use chain::Node as _;
use fog::ensure;

use super::Connection;
use crate::chain::ChainError;

impl Connection {
    /// The number of the last final block, which no other node denies; none if no block is final so far.
    ///
    /// # Errors
    ///
    /// [`ChainError::NodesDisagree`] if another node has another block of its number, and the node's failures. A node that can't be asked, or
    /// hasn't got so far, denies nothing.
    pub(crate) async fn last_final(&self) -> Result<Option<u64>, ChainError> {
        let head = self.nodes.block(BlockId::latest()).await?.ok_or(ChainError::Behind)?;
        let (Some(number), named) = self.finality.last_final(&self.nodes, head.block).await? else { return Ok(None) };
        let last = match named {
            _ if number == head.block.number => head,
            Some(named) => named,
            None => self.nodes.block(number.into()).await?.ok_or(ChainError::Behind)?,
        };
        let compared = || self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        // Of a block that was compared nobody is asked again.
        if *compared() != Some(last.block) {
            let others = self.nodes.elsewhere(number).await;
            ensure!(others.iter().all(|other| *other == last.block), ChainError::NodesDisagree(number));
            *compared() = Some(last.block);
        }
        Ok(Some(number))
    }

    /// How long a message lately took to become final once it was in a block, in seconds: what that leaves of a turn is the time to act.
    pub async fn finality_time(&self) -> Result<u64, ChainError> {
        Ok(self.finality.time(&self.nodes).await?)
    }

    /// What the user should know of the nodes: one sentence each, told once.
    pub fn take_notes(&self) -> Vec<String> {
        self.nodes.take_notes()
    }
}
