//! The two players of a game, and how it ended.

/// The two players of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Who opened the game; has the first turn, and then every other one.
    Creator = 0,
    Joiner = 1,
}

impl Role {
    pub const ALL: [Self; 2] = [Self::Creator, Self::Joiner];

    /// Whose turn it is; turns are counted from 0.
    pub fn of_turn(turn: u64) -> Self {
        Self::ALL[usize::from(turn % 2 == 1)]
    }

    pub fn other(self) -> Self {
        Self::ALL[1 - self as usize]
    }

    /// Its name in JSON and in words.
    pub fn name(self) -> &'static str {
        ["creator", "joiner"][self as usize]
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Taken back after nobody had joined in time.
    Cancelled,
    /// Won by the rules of the game.
    Won,
    /// Over by the rules of the game, and won by nobody.
    Drawn,
    /// A player gave up.
    Resigned,
    /// A player let its time pass.
    TimedOut,
}

/// Who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Nobody, if the game was drawn or cancelled.
    pub winner: Option<Role>,
    pub outcome: Outcome,
}
