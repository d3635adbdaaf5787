//! The events of games, in the chain's order.
//!
//! Protocol section 8 ("anyone can audit": events) and section 6: the caller asks for blocks that are final, or
//! up to the latest to show what is coming. Logs are fetched
//! in ranges that common nodes accept. What events mean is the seat's and the audit's business.

use alloy::primitives::B256;
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::{Filter, Log};
use chain::follow::Ranges;
use chain::is_refusal;
use fog::ensure;

use super::error::ChainError;
use super::{Chain, Logged};

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

    /// All logs of the contract that match, in order. A node may give more than it was asked for, of other contracts and games; but if it gives
    /// some of other blocks, it has answered another question.
    pub(super) async fn logs(&self, filter: Filter, from: u64, to: u64) -> Result<Vec<Log>, ChainError> {
        let (filter, from) = (filter.address(self.config.contract), from.max(self.config.first_block));
        let mut logs = logs(&self.provider, filter, from, to).await?;
        let is_asked = |log: &Log| log.block_number.is_some_and(|block| (from..=to).contains(&block));
        ensure!(logs.iter().all(is_asked), ChainError::Nonsense("a log is of another block than was asked for"));
        logs.retain(|log| log.address() == self.config.contract);
        Ok(logs)
    }
}

/// All logs that match in the blocks `from..=to`, in order, range by range. A range that the node refuses is halved.
///
/// # Errors
///
/// [`ChainError::Behind`] if the node doesn't have the last of many blocks: a false number of its own would be asked for without an end.
pub(crate) async fn logs(provider: &DynProvider, filter: Filter, from: u64, to: u64) -> Result<Vec<Log>, ChainError> {
    let (mut found, mut ranges) = (Vec::new(), Ranges::new(from, to));
    if ranges.piece().is_some_and(|(_, end)| end < to) {
        let last = provider.get_block_by_number(to.into()).await?;
        ensure!(last.is_some_and(|last| last.header.number == to), ChainError::Behind);
    }
    while let Some((start, end)) = ranges.piece() {
        let piece = filter.clone().from_block(start).to_block(end);
        match provider.get_logs(&piece).await {
            Ok(logs) => {
                found.extend(logs);
                ranges.granted();
            }
            Err(error) if is_refusal(&error) && ranges.refused() => {}
            Err(error) => return Err(error.into()),
        }
    }
    found.retain(|log| !log.removed);
    found.sort_by_key(|log| (log.block_number, log.log_index));
    Ok(found)
}
