//! The two players' colors and what depends on nothing else (protocol, sections 2 and 7: 0 white, 1 black).
//!
//! Not here: pieces and rights, which are [`Side`](crate::Side)'s.

use std::{fmt, ops::Not, str::FromStr};

/// The color of a player and of its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves first, up the board.
    White = 0,
    /// Moves second, down the board.
    Black = 1,
}

impl Color {
    /// Both colors, in the order of their numbers: what differs by color stands in arrays of this order.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// As it is called at the start of a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["White", "Black"][self.index()]
    }

    /// The number that statements use: 0 white, 1 black.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose move a ply is: White's on even plies, counted from 0.
    #[must_use]
    pub const fn of_ply(ply: u64) -> Self {
        if ply.is_multiple_of(2) { Self::White } else { Self::Black }
    }

    /// The change of rank as this color's pawns advance.
    #[must_use]
    pub const fn forward(self) -> i8 {
        [1, -1][self.index()]
    }

    /// The rank (0 to 7) of king and rooks at the start.
    #[must_use]
    pub const fn home_rank(self) -> u8 {
        [0, 7][self.index()]
    }

    /// The rank (0 to 7) of the pawns at the start, where a double push is allowed.
    #[must_use]
    pub const fn pawn_rank(self) -> u8 {
        [1, 6][self.index()]
    }

    /// The rank (0 to 7) on which a double push ends.
    #[must_use]
    pub const fn double_push_rank(self) -> u8 {
        [3, 4][self.index()]
    }

    /// The rank (0 to 7) on which this color's pawns promote.
    #[must_use]
    pub const fn promotion_rank(self) -> u8 {
        [7, 0][self.index()]
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        Self::ALL[1 - self.index()]
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["white", "black"][self.index()])
    }
}

/// Why a text is no color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a colour is \"white\" or \"black\"")]
pub struct ColorParseError;

impl FromStr for Color {
    type Err = ColorParseError;

    fn from_str(text: &str) -> Result<Self, ColorParseError> {
        let mut all = Self::ALL.into_iter();
        all.find(|color| color.to_string() == text).ok_or(ColorParseError)
    }
}
