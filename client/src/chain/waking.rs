//! Games between the machines on the chain: whether one is contested, and a later position put in the place of the one that stands.

use alloy::primitives::{B256, U256};
use chain::send::{Priority, Subject};
use events::{IFogmate, Status, wake_calldata};
use game::Position;
use game::channel_transcript::Signature;

use super::{Chain, ChainError, Receipt};

/// A game that was woken, and in which nobody moves yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// The ply to come in the position that stands.
    pub ply: u16,
    /// The last second in which a later one may replace it, since 1970.
    pub until: u64,
}

impl Chain {
    /// The contest of a game, if one is open as of the latest block.
    pub async fn contest(&self, game: B256) -> Result<Option<Contest>, ChainError> {
        let found = self.contract.game(game).call().await?;
        let contest = Contest { ply: found.ply, until: found.since.to::<u64>() };
        let is_contested = found.status == Status::Playing && found.hold == IFogmate::Hold::Contest;
        let is_open = is_contested && self.block_time().await? <= contest.until;
        Ok(is_open.then_some(contest))
    }

    /// Puts a position that both have signed on the chain, or in the place of an earlier one; with the creator's signature and the joiner's.
    pub async fn wake(
        &self,
        game: B256,
        position: &Position,
        signatures: [Signature; 2],
    ) -> Result<Receipt, ChainError> {
        let calldata = wake_calldata(game, position, signatures.map(|signature| signature.0));
        let name = format!("putting ply {} of a game between the machines on the chain", position.ply);
        let subject = Subject::Action { topic: Some(game), name };
        Ok(self.make(self.paying(U256::ZERO, calldata), subject, Priority::Urgent).await?.1)
    }
}
