//! Types of pieces and their numbers (protocol, section 2: 1 pawn to 6 king, 0 none).

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// A type of piece; its number is the protocol's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceType {
    Pawn = 1,
    Knight = 2,
    Bishop = 3,
    Rook = 4,
    Queen = 5,
    King = 6,
}

impl PieceType {
    /// All types, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// What a pawn may become.
    pub const PROMOTIONS: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The protocol's number, 1 to 6.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The type with the protocol's number `code`; none for 0 and above 6.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// The lower-case letter of FEN and UCI.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// FEN's letter: upper-case for White.
    #[must_use]
    pub const fn letter_of(self, color: Color) -> char {
        match color {
            Color::White => self.letter().to_ascii_uppercase(),
            Color::Black => self.letter(),
        }
    }

    /// The type with a lower-case letter of FEN and UCI.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.letter() == letter)
    }

    /// Whether it moves along files and ranks for any distance.
    #[must_use]
    pub const fn is_orthogonal_slider(self) -> bool {
        matches!(self, Self::Rook | Self::Queen)
    }

    /// Whether it moves along diagonals for any distance.
    #[must_use]
    pub const fn is_diagonal_slider(self) -> bool {
        matches!(self, Self::Bishop | Self::Queen)
    }
}

/// The English name: "pawn" to "king".
impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        })
    }
}

impl FromStr for PieceType {
    type Err = PieceParseError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|piece| piece.to_string() == name).ok_or(PieceParseError)
    }
}

/// A text that isn't the name of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a piece is a pawn, knight, bishop, rook, queen or king")]
pub struct PieceParseError;
