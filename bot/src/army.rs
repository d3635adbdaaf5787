//! One player's pieces and rights as sets of squares: a [`Side`] for counting with, without its counter of moves.

use rules::castling::Wing;
use rules::{CastlingRights, Color, Move, PieceType, Side, Square};

use crate::bits::{Bits, Squares, bishop, bit, king, knight, pawn, rook};

/// One player's pieces and rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Army {
    /// The squares of each type of piece, in the order of [`PieceType::ALL`].
    men: [Bits; 6],
    /// Castling rights: bit 0 on the king's side, bit 1 on the queen's.
    rights: u8,
    /// The file of a double push just made.
    double_push: Option<u8>,
}

/// The place of a type of piece in an army.
#[inline]
const fn place(piece: PieceType) -> usize {
    piece as usize - 1
}

const fn right(wing: Wing) -> u8 {
    match wing {
        Wing::KingSide => 1,
        Wing::QueenSide => 2,
    }
}

impl Army {
    /// No pieces and no rights.
    pub const EMPTY: Self = Self { men: [0; 6], rights: 0, double_push: None };

    /// The army of a side.
    #[must_use]
    pub fn of(side: &Side) -> Self {
        let mut army = Self { double_push: side.double_push, ..Self::EMPTY };
        for wing in Wing::ALL {
            army.rights |= if side.rights.has(wing) { right(wing) } else { 0 };
        }
        for (square, piece) in side.men() {
            army.put(piece, square);
        }
        army
    }

    /// The squares of one type of piece.
    #[inline]
    #[must_use]
    pub const fn of_type(&self, piece: PieceType) -> Bits {
        self.men[place(piece)]
    }

    /// The squares of all pieces.
    #[inline]
    #[must_use]
    pub fn all(&self) -> Bits {
        self.men.iter().fold(0, |all, men| all | men)
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<PieceType> {
        PieceType::ALL.into_iter().find(|piece| self.of_type(*piece) & bit(square) != 0)
    }

    /// Where the king stands.
    #[inline]
    #[must_use]
    pub fn king(&self) -> Option<Square> {
        Squares(self.of_type(PieceType::King)).next()
    }

    /// Whether a castling right is left.
    #[must_use]
    pub const fn has_right(&self, wing: Wing) -> bool {
        self.rights & right(wing) != 0
    }

    /// The castling rights as `rules` has them.
    #[must_use]
    pub const fn rights(&self) -> CastlingRights {
        CastlingRights { king_side: self.has_right(Wing::KingSide), queen_side: self.has_right(Wing::QueenSide) }
    }

    /// The square that the last move jumped over, if it was a double push of this army.
    #[inline]
    #[must_use]
    pub fn jumped_square(&self, color: Color) -> Option<Square> {
        let from = Square::at(self.double_push?, color.pawn_rank())?;
        from.offset(0, color.forward())
    }

    /// Puts a piece on a square that is free.
    #[inline]
    pub fn put(&mut self, piece: PieceType, square: Square) {
        self.men[place(piece)] |= bit(square);
    }

    /// Takes a piece off the board without regard to rights.
    #[inline]
    pub fn take(&mut self, piece: PieceType, square: Square) {
        self.men[place(piece)] &= !bit(square);
    }

    /// The army with pieces of a type on these squares too.
    #[must_use]
    pub const fn with(mut self, piece: PieceType, squares: Bits) -> Self {
        self.men[place(piece)] |= squares;
        self
    }

    /// Leaves only what stands on some squares.
    #[must_use]
    pub fn within(mut self, squares: Bits) -> Self {
        for men in &mut self.men {
            *men &= squares;
        }
        self
    }

    /// Loses whatever stands on a square by a capture, and the right of a corner.
    #[inline]
    pub fn lose(&mut self, square: Square, color: Color) {
        for men in &mut self.men {
            *men &= !bit(square);
        }
        self.lose_corner(square, color);
    }

    #[inline]
    fn lose_corner(&mut self, square: Square, color: Color) {
        if self.rights != 0 {
            for wing in Wing::ALL {
                self.rights &= if wing.rook_from(color) == square { !right(wing) } else { !0 };
            }
        }
    }

    /// Gives up the rights whose king or rook isn't at home.
    pub fn keep_possible_rights(&mut self, color: Color) {
        let at_home = |piece, square| self.of_type(piece) & bit(square) != 0;
        let mut possible = 0;
        for wing in Wing::ALL {
            let both =
                at_home(PieceType::King, Wing::king_from(color)) && at_home(PieceType::Rook, wing.rook_from(color));
            possible |= if both { right(wing) } else { 0 };
        }
        self.rights &= possible;
    }

    /// Says which file's pawn has just made a double push.
    pub const fn set_double_push(&mut self, file: Option<u8>) {
        self.double_push = file;
    }

    /// Makes a move of its own, which must be legal; a capture is the other army's [loss](Self::lose). From an empty square nothing moves.
    #[inline]
    pub fn play(&mut self, mv: &Move, color: Color) {
        let Some(piece) = self.piece(mv.from) else { return };
        self.take(piece, mv.from);
        self.put(mv.promotion.unwrap_or(piece), mv.to);
        let is_double = piece == PieceType::Pawn && mv.from.rank().abs_diff(mv.to.rank()) == 2;
        self.double_push = is_double.then_some(mv.from.file());
        if piece == PieceType::King {
            let wing = Wing::ALL.into_iter().find(|wing| wing.king_to(color) == mv.to && self.has_right(*wing));
            if let Some(wing) = wing.filter(|_| mv.from == Wing::king_from(color)) {
                self.take(PieceType::Rook, wing.rook_from(color));
                self.put(PieceType::Rook, wing.rook_to(color));
            }
            self.rights = 0;
        }
        self.lose_corner(mv.from, color);
    }

    /// What a piece of this army attacks from a square.
    #[inline]
    #[must_use]
    pub fn reach(piece: PieceType, from: Square, color: Color, occupied: Bits) -> Bits {
        match piece {
            PieceType::Pawn => pawn(from, color),
            PieceType::Knight => knight(from),
            PieceType::Bishop => bishop(from, occupied),
            PieceType::Rook => rook(from, occupied),
            PieceType::Queen => bishop(from, occupied) | rook(from, occupied),
            PieceType::King => king(from),
        }
    }

    /// The squares that the army attacks, those of its own pieces included: it sees what stands there.
    #[must_use]
    pub fn attacks(&self, color: Color, occupied: Bits) -> Bits {
        let mut all = 0;
        for piece in PieceType::ALL {
            for from in Squares(self.of_type(piece)) {
                all |= Self::reach(piece, from, color, occupied);
            }
        }
        all
    }

    /// The pieces of the army that attack a square.
    #[inline]
    #[must_use]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bits) -> Bits {
        let queens = self.of_type(PieceType::Queen);
        pawn(square, !color) & self.of_type(PieceType::Pawn)
            | knight(square) & self.of_type(PieceType::Knight)
            | king(square) & self.of_type(PieceType::King)
            | bishop(square, occupied) & (self.of_type(PieceType::Bishop) | queens)
            | rook(square, occupied) & (self.of_type(PieceType::Rook) | queens)
    }
}
