//! One player's own state, which a commitment holds (protocol, section 4), and how its own moves change it.
//!
//! Not here: what the player sees (the module `sight`), and how its legal moves follow from both (the module `legal`).

use serde::{Deserialize, Serialize};

use crate::{CastlingRights, Color, Move, PieceType, Square, castling::Wing};

/// The highest value of [`Side::since_pawn`]: it has 7 bits in the state (protocol, section 4).
pub const SINCE_PAWN_MAX: u8 = 127;

/// All of one player's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// The player's color. Not a part of the committed state.
    pub color: Color,
    /// Own pieces, by square.
    #[serde(with = "crate::json::by_square")]
    pub pieces: [Option<PieceType>; 64],
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
        Self { color, pieces: [None; 64], rights: CastlingRights::NONE, double_push: None, since_pawn: 0 }
    }

    /// The starting position's side.
    #[must_use]
    pub fn start(color: Color) -> Self {
        use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut side = Self { rights: CastlingRights::BOTH, ..Self::empty(color) };
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
        self.men().find_map(|(square, piece)| (piece == PieceType::King).then_some(square))
    }

    /// The square that the own last move jumped over, if it was a double push.
    #[must_use]
    pub fn jumped_square(&self) -> Option<Square> {
        Square::at(self.double_push?, self.color.pawn_rank())?.offset(0, self.color.forward())
    }

    /// The side after the opponent captured on `pending`: without the piece there, and in a corner without the castling right that goes
    /// with it. Unchanged where `pending` is no square.
    #[must_use]
    pub fn without(&self, pending: Option<Square>) -> Self {
        let mut side = self.clone();
        if let Some(square) = pending {
            side.pieces[square.index()] = None;
            side.rights.lose_corner(self.color, square);
        }
        side
    }

    /// The wing on which a move castles: the king's two-step move from its home square, where the right is left.
    #[must_use]
    pub fn castling_wing(&self, mv: &Move) -> Option<Wing> {
        let is_king = mv.from == Wing::king_from(self.color) && self.piece(mv.from) == Some(PieceType::King);
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
        // While a right is left its rook is the only piece that can leave the corner.
        next.rights.lose_corner(self.color, mv.from);
        if piece == PieceType::King {
            next.rights = CastlingRights::NONE;
        }
        let is_pawn = piece == PieceType::Pawn;
        let is_double = is_pawn && mv.from.rank().abs_diff(mv.to.rank()) == 2;
        next.double_push = is_double.then_some(mv.from.file());
        next.since_pawn = if is_pawn { 0 } else { self.since_pawn.saturating_add(1).min(SINCE_PAWN_MAX) };
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn after(side: Side, moves: &str) -> Side {
        moves.split(' ').fold(side, |side, mv| side.play(&mv.parse().unwrap()))
    }

    #[test]
    fn a_captured_rook_takes_its_right_along() {
        let side = Side::start(Color::Black).without(Some(sq("a8")));
        assert_eq!(side.rights, CastlingRights { king_side: true, queen_side: false });
        assert_eq!(side.piece(sq("a8")), None);
        let knightless = Side::start(Color::Black).without(Some(sq("g8")));
        assert_eq!(knightless.rights, CastlingRights::BOTH);
        assert_eq!(side.without(None), side);
    }

    #[test]
    fn a_rook_in_another_ones_corner_brings_no_right_back() {
        let side = Side::start(Color::White).without(Some(sq("h1")));
        let side = after(side, "a2a4 a1a3 a3h3 h3h1");
        assert_eq!(side.piece(sq("h1")), Some(PieceType::Rook));
        assert_eq!(side.rights, CastlingRights::NONE);
    }

    #[test]
    fn castling_moves_the_rook_and_spends_both_rights() {
        let side = after(Side::start(Color::White), "g1f3 e2e4 f1e2 e1g1");
        assert_eq!(side.piece(sq("f1")), Some(PieceType::Rook));
        assert_eq!(side.piece(sq("h1")), None);
        assert_eq!(side.rights, CastlingRights::NONE);
    }

    #[test]
    fn only_the_last_double_push_is_remembered() {
        let side = after(Side::start(Color::Black), "c7c5");
        assert_eq!((side.double_push, side.jumped_square()), (Some(2), Some(sq("c6"))));
        let side = after(side, "c5c4");
        assert_eq!((side.double_push, side.jumped_square()), (None, None));
    }

    #[test]
    fn the_counter_counts_to_127_and_a_promotion_is_a_pawn_move() {
        let mut side = after(Side::start(Color::White), "b1c3");
        assert_eq!(side.since_pawn, 1);
        for _ in 0..100 {
            side = after(side, "c3b1 b1c3");
        }
        assert_eq!(side.since_pawn, SINCE_PAWN_MAX);
        side.pieces[sq("a7").index()] = Some(PieceType::Pawn);
        let side = after(side, "a7b8q");
        assert_eq!((side.piece(sq("b8")), side.since_pawn), (Some(PieceType::Queen), 0));
    }
}
