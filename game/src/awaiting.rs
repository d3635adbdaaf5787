//! Whom a game waits for, and for what: what a status line shows, and a bot needs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whom a game waits for. Times are in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Awaiting {
    pub who: Who,
    pub what: What,
    /// Since when, by the chain's time.
    pub since: u64,
    /// The last second for the answer to an open demand or claim. Of all else the clocks say how long it may take.
    pub until: Option<u64>,
}

/// Somebody or something that a game can wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    You,
    Opponent,
    Chain,
    Machine,
}

/// What a game can wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A share of the coin toss.
    Reveal,
    /// A step of the sight engine's set-up.
    SetUp,
    Move,
    /// The opponent's request, which the own move answers.
    Request,
    /// The sight of the position, from the opponent.
    Sight,
    /// Whether a proof is true.
    Check,
    /// The proof of the own move.
    Proof,
    /// A block with the own move in it.
    Block,
    /// Blocks after the one that a move is in, until it is final.
    Finality,
    /// The opponent's signature that it has lost its king, in a game between the machines.
    Loss,
    /// The answer to a demand for a sight, through the chain.
    Demand,
    /// The answer to a claim of fifty moves, through the chain.
    Claim,
}
