//! Blocks: which is the latest, which are final, and whether other nodes know the same.

use std::fmt;
use std::str::FromStr;

use alloy::eips::{BlockId, BlockNumberOrTag};
use alloy::primitives::B256;
use alloy::providers::{DynProvider, Provider as _};
use fog::ensure;
use game::BlockRef;
use thiserror::Error;

use super::{Chain, ChainError};

/// Blocks on top of a block before it counts as final, on chains that aren't local.
const DEFAULT_CONFIRMATIONS: u64 = 12;

/// When a block counts as final (protocol, section 6): what depends on a move is released only then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finality {
    /// With so many blocks on top of it; 0: the latest block is final.
    Confirmations(u64),
    /// When the node calls it `finalized`.
    Finalized,
}

impl Finality {
    /// What befits a chain.
    pub fn of_chain(is_local: bool) -> Self {
        Self::Confirmations(if is_local { 0 } else { DEFAULT_CONFIRMATIONS })
    }
}

/// Why a text names no finality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a number of blocks, or `finalized`")]
pub struct FinalityParseError;

impl FromStr for Finality {
    type Err = FinalityParseError;

    fn from_str(text: &str) -> Result<Self, FinalityParseError> {
        match text {
            "finalized" => Ok(Self::Finalized),
            number => number.parse().map(Self::Confirmations).map_err(|_| FinalityParseError),
        }
    }
}

impl fmt::Display for Finality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Confirmations(blocks) => blocks.fmt(f),
            Self::Finalized => f.write_str("finalized"),
        }
    }
}

/// A block and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub block: BlockRef,
    pub parent: B256,
    /// Seconds since 1970.
    pub time: u64,
}

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

    /// Compares a block that is about to count as final with what the other nodes have at its number; says which of them could be
    /// asked. A node that can't, or doesn't have the block yet, says nothing against it.
    pub(super) async fn check_witnesses(&self, block: &BlockRef) -> Result<Vec<bool>, ChainError> {
        let mut answers = Vec::new();
        for witness in &self.witnesses {
            let found = header(witness, block.number.into()).await;
            if let Ok(Some(found)) = &found {
                ensure!(found.block.hash == block.hash, ChainError::NodesDisagree(block.number));
            }
            answers.push(found.is_ok());
        }
        Ok(answers)
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
