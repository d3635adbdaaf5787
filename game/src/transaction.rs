//! What a seat asks of the game contract, freed from the chain's own formats (protocol, section 8).

use crate::MoveFields;
use alloy_primitives::B256;
use halo2curves::bn256::Fr;
use serde::{Deserialize, Serialize};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Opens the coin toss.
    Reveal,
    /// Moves.
    Move,
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

/// As a command is called, for a sentence such as "done: accept draw".
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reveal => "reveal",
            Self::Move => "move",
            Self::Resign => "resign",
            Self::AcceptDraw => "accept draw",
            Self::ClaimTimeout => "claim timeout",
            Self::PublishViewKey => "publish view key",
            Self::Withdraw => "withdraw",
        })
    }
}

impl Transaction {
    /// What it does.
    pub fn action(&self) -> Action {
        match self {
            Self::Reveal { .. } => Action::Reveal,
            Self::Move { .. } => Action::Move,
            Self::Resign => Action::Resign,
            Self::AcceptDraw => Action::AcceptDraw,
            Self::ClaimTimeout => Action::ClaimTimeout,
            Self::PublishViewKey { .. } => Action::PublishViewKey,
            Self::Withdraw => Action::Withdraw,
        }
    }

    /// The ply of a move.
    pub fn ply(&self) -> Option<u16> {
        match self {
            Self::Move { fields, .. } => Some(fields.ply),
            _ => None,
        }
    }
}

/// What it does, for a sentence such as "resigning: the node failed".
impl fmt::Display for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reveal { .. } => f.write_str("opening the coin toss"),
            Self::Move { fields, .. } => write!(f, "the move of ply {}", fields.ply),
            Self::Resign => f.write_str("resigning"),
            Self::AcceptDraw => f.write_str("accepting the draw"),
            Self::ClaimTimeout => f.write_str("claiming the win on time"),
            Self::PublishViewKey { .. } => f.write_str("publishing the view key"),
            Self::Withdraw => f.write_str("withdrawing"),
        }
    }
}
