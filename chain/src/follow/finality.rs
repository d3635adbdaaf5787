//! When a block counts as final (protocol, section 6).

use std::str::FromStr;

use alloy::eips::BlockId;
use derive_more::Display;
use thiserror::Error;

use super::FollowError;
use crate::node::{BlockRef, Header, Node};

/// Blocks on top of a block before it counts as final, on chains that aren't local.
const DEFAULT_CONFIRMATIONS: u64 = 12;

/// When a block counts as final: what depends on a move is released only then.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Finality {
    /// With so many blocks on top of it; 0: the latest block is final.
    Confirmations(u64),
    /// When the node calls it `finalized`.
    #[display("finalized")]
    Finalized,
}

impl Finality {
    /// What befits a chain.
    pub fn of_chain(is_local: bool) -> Self {
        Self::Confirmations(if is_local { 0 } else { DEFAULT_CONFIRMATIONS })
    }

    /// The number of the last final block as of a latest one, if any is final; and that block where the node has named it.
    ///
    /// # Errors
    ///
    /// [`FollowError::Behind`] if the latest block comes from a machine that is so far behind another one that nobody knows whether it is on the
    /// chain of what is final.
    pub async fn last_final(
        self,
        node: &impl Node,
        latest: BlockRef,
    ) -> Result<(Option<u64>, Option<Header>), FollowError> {
        let named = match self {
            Self::Confirmations(blocks) => return Ok((latest.number.checked_sub(blocks), None)),
            Self::Finalized => node.block(BlockId::finalized()).await?,
        };
        match named {
            Some(named) if named.block.number > latest.number => Err(FollowError::Behind),
            named => Ok((named.map(|named| named.block.number), named)),
        }
    }

    /// How long the last block to become final has taken, in seconds; 0 where a block is final at once.
    pub async fn time(self, node: &impl Node) -> Result<u64, FollowError> {
        let head = node.block(BlockId::latest()).await?.ok_or(FollowError::Behind)?;
        let (last, named) = self.last_final(node, head.block).await?;
        // The first block's time says nothing.
        let last = match (last.unwrap_or(0).max(1), named) {
            (last, _) if last >= head.block.number => head,
            (_, Some(named)) => named,
            (last, None) => node.block(last.into()).await?.ok_or(FollowError::Behind)?,
        };
        Ok(head.time.saturating_sub(last.time))
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
