//! A move as UCI writes it (castling = the king's two-step move).
//!
//! Not here: whether it is legal, which [`Side`](crate::Side) decides.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::{PieceType, Square};

/// A move: from where, to where, and what a pawn becomes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it goes; in castling, where the king goes.
    pub to: Square,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<PieceType>,
}

impl Move {
    /// A move without promotion.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to, promotion: None }
    }

    /// A move on which a pawn becomes `promotion`.
    #[must_use]
    pub const fn promoting(from: Square, to: Square, promotion: PieceType) -> Self {
        Self { from, to, promotion: Some(promotion) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |t| write!(f, "{}", t.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a move: two squares and, for a promotion, one of n, b, r, q are needed, as in e2e4 or e7e8q")]
pub struct MoveParseError(pub String);

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| MoveParseError(text.chars().take(16).collect()))
    }
}

fn parse(text: &str) -> Option<Move> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        "n" => Some(PieceType::Knight),
        "b" => Some(PieceType::Bishop),
        "r" => Some(PieceType::Rook),
        "q" => Some(PieceType::Queen),
        _ => return None,
    };
    Some(Move { from, to, promotion })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in ["e2e4", "e1g1", "a7b8n", "h2h1q"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "e2", "e2e", "e2e9", "e7e8k", "e7e8p", "e7e8Q", "e7e8qq", "e2e4 ", "éé4", "0000"] {
            assert!(text.parse::<Move>().is_err(), "{text:?}");
        }
    }
}
