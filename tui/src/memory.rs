//! What was seen of the opponent and isn't seen any more. It is a help for the eye: no rule looks at it.

use rules::{PieceType, Seen, Side, Sight, Square};

/// Where pieces of the opponent were seen last, and before or after which ply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    seen: Vec<(Square, PieceType, u16)>,
}

impl Memory {
    /// Takes a proven sight: what it shows is known anew, and what it shows to be gone is forgotten.
    pub fn take(&mut self, side: &Side, sight: &Sight, ply: u16) {
        let is_dark = |square: Square| side.piece(square).is_none() && sight.at(square) == Seen::Dark;
        self.seen.retain(|(square, ..)| is_dark(*square));
        for square in Square::all() {
            if let Seen::Piece(piece) = sight.at(square) {
                if matches!(piece, PieceType::King | PieceType::Queen) {
                    self.seen.retain(|(_, known, _)| *known != piece);
                }
                self.seen.push((square, piece, ply));
            }
        }
    }

    /// Forgets what stood on a square.
    pub fn forget(&mut self, square: Square) {
        self.seen.retain(|(known, ..)| *known != square);
    }

    /// What was seen on a square, and when.
    pub fn at(&self, square: Square) -> Option<(PieceType, u16)> {
        self.seen.iter().find(|(known, ..)| *known == square).map(|(_, piece, ply)| (*piece, *ply))
    }
}
