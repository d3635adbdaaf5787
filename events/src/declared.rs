//! What the calldata of a transaction says beyond its event: a move as it was declared, and the proof of a demand, an answer or a claim.

use alloy_primitives::B256;
use alloy_sol_types::SolCall as _;
use game::{ChainEvent, MoveFields, Outcome};

use crate::contract::IFogmate::{
    answerSightCall, claimFiftyCall, claimNoMoveCall, demandSightCall, moveCall, respondFiftyCall,
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

/// The proof in a transaction's calldata that the contract has verified for an event of a game other than a move: of a demand, a demanded sight or a claim.
pub fn proof_of(calldata: &[u8], of: B256, event: &ChainEvent) -> Option<Vec<u8>> {
    macro_rules! proof {
        ($call:ident) => {{
            let call = $call::abi_decode_validate(calldata).ok()?;
            (call.gameId, call.proof)
        }};
    }
    let (game, proof) = match event {
        ChainEvent::SightDemanded { .. } => proof!(demandSightCall),
        ChainEvent::SightAnswered { .. } => proof!(answerSightCall),
        ChainEvent::FiftyClaimed { .. } => proof!(claimFiftyCall),
        ChainEvent::FiftyFailed { .. } | ChainEvent::Ended { outcome: Outcome::FiftyMoves, .. } => {
            proof!(respondFiftyCall)
        }
        ChainEvent::Ended { outcome: Outcome::NoMove, .. } => proof!(claimNoMoveCall),
        _ => return None,
    };
    (game == of).then(|| proof.to_vec())
}
