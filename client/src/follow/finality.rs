//! When a block counts as final (protocol, section 6).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Blocks on top of a block before it counts as final, on chains that aren't local.
const DEFAULT_CONFIRMATIONS: u64 = 12;

/// When a block counts as final: what depends on a move is released only then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finality {
    /// With so many blocks on top of it; 0: the latest block is final.
    Confirmations(u64),
    /// When the node calls it `finalized`.
    Finalized,
}

impl Finality {
    /// What befits a chain.
    pub fn of_chain(is_local: bool) -> Self {
        Self::Confirmations(if is_local { 0 } else { DEFAULT_CONFIRMATIONS })
    }
}

/// Why a text names no finality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a number of blocks, or `finalized`")]
pub struct FinalityParseError;

impl FromStr for Finality {
    type Err = FinalityParseError;

    fn from_str(text: &str) -> Result<Self, FinalityParseError> {
        match text {
            "finalized" => Ok(Self::Finalized),
            number => number.parse().map(Self::Confirmations).map_err(|_| FinalityParseError),
        }
    }
}

impl fmt::Display for Finality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Confirmations(blocks) => blocks.fmt(f),
            Self::Finalized => f.write_str("finalized"),
        }
    }
}
