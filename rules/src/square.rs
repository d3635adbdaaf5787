//! Squares `0..64`, a1 = 0, b1 = 1, …, h8 = 63 (protocol, section 2).
//!
//! Not here: directions and steps, which are [`geometry`](crate::geometry)'s.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of a number below 64.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square on a file and a rank, both from 0 to 7.
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self(8 * rank + file)) } else { None }
    }

    /// As [`at`](Self::at), for a file and a rank that the program itself names: both are taken modulo 8.
    pub(crate) const fn from_coordinates(file: u8, rank: u8) -> Self {
        Self(8 * (rank % 8) + file % 8)
    }

    /// All 64 squares, a1 first, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..64).map(Self)
    }

    /// The square's number, as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 (a) to 7 (h).
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// The rank, 0 (first) to 7 (eighth).
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// The square as the other player counts ranks: on its file, with the rank from the other side.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// The square `df` files and `dr` ranks away, if it is on the board.
    #[must_use]
    pub const fn offset(self, df: i8, dr: i8) -> Option<Self> {
        let file = self.file() as i16 + df as i16;
        let rank = self.rank() as i16 + dr as i16;
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 { Some(Self((8 * rank + file) as u8)) } else { None }
    }
}

impl From<Square> for u8 {
    fn from(square: Square) -> Self {
        square.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(f, "{file}{}", self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a square: a file from a to h and a rank from 1 to 8 are needed")]
pub struct SquareParseError(pub String);

impl FromStr for Square {
    type Err = SquareParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self(8 * (rank - b'1') + file - b'a')),
            _ => Err(SquareParseError(text.chars().take(16).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
        }
        assert_eq!(Square::new(0).unwrap().to_string(), "a1");
        assert_eq!(Square::new(1).unwrap().to_string(), "b1");
        assert_eq!(Square::new(63).unwrap().to_string(), "h8");
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        let h4: Square = "h4".parse().unwrap();
        assert_eq!(h4.offset(1, 0), None);
        assert_eq!(h4.offset(-1, 1), "g5".parse().ok());
        assert_eq!(Some(h4.mirrored()), "h5".parse().ok());
        assert_eq!(h4.offset(i8::MIN, i8::MAX), None);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "e", "e9", "i1", "E4", "e44", "é4", "e\u{0}"] {
            assert!(text.parse::<Square>().is_err(), "{text:?}");
        }
    }
}
