//! How colors, squares, moves, pieces and boards are written in JSON: as the texts that players know ("white", "e4", "e7e8q", "knight"), and boards as
//! 64 characters. Reading refuses what none of these types can be.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::{Color, Move, PieceType, Square};

macro_rules! as_text {
    ($($type:ty),*) => { $(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(Error::custom)
            }
        }
    )* };
}

as_text!(Color, Square, Move, PieceType);

/// What is known of one square, as one character.
pub(crate) trait Symbol: Sized {
    /// The character that stands for it in JSON.
    fn symbol(&self) -> char;
    /// The value of a character.
    fn of(symbol: char) -> Option<Self>;
}

/// An own piece by its lower-case letter, or `.`.
impl Symbol for Option<PieceType> {
    fn symbol(&self) -> char {
        self.map_or('.', PieceType::letter)
    }

    fn of(symbol: char) -> Option<Self> {
        match symbol {
            '.' => Some(None),
            letter => PieceType::from_letter(letter).map(Some),
        }
    }
}

/// 64 squares, a1, b1, … h8, one [`Symbol`] each: for `#[serde(with)]`.
pub(crate) mod by_square {
    use super::{Deserialize, Deserializer, Error, Serializer, Symbol};

    /// Writes the squares as one text of 64 characters.
    pub fn serialize<T: Symbol, S: Serializer>(squares: &[T; 64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&squares.iter().map(Symbol::symbol).collect::<String>())
    }

    /// Reads squares from a text of 64 characters.
    pub fn deserialize<'de, T: Symbol, D: Deserializer<'de>>(deserializer: D) -> Result<[T; 64], D::Error> {
        let text = String::deserialize(deserializer)?;
        let squares: Option<Vec<T>> = text.chars().map(T::of).collect();
        let squares = squares.and_then(|squares| squares.try_into().ok());
        squares.ok_or_else(|| D::Error::custom("a board has 64 known symbols"))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Color, Move, Position, Side, Sight, Square};

    #[test]
    fn what_a_player_has_and_sees_reads_back() {
        let fen = "4k3/8/8/3pP3/8/2n2N2/8/R3K2R w KQ d6 0 9";
        let position = Position::from_fen(fen).expect("a position");
        for color in Color::ALL {
            let side = position.side(color);
            let text = serde_json::to_string(side).expect("JSON");
            assert_eq!(serde_json::from_str::<Side>(&text).expect(&text), *side);
            let sight = position.sight(color);
            let text = serde_json::to_string(&sight).expect("JSON");
            assert_eq!(serde_json::from_str::<Sight>(&text).expect(&text), sight);
        }
        let side = serde_json::to_value(position.side(Color::White)).expect("JSON");
        assert_eq!(side["color"], "white");
        let ranks = ["r...k..r", "........", ".....n..", "........", "....p..."];
        assert_eq!(side["pieces"], ranks.concat() + &".".repeat(24));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [r#""green""#, r#""""#, "0", "null"] {
            assert!(serde_json::from_str::<Color>(text).is_err(), "{text}");
            assert!(serde_json::from_str::<Square>(text).is_err(), "{text}");
            assert!(serde_json::from_str::<Move>(text).is_err(), "{text}");
        }
        let side = serde_json::to_string(&Side::start(Color::Black)).expect("JSON");
        for wrong in [side.replace("rnbq", "rnb"), side.replace("rnbq", "rnbx"), side.replace("rnbq", "rnbqq")] {
            assert!(serde_json::from_str::<Side>(&wrong).is_err(), "{wrong}");
        }
    }
}
