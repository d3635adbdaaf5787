//! What an audit, a replay and a page are given of a game, one after the other.

use crate::statement::Statement;
use crate::{ChainEvent, Table};
use alloy_primitives::Address;

/// An event of the chain with what its transaction carried, or a ply of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The event. Of a move with what its calldata said.
    pub event: ChainEvent,
    /// The block's time, Unix seconds.
    pub time: Option<u64>,
    /// Who sent its transaction, if that is a call of the contract itself and was read.
    pub sender: Option<Address>,
    /// What its calldata carried, if that was read: of a demand, its answer or a claim the proof, of a view key the transcript that was posted with it, of a
    /// waking or a signed result both signatures, the creator's first, 64 bytes each, and then, as of the end that such a result makes, its bytes
    /// ([`GameResult::to_bytes`](crate::GameResult::to_bytes)); of what is sent for one position alone, what names that
    /// ([`Table::meant`]). A move has its proof in the event.
    pub carried: Option<Vec<u8>>,
    /// Of a ply that is not on the chain: what both clocks showed after it, in seconds, White's first.
    pub signed_clocks: Option<[u32; 2]>,
}

impl Record {
    /// An event of the chain, in a block of a time.
    pub fn of_chain(event: ChainEvent, time: Option<u64>) -> Self {
        Self { event, time, sender: None, carried: None, signed_clocks: None }
    }

    /// What the contract has verified with it, where the table is about to take it, and the proof.
    pub fn proven(&self, table: &Table) -> Option<(Statement, &[u8])> {
        let proof = match &self.event {
            ChainEvent::Moved { proof, .. } => proof,
            _ => &self.carried,
        };
        let proof = proof.as_deref().filter(|proof| !proof.is_empty())?;
        Some((Statement::of(table, &self.event)?, proof))
    }

    /// Whether the chain tells it, and not a transcript.
    pub fn is_of_chain(&self) -> bool {
        self.signed_clocks.is_none()
    }
}
