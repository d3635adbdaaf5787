//! How games end (protocol, section 8). The names are those of the contract's enum `Outcome`.

use alloy_primitives::Address;
use rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The offer was taken back.
    Cancelled,
    /// A share of the coin toss was not revealed in time.
    Unrevealed,
    /// A king was captured.
    KingCaptured,
    Resigned,
    /// The loser's clock ran out.
    TimedOut,
    /// Both agreed to a draw.
    DrawAgreed,
    /// Drawn, because the plies can't be counted further.
    TooLong,
    /// The loser didn't give a demanded sight in time.
    Unanswered,
    /// Drawn by fifty moves of each player.
    FiftyMoves,
    /// Drawn, because the player to move had no move.
    NoMove,
}

impl Outcome {
    /// All outcomes in the order of the contract's enum, with what they are called.
    pub const NAMES: [(Self, &'static str); 10] = [
        (Self::Cancelled, "cancelled"),
        (Self::Unrevealed, "coin toss not revealed in time"),
        (Self::KingCaptured, "king captured"),
        (Self::Resigned, "resignation"),
        (Self::TimedOut, "time forfeit"),
        (Self::DrawAgreed, "draw agreed"),
        (Self::TooLong, "too long"),
        (Self::Unanswered, "demanded sight not given"),
        (Self::FiftyMoves, "fifty moves"),
        (Self::NoMove, "no move"),
    ];

    /// Whether players can sign it as the result of a game between their machines.
    pub fn can_be_signed(self) -> bool {
        matches!(self, Self::KingCaptured | Self::Resigned | Self::DrawAgreed | Self::FiftyMoves | Self::NoMove)
    }

    /// Whether a game ends so because a time is up; by fifty moves only where the claim is not answered.
    pub fn is_by_time(self) -> bool {
        matches!(self, Self::Unrevealed | Self::TimedOut | Self::Unanswered | Self::FiftyMoves)
    }

    /// Whether a game ends so only by a proof, or for want of one: never in mode `unproven`.
    pub fn needs_proofs(self) -> bool {
        matches!(self, Self::Unanswered | Self::FiftyMoves | Self::NoMove)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].1)
    }
}

/// Why a text names no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game ends that way")]
pub struct OutcomeParseError;

impl FromStr for Outcome {
    type Err = OutcomeParseError;

    fn from_str(text: &str) -> Result<Self, OutcomeParseError> {
        let mut all = Self::NAMES.into_iter();
        all.find(|(_, name)| *name == text).map(|(outcome, _)| outcome).ok_or(OutcomeParseError)
    }
}

/// The end of a game: who won, and how. In JSON `winner` is a color and `account` the winner's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ending {
    /// The winner's color, if colors were drawn at all.
    #[serde(rename = "winner")]
    #[schemars(with = "Option<crate::notice::shape::Color>")]
    pub color: Option<Color>,
    #[serde(rename = "reason", with = "crate::as_text::AsText")]
    pub outcome: Outcome,
    /// Who won; nobody in a draw.
    #[serde(rename = "account")]
    #[schemars(with = "Option<String>")]
    pub winner: Option<Address>,
}

impl Ending {
    /// Who has won and how, without a full stop: for one of the players, or for everybody.
    pub fn told(&self, you: Option<Color>) -> String {
        let who = match (self.color, you) {
            (Some(winner), Some(you)) if winner == you => "You have won",
            (Some(_), Some(_)) => "You have lost",
            (Some(Color::White), None) => "White has won",
            (Some(Color::Black), None) => "Black has won",
            (None, _) if self.outcome == Outcome::DrawAgreed => return "Drawn by agreement".to_owned(),
            (None, _) if matches!(self.outcome, Outcome::Cancelled | Outcome::Unrevealed) => "Not played",
            (None, _) => "Drawn",
        };
        format!("{who}: {}", self.outcome)
    }
}
