//! A move as the calldata of its transaction declares it.

use alloy_primitives::B256;
use alloy_sol_types::SolCall as _;
use game::{ChainEvent, MoveFields};

use crate::contract::IFogmate::moveCall;
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

    /// Adds to the event of a move in a game what its transaction said beyond it; whether it is this very move.
    pub fn complete(self, of: B256, event: &mut ChainEvent) -> bool {
        match event {
            ChainEvent::Moved { fields, basis, proof, .. } if (self.game, self.fields) == (of, *fields) => {
                (*basis, *proof) = (Some(self.basis), Some(self.proof));
                true
            }
            _ => false,
        }
    }
}
