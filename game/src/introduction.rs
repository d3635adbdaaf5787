//! Who plays whom, for what: what a player is told first.

use crate::{GameRef, Terms};
use alloy_primitives::Address;
use rules::Color;
use serde::{Deserialize, Serialize};

/// A game as one of its players sits down at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// Which game it is, on which chain.
    pub at: GameRef,
    pub you: Address,
    pub opponent: Address,
    pub color: Color,
    pub terms: Terms,
    /// The name of the sight engine.
    pub engine: String,
}
