//! How games end (protocol, section 8). The names are those of the contract's enum `Outcome`.

use alloy_primitives::Address;
use rules::Color;
use std::fmt;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The offer was taken back.
    Cancelled,
    /// The creator never opened its half of the coin toss.
    Unrevealed,
    /// A king was captured.
    KingCaptured,
    /// The loser resigned.
    Resigned,
    /// The loser's clock ran out.
    TimedOut,
    /// Both agreed to a draw.
    DrawAgreed,
    /// Drawn, because the plies can't be counted further.
    TooLong,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cancelled => "cancelled",
            Self::Unrevealed => "coin toss not revealed in time",
            Self::KingCaptured => "king captured",
            Self::Resigned => "resignation",
            Self::TimedOut => "time forfeit",
            Self::DrawAgreed => "draw agreed",
            Self::TooLong => "too long",
        })
    }
}

/// The end of a game: who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; nobody in a draw.
    pub winner: Option<Address>,
    /// The winner's colour, if colours were drawn at all.
    pub color: Option<Color>,
    /// How it ended.
    pub outcome: Outcome,
}
