//! Which blocks are final, and whether other nodes have the same ones. All that is read of a game's course is in blocks up to the last final one, so
//! nothing is done upon what another node denies.

use std::sync::PoisonError;

use alloy::eips::BlockNumberOrTag;
use fog::ensure;

use super::{Connection, Head};
use crate::chain::{ChainError, Finality};

/// What the other nodes have said so far.
#[derive(Default)]
pub(super) struct Compared {
    /// The last block against which none of them has said anything.
    block: Option<Head>,
    /// The places of those that can't be asked.
    silent: Vec<usize>,
    /// What the user isn't told yet.
    notes: Vec<String>,
}

impl Connection {
    /// The number of the last final block, which no other node denies; none if no block is final so far.
    ///
    /// # Errors
    ///
    /// [`ChainError::NodesDisagree`] if another node has another block of its number, and the node's failures. A node that can't be asked, or
    /// hasn't got so far, denies nothing.
    pub(crate) async fn last_final(&self) -> Result<Option<u64>, ChainError> {
        let head = self.head().await?;
        let Some(last) = self.final_below(head).await? else { return Ok(None) };
        self.compare(last).await?;
        Ok(Some(last.number))
    }

    /// How long a message lately took to become final once it was in a block, in seconds: what that leaves of a turn is the time to act.
    pub async fn finality_time(&self) -> Result<u64, ChainError> {
        let head = self.head().await?;
        let last = self.final_below(head).await?.map_or(0, |last| last.number);
        if last == head.number {
            return Ok(0);
        }
        // The first block's time says nothing.
        let last = self.block_at(last.max(1)).await?;
        Ok(head.time.saturating_sub(last.time))
    }

    /// What the user should know of the nodes that blocks are compared with: one sentence each, told once.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.compared.lock().unwrap_or_else(PoisonError::into_inner).notes)
    }

    /// The last final block as of a latest one, if any is.
    async fn final_below(&self, head: Head) -> Result<Option<Head>, ChainError> {
        let number = match self.finality {
            Finality::Confirmations(0) => return Ok(Some(head)),
            Finality::Confirmations(blocks) => match head.number.checked_sub(blocks) {
                Some(number) => number.into(),
                None => return Ok(None),
            },
            Finality::Finalized => BlockNumberOrTag::Finalized,
        };
        match self.block(number).await {
            Err(ChainError::Behind) if number == BlockNumberOrTag::Finalized => Ok(None),
            // Another machine behind the same address may be ahead of the one that told the head.
            Ok(found) if found.number > head.number => Err(ChainError::Behind),
            found => found.map(Some),
        }
    }

    /// Asks the other nodes for a final block, unless it was the last that they were asked for.
    async fn compare(&self, last: Head) -> Result<(), ChainError> {
        let is_known = self.compared.lock().unwrap_or_else(PoisonError::into_inner).block == Some(last);
        if self.witnesses.len() == 0 || is_known {
            return Ok(());
        }
        let found = self.witnesses.headers(last.number).await;
        let denies = found.iter().flatten().flatten().any(|header| header.block.hash != last.hash);
        let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, answer) in found.iter().enumerate() {
            let (was_silent, is_silent) = (compared.silent.contains(&place), answer.is_none());
            if was_silent != is_silent {
                compared.silent.retain(|known| *known != place);
                compared.silent.extend(is_silent.then_some(place));
                compared.notes.extend(self.witnesses.words(place, !is_silent));
            }
        }
        ensure!(!denies, ChainError::NodesDisagree(last.number));
        compared.block = Some(last);
        Ok(())
    }
}
