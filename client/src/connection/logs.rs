//! The logs of a contract's games, each with its place and time.

use std::collections::BTreeMap;

use alloy::primitives::{B256, LogData};
use alloy::rpc::types::{Filter, Log};

use super::Connection;
use crate::chain::{ChainError, logs};

/// A log, with its place and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub data: LogData,
    /// The number of its block.
    pub block: u64,
    /// The hash of its block.
    pub block_hash: B256,
    pub transaction: B256,
    /// The block's time, in seconds since 1970.
    pub time: u64,
}

impl Connection {
    /// All that the contract has told of a game in blocks up to a final one, from the block on in which it was opened, or from the contract's
    /// first; in order.
    pub async fn told(&self, game: B256, from: Option<u64>, last: u64) -> Result<Vec<Told>, ChainError> {
        self.matching(Filter::new().topic1(game), from.unwrap_or(self.place.block), last).await
    }

    /// All logs of the contract that match, in the blocks `first..=last`, in order.
    pub(crate) async fn matching(&self, filter: Filter, first: u64, last: u64) -> Result<Vec<Told>, ChainError> {
        let logs = logs(&self.provider, filter.address(self.place.contract), first, last).await?;
        let (mut times, mut found) = (BTreeMap::new(), Vec::new());
        for log in logs {
            found.push(self.placed(log, &mut times).await?);
        }
        Ok(found)
    }

    /// A log with its place, and its time, which not all nodes tell along.
    async fn placed(&self, log: Log, times: &mut BTreeMap<u64, u64>) -> Result<Told, ChainError> {
        let (Some(block), Some(block_hash), Some(transaction)) =
            (log.block_number, log.block_hash, log.transaction_hash)
        else {
            return Err(ChainError::Nonsense("a log has no place on the chain"));
        };
        let known = log.block_timestamp.or_else(|| times.get(&block).copied());
        let time = match known {
            Some(time) => time,
            None => self.block(block.into()).await?.time,
        };
        times.insert(block, time);
        Ok(Told { data: log.inner.data, block, block_hash, transaction, time })
    }
}
