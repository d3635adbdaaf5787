//! One player's own state, which a commitment holds (protocol, section 4), and how its own moves change it.
//!
//! Not here: what the player sees ([`Sight`]), and how its legal moves follow from both (the module `legal`).

use crate::{
    CastlingRights, Color, Move, PieceType, Sight, Square, castling::Wing, sight::en_passant_victim,
};

/// The highest value of [`Side::since_pawn`]: it has 7 bits in the state (protocol, section 4).
pub const SINCE_PAWN_MAX: u8 = 127;

/// All of one player's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The player's colour. Not a part of the committed state.
    pub color: Color,
    /// Own pieces, by square.
    pub pieces: [Option<PieceType>; 64],
    /// Castling rights.
    pub rights: CastlingRights,
    /// The file, 0 to 7, of the own last move if it was a double push.
    pub double_push: Option<u8>,
    /// Own moves since the own last pawn move, at most [`SINCE_PAWN_MAX`]. A promotion is a pawn move; a capture isn't.
    pub since_pawn: u8,
}

impl Side {
    /// A side without pieces and rights.
    #[must_use]
    pub const fn empty(color: Color) -> Self {
        Self {
            color,
            pieces: [None; 64],
            rights: CastlingRights::NONE,
            double_push: None,
            since_pawn: 0,
        }
    }

    /// The starting position's side.
    #[must_use]
    pub fn start(color: Color) -> Self {
        use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut side = Self {
            rights: CastlingRights::BOTH,
            ..Self::empty(color)
        };
        for (file, piece) in (0..).zip([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]) {
            side.pieces[Square::from_coordinates(file, color.home_rank()).index()] = Some(piece);
            side.pieces[Square::from_coordinates(file, color.pawn_rank()).index()] = Some(Pawn);
        }
        side
    }

    /// The own piece on `square`.
    #[must_use]
    pub const fn piece(&self, square: Square) -> Option<PieceType> {
        self.pieces[square.index()]
    }

    /// Own pieces and their squares, by ascending square.
    pub fn men(&self) -> impl Iterator<Item = (Square, PieceType)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece(square)?)))
    }

    /// Where the king stands, unless it was captured.
    #[must_use]
    pub fn king(&self) -> Option<Square> {
        self.men()
            .find_map(|(square, piece)| (piece == PieceType::King).then_some(square))
    }

    /// The square that the own last move jumped over, if it was a double push.
    #[must_use]
    pub fn jumped_square(&self) -> Option<Square> {
        Square::at(self.double_push?, self.color.pawn_rank())?.offset(0, self.color.forward())
    }

    /// The side after the opponent captured on `pending`: without the piece there, and without the castling right of a
    /// rook that stood there. Unchanged where `pending` is no square.
    #[must_use]
    pub fn without(&self, pending: Option<Square>) -> Self {
        let mut side = self.clone();
        if let Some(square) = pending
            && side.pieces[square.index()].take() == Some(PieceType::Rook)
        {
            side.rights.lose_corner(self.color, square);
        }
        side
    }

    /// The wing on which a move castles: the king's two-step move from its home square, where the right is left.
    #[must_use]
    pub fn castling_wing(&self, mv: &Move) -> Option<Wing> {
        let is_king =
            mv.from == Wing::king_from(self.color) && self.piece(mv.from) == Some(PieceType::King);
        let mut wings = Wing::ALL.into_iter();
        wings.find(|&wing| is_king && self.rights.has(wing) && wing.king_to(self.color) == mv.to)
    }

    /// The player's own next state. Decides nothing about legality: the move must be one of [`legal_moves`] or
    /// [`opening_moves`]. A move from a square without an own piece changes nothing.
    ///
    /// [`legal_moves`]: Self::legal_moves
    /// [`opening_moves`]: Self::opening_moves
    #[must_use]
    pub fn play(&self, mv: &Move) -> Self {
        let mut next = self.clone();
        let Some(piece) = next.pieces[mv.from.index()].take() else {
            return next;
        };
        next.pieces[mv.to.index()] = Some(mv.promotion.unwrap_or(piece));
        if let Some(wing) = self.castling_wing(mv) {
            let rook = next.pieces[wing.rook_from(self.color).index()].take();
            next.pieces[wing.rook_to(self.color).index()] = rook;
        }
        match piece {
            PieceType::King => next.rights = CastlingRights::NONE,
            PieceType::Rook => next.rights.lose_corner(self.color, mv.from),
            _ => {}
        }
        let is_pawn = piece == PieceType::Pawn;
        let is_double = is_pawn && mv.from.rank().abs_diff(mv.to.rank()) == 2;
        next.double_push = is_double.then_some(mv.from.file());
        next.since_pawn = if is_pawn {
            0
        } else {
            self.since_pawn.saturating_add(1).min(SINCE_PAWN_MAX)
        };
        next
    }

    /// The square on which a legal move captures: *en passant* that of the captured pawn.
    #[must_use]
    pub fn capture_square(&self, mv: &Move, sight: &Sight) -> Option<Square> {
        let is_pawn = self.piece(mv.from) == Some(PieceType::Pawn);
        let is_straight = mv.from.file() == mv.to.file();
        if is_pawn && !is_straight && sight.en_passant == Some(mv.to) {
            return en_passant_victim(self.color, mv.to);
        }
        (sight.at(mv.to).is_occupied() && !(is_pawn && is_straight)).then_some(mv.to)
    }
}
