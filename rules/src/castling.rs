//! Castling rights and the squares that castling concerns (protocol, sections 2 and 4).

use serde::{Deserialize, Serialize};

use crate::{Color, Square};

/// File of the king at the start, e.
pub const KING_FILE: u8 = 4;

/// One of the two ways to castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wing {
    /// With the rook of file h; the king goes to g.
    KingSide,
    /// With the rook of file a; the king goes to c.
    QueenSide,
}

impl Wing {
    /// Both wings, in the order of their rights.
    pub const ALL: [Self; 2] = [Self::KingSide, Self::QueenSide];

    /// Where the king stands before castling.
    #[must_use]
    pub fn king_from(color: Color) -> Square {
        home(color, KING_FILE)
    }

    /// Where the king stands after castling.
    #[must_use]
    pub fn king_to(self, color: Color) -> Square {
        home(color, if self == Self::KingSide { 6 } else { 2 })
    }

    /// The corner where the rook stands before castling.
    #[must_use]
    pub fn rook_from(self, color: Color) -> Square {
        home(color, if self == Self::KingSide { 7 } else { 0 })
    }

    /// Where the rook stands after castling.
    #[must_use]
    pub fn rook_to(self, color: Color) -> Square {
        home(color, if self == Self::KingSide { 5 } else { 3 })
    }

    /// The squares between rook and king, from the rook outwards: all must be empty, and the rook sees whether they are.
    pub fn between(self, color: Color) -> impl Iterator<Item = Square> {
        let files: &[u8] = if self == Self::KingSide { &[6, 5] } else { &[1, 2, 3] };
        files.iter().map(move |&file| home(color, file))
    }
}

fn home(color: Color, file: u8) -> Square {
    Square::from_coordinates(file, color.home_rank())
}

/// Which castlings a side's earlier moves and losses still leave to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CastlingRights {
    /// With the rook of file h.
    pub king_side: bool,
    /// With the rook of file a.
    pub queen_side: bool,
}

impl CastlingRights {
    /// Both rights, as at the start.
    pub const BOTH: Self = Self { king_side: true, queen_side: true };
    /// Castling is possible to neither side.
    pub const NONE: Self = Self { king_side: false, queen_side: false };

    /// Whether the right for `wing` is left.
    #[must_use]
    pub const fn has(self, wing: Wing) -> bool {
        match wing {
            Wing::KingSide => self.king_side,
            Wing::QueenSide => self.queen_side,
        }
    }

    /// Gives or takes the right for `wing`.
    pub fn set(&mut self, wing: Wing, right: bool) {
        match wing {
            Wing::KingSide => self.king_side = right,
            Wing::QueenSide => self.queen_side = right,
        }
    }

    /// Takes the right of the rook whose corner is `square`, if `square` is one of the two corners.
    pub fn lose_corner(&mut self, color: Color, square: Square) {
        for wing in Wing::ALL {
            if wing.rook_from(color) == square {
                self.set(wing, false);
            }
        }
    }
}
