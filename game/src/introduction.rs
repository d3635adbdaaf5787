//! Who plays whom, for what: what a player is told first.

use crate::notice::shape;
use crate::{GameRef, Terms};
use alloy_primitives::Address;
use rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A game as one of its players sits down at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Introduction {
    /// Which game it is, on which chain.
    pub at: GameRef,
    #[schemars(with = "String")]
    pub you: Address,
    #[schemars(with = "String")]
    pub opponent: Address,
    #[schemars(with = "shape::Color")]
    pub color: Color,
    pub terms: Terms,
    /// The name of the sight engine.
    pub engine: String,
}
