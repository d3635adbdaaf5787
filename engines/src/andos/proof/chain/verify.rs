//! The opponent's side of a move: what is claimed, and whether it is proven.

use super::{
    Chain, MESSAGE,
    lists::{self, BOARD, Claim, LAST_RANK, OF_TYPES, RETYPING, SWAP},
};
use crate::andos::{
    packet::PACKET,
    proof::{
        challenge::Challenge,
        copies::{self, CopiesError},
    },
    public_key::PublicKey,
};
use fog::{engine::Word, word::WORD};

/// A move that is claimed.
pub struct Advanced {
    claims: [Claim; 4],
    commitments: [Word; 4],
    next: Chain,
}

/// Why a move is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// Its message has another length, or something in it is no element.
    #[error("a message is no move's")]
    Message,
    /// Its openings have another length.
    #[error("openings are of another length")]
    Length,
    /// One of its lists is not what it should be: swaps 0 and 1, ranks 2, types 3.
    #[error("list {0}: {1}")]
    List(usize, CopiesError),
}

/// Bytes of a move's openings.
pub const fn opening_bytes() -> usize {
    2 * copies::opening_bytes(&BOARD) + copies::opening_bytes(&LAST_RANK) + copies::opening_bytes(&OF_TYPES)
}

impl Advanced {
    /// Reads what a move says. Then the verifier sends a challenge that nobody could know before.
    pub fn read(key: &PublicKey, chain: &Chain, message: &[u8]) -> Result<Self, ChainError> {
        fog::ensure!(message.len() == MESSAGE, ChainError::Message);
        let (swaps, rest) = message.split_at(2 * SWAP);
        let (first, second) = swaps.split_at(SWAP);
        let (retyping, commitments) = rest.split_at(RETYPING);
        let claims = || {
            let rank = lists::rank(chain, &second[..PACKET]);
            let [ranks, types] = lists::retyping(key, rank, retyping)?;
            let swaps = [lists::swap(key, &chain.packet, first)?, lists::swap(key, &first[..PACKET], second)?];
            let [first, second] = swaps;
            Some([first, second, ranks, types])
        };
        let claims = claims().ok_or(ChainError::Message)?;
        let commitments = std::array::from_fn(|list| std::array::from_fn(|i| commitments[list * WORD + i]));
        Ok(Self { claims, commitments, next: lists::next(chain, second, retyping) })
    }

    /// The chain after the move, if the openings prove it.
    pub fn verify(&self, key: &PublicKey, challenge: &Challenge, openings: &[u8]) -> Result<Chain, ChainError> {
        fog::ensure!(openings.len() == opening_bytes(), ChainError::Length);
        let mut left = openings;
        for (list, (claim, commitment)) in self.claims.iter().zip(&self.commitments).enumerate() {
            let (own, rest) = left.split_at(copies::opening_bytes(&claim.first.form));
            left = rest;
            let verified = copies::verify(key, [&claim.first, &claim.second], commitment, challenge, own);
            verified.map_err(|cause| ChainError::List(list, cause))?;
        }
        Ok(self.next.clone())
    }
}
