//! How strong the bot plays: what it remembers, how many opponents it searches, how far, and for how long.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A strength that a person can choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Remembers little, looks at few boards, and doesn't mind a move that is somewhat worse.
    Easy,
    #[default]
    Medium,
    Hard,
}

/// What a level means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The most opponents that the belief keeps.
    pub remembered: usize,
    /// Opponents on which all moves are searched; each later round has twice as many for the better moves.
    pub boards: usize,
    /// How often the moves are searched on more opponents, and the worse ones left out.
    pub rounds: u32,
    /// Plies that are searched in full, the own move included; captures are followed further.
    pub depth: u8,
    /// With at most so many opponents thought possible, one ply more is searched.
    pub few: usize,
    /// How much worse than the best a move may be and still be played, in chances to win.
    pub slack: f32,
    /// The most time for a move.
    pub time: Duration,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    #[must_use]
    pub const fn settings(self) -> Settings {
        let (remembered, boards, depth, few, slack, milliseconds) = match self {
            Self::Easy => (500, 4, 1, 0, 0.10, 100),
            Self::Medium => (5_000, 16, 2, 8, 0.02, 300),
            Self::Hard => (30_000, 48, 2, 24, 0.0, 700),
        };
        Settings { remembered, boards, rounds: 4, depth, few, slack, time: Duration::from_millis(milliseconds) }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["easy", "medium", "hard"][*self as usize])
    }
}

/// Why a text is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the levels are easy, medium and hard")]
pub struct LevelParseError;

impl FromStr for Level {
    type Err = LevelParseError;

    fn from_str(text: &str) -> Result<Self, LevelParseError> {
        Self::ALL.into_iter().find(|level| level.to_string() == text).ok_or(LevelParseError)
    }
}
