//! What the calldata of a transaction says beyond its event: a move as it was declared, the proof of a demand, an answer or a claim, and what is posted with a
//! view key.

use alloy_primitives::B256;
use alloy_sol_types::SolCall as _;
use game::{ChainEvent, MoveFields, Outcome};

use crate::contract::IFogmate::{
    answerSightCall, claimFiftyCall, claimNoMoveCall, demandSightCall, moveCall, publishViewKeyCall, respondFiftyCall,
};
use crate::{Nonsense, types};

/// A move as its transaction's calldata declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub game: B256,
    pub fields: MoveFields,
    /// The basis of the position that the move is made in.
    pub basis: B256,
    pub proof: Vec<u8>,
}

impl Declared {
    /// Reads the calldata of a call of the contract's `move`.
    ///
    /// # Errors
    ///
    /// [`Nonsense`] if it is no such call.
    pub fn decode(calldata: &[u8]) -> Result<Self, Nonsense> {
        let call = moveCall::abi_decode_validate(calldata);
        let call = call.map_err(|_| Nonsense("the transaction of a move is not a call of `move`"))?;
        let (fields, basis) = (types::declared(&call.declared)?, call.declared.basis);
        Ok(Self { game: call.gameId, fields, basis, proof: call.proof.to_vec() })
    }

    /// Adds to the event of a move in a game what its transaction said beyond it, if it is this very move.
    pub fn complete(self, of: B256, event: &mut ChainEvent) {
        if let ChainEvent::Moved { fields, basis, proof, .. } = event
            && self.game == of
            && self.fields == *fields
        {
            (*basis, *proof) = (Some(self.basis), Some(self.proof));
        }
    }
}

/// What a transaction's calldata carries with an event of a game other than a move: the proof of a demand, a demanded sight or a claim that the contract has
/// verified, or what stands behind the arguments of a view key that is published.
pub fn carried(calldata: &[u8], of: B256, event: &ChainEvent) -> Option<Vec<u8>> {
    macro_rules! proof {
        ($call:ident) => {{
            let call = $call::abi_decode_validate(calldata).ok()?;
            (call.gameId, call.proof)
        }};
    }
    let (game, carried) = match event {
        ChainEvent::SightDemanded { .. } => proof!(demandSightCall),
        ChainEvent::SightAnswered { .. } => proof!(answerSightCall),
        ChainEvent::FiftyClaimed { .. } => proof!(claimFiftyCall),
        ChainEvent::FiftyFailed { .. } | ChainEvent::Ended { outcome: Outcome::FiftyMoves, .. } => {
            proof!(respondFiftyCall)
        }
        ChainEvent::Ended { outcome: Outcome::NoMove, .. } => proof!(claimNoMoveCall),
        ChainEvent::ViewKeyPublished { .. } => {
            let (call, posted) = calldata.split_at_checked(4 + 2 * 32)?;
            (publishViewKeyCall::abi_decode_validate(call).ok()?.gameId, posted.to_vec().into())
        }
        _ => return None,
    };
    (game == of).then(|| carried.to_vec())
}
