//! What the sets consist of: 18-bit elements of two families, and dummies.
//!
//! ```text
//! bits 15..18  what stands on the square: 1 to 6 a piece, 7 a piece of any type, 0 none: the last move jumped over it
//! bits  9..15  the square
//! bits  6..9   who looks at it: 1 to 6 a piece of the receiver, 0 nobody
//! bits  0..6   from which square
//! ```
//!
//! With a piece that looks it is an *attack vector*, without one a fact of the sender's board alone. Dummies have bit 18 set, and one
//! player's are never the other's.

use rules::{PieceType, Square};
use std::collections::BTreeSet;

/// An element of a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Element(u32);

/// What an element says of its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// This piece stands there.
    Piece(PieceType),
    /// A piece stands there.
    Occupied,
    /// The sender's last move was a double push that jumped over it.
    Jumped,
}

const OCCUPIED: u8 = 7;
const DUMMY: u32 = 1 << 18;
const RECEIVER: u32 = 1 << 17;

impl Fact {
    fn code(self) -> u8 {
        match self {
            Self::Piece(piece) => piece.code(),
            Self::Occupied => OCCUPIED,
            Self::Jumped => 0,
        }
    }
}

impl Element {
    fn new(fact: Fact, square: Square, attacker: u8, from: u8) -> Self {
        let square = u8::from(square);
        let field = |value: u8, bit: u32| u32::from(value) << bit;
        Self(field(fact.code(), 15) | field(square, 9) | field(attacker, 6) | field(from, 0))
    }

    /// An attack vector: `attacker` on `from` would find `fact` on `square`.
    pub fn attack(fact: Fact, square: Square, attacker: PieceType, from: Square) -> Self {
        Self::new(fact, square, attacker.code(), from.into())
    }

    /// A fact of the sender's board.
    pub fn board(fact: Fact, square: Square) -> Self {
        Self::new(fact, square, 0, 0)
    }

    /// A dummy of the sender's.
    pub fn sender_dummy(index: usize) -> Self {
        Self(DUMMY | (index as u32 % RECEIVER))
    }

    /// A dummy of the receiver's.
    pub fn receiver_dummy(index: usize) -> Self {
        Self(DUMMY | RECEIVER | (index as u32 % RECEIVER))
    }

    /// Whether it is a dummy.
    pub fn is_dummy(self) -> bool {
        self.0 & DUMMY != 0
    }

    /// Whether it is an attack vector.
    pub fn is_attack(self) -> bool {
        !self.is_dummy() && self.0 >> 6 & 7 != 0
    }

    /// What it says, and of which square; `None` for dummies.
    pub fn fact(self) -> Option<(Fact, Square)> {
        let fact = match (self.0 >> 15) as u8 {
            0 => Fact::Jumped,
            OCCUPIED => Fact::Occupied,
            code => Fact::Piece(PieceType::from_code(code)?),
        };
        Some((fact, Square::new((self.0 >> 9 & 63) as u8)?))
    }

    /// The element as the other player counts ranks; a dummy is itself.
    pub fn mirrored(self) -> Self {
        const RANKS: u32 = 56;
        let from = if self.is_attack() { RANKS } else { 0 };
        if self.is_dummy() { self } else { Self(self.0 ^ (RANKS << 9) ^ from) }
    }

    /// The fact as one of the board, whoever sees it.
    pub fn of_board(self) -> Option<Self> {
        self.fact().map(|(fact, square)| Self::board(fact, square))
    }

    /// Its bytes, for hashing: 4, big-endian.
    pub fn to_bytes(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }
}

/// Elements in words, of which squares they are, and how many dummies fill them up to `size`.
pub fn in_words(elements: &[Element], size: usize) -> String {
    let squares: BTreeSet<Square> = elements.iter().filter_map(|element| Some(element.fact()?.1)).collect();
    let squares: String = squares.iter().map(|square| format!(" {square}")).collect();
    let dummies = match size.saturating_sub(elements.len()) {
        1 => "one dummy".to_owned(),
        count => format!("{count} dummies"),
    };
    match elements.len() {
        0 => dummies,
        1 => format!("one element, of{squares}, and {dummies}"),
        count => format!("{count} elements, of{squares}, and {dummies}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_as_they_were_written() {
        let [e4, d5] = ["e4", "d5"].map(|name| name.parse::<Square>().expect("a square"));
        for fact in [Fact::Jumped, Fact::Occupied, Fact::Piece(PieceType::King)] {
            let element = Element::attack(fact, e4, PieceType::Bishop, d5);
            assert_eq!(element.fact(), Some((fact, e4)));
            assert!(element.is_attack() && !element.is_dummy() && element.0 < DUMMY);
            let board = Element::board(fact, e4);
            assert_eq!(element.of_board(), Some(board));
            assert!(!board.is_attack() && board.of_board() == Some(board));
        }
        for dummy in [Element::sender_dummy(7), Element::receiver_dummy(7)] {
            assert!(dummy.is_dummy() && !dummy.is_attack() && dummy.fact().is_none());
        }
        assert_ne!(Element::sender_dummy(7), Element::receiver_dummy(7));
    }
}
