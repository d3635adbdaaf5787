//! What a seat asks of the game contract, freed from the chain's own formats (protocol, section 8).

use crate::MoveFields;
use alloy_primitives::B256;
use halo2curves::bn256::Fr;
use std::fmt;

/// What a seat asks of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transaction {
    /// Open the creator's half of the coin toss.
    Reveal {
        /// The half.
        r1: B256,
    },
    /// Move.
    Move {
        /// The public fields.
        fields: MoveFields,
        /// The `ctx` that the answer in it is for.
        ctx_next: Fr,
        /// The turn proof.
        proof: Vec<u8>,
    },
    /// Give up.
    Resign,
    /// Accept a draw.
    AcceptDraw,
    /// Claim the win on time.
    ClaimTimeout,
    /// Publish the view key.
    PublishViewKey {
        /// The key.
        key: [u8; 32],
    },
    /// Fetch what is due.
    Withdraw,
}

/// What a transaction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Opens the coin toss.
    Reveal,
    /// Moves.
    Move {
        /// The ply.
        ply: u16,
    },
    /// Gives up.
    Resign,
    /// Accepts a draw.
    AcceptDraw,
    /// Claims the win on time.
    ClaimTimeout,
    /// Publishes the view key.
    PublishViewKey,
    /// Fetches what is due.
    Withdraw,
}

impl Action {
    /// What a transaction does.
    pub fn of(transaction: &Transaction) -> Self {
        match transaction {
            Transaction::Reveal { .. } => Self::Reveal,
            Transaction::Move { fields, .. } => Self::Move { ply: fields.ply },
            Transaction::Resign => Self::Resign,
            Transaction::AcceptDraw => Self::AcceptDraw,
            Transaction::ClaimTimeout => Self::ClaimTimeout,
            Transaction::PublishViewKey { .. } => Self::PublishViewKey,
            Transaction::Withdraw => Self::Withdraw,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reveal => f.write_str("opening the coin toss"),
            Self::Move { ply } => write!(f, "the move of ply {ply}"),
            Self::Resign => f.write_str("resigning"),
            Self::AcceptDraw => f.write_str("accepting the draw"),
            Self::ClaimTimeout => f.write_str("claiming the win on time"),
            Self::PublishViewKey => f.write_str("publishing the view key"),
            Self::Withdraw => f.write_str("withdrawing"),
        }
    }
}
