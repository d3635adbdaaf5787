//! Legal moves, a function of a [`Side`] and its [`Sight`] alone (protocol, section 2).
//!
//! There is no check: a king may stay in, move into or castle through attack. A square that the sight leaves dark is
//! never entered or crossed; a true sight shows every square that decides about a move.

use crate::{
    Move, PieceType, Seen, Side, Sight, Square,
    castling::Wing,
    lines::{Line, lines},
    sight::en_passant_victim,
};

/// A sight for the first ply of each side, where nobody can meet anybody (protocol, section 6).
const ALL_EMPTY: Sight = Sight { squares: [Seen::Empty; 64], en_passant: None };

/// Whether a piece moves along its line to a square that no own piece stands on: a pawn goes ahead only where nothing stands and captures
/// only a piece or *en passant*; all others do either.
fn may_enter(line: &Line, to: Square, sight: &Sight) -> bool {
    let (is_empty, is_occupied) = (sight.at(to) == Seen::Empty, sight.at(to).is_occupied());
    match (line.piece, line.is_way) {
        (PieceType::Pawn, true) => is_empty,
        (PieceType::Pawn, false) => is_occupied || is_empty && sight.en_passant == Some(to),
        _ => is_empty || is_occupied,
    }
}

impl Side {
    /// All legal moves, with what the player sees.
    #[must_use]
    pub fn legal_moves(&self, sight: &Sight) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        for (from, piece) in self.men() {
            self.add_moves(from, piece, sight, &mut moves);
        }
        self.add_castling(sight, &mut moves);
        moves
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

    /// The moves of a side's first ply, for which it needs no sight: pawn pushes and knight moves (protocol, section 6).
    #[must_use]
    pub fn opening_moves(&self) -> Vec<Move> {
        let mut moves = self.legal_moves(&ALL_EMPTY);
        moves.retain(|mv| matches!(self.piece(mv.from), Some(PieceType::Pawn | PieceType::Knight)));
        moves
    }

    fn add_moves(&self, from: Square, piece: PieceType, sight: &Sight, moves: &mut Vec<Move>) {
        let lines = lines(piece, from, self.color).iter();
        // A pawn's pushes come before its captures.
        for line in lines.clone().filter(|line| line.is_way).chain(lines.filter(|line| !line.is_way)) {
            for to in line.open_squares(self) {
                if may_enter(line, to, sight) {
                    self.add_move(from, piece, to, moves);
                }
                if sight.at(to) != Seen::Empty {
                    break;
                }
            }
        }
    }

    fn add_move(&self, from: Square, piece: PieceType, to: Square, moves: &mut Vec<Move>) {
        if piece == PieceType::Pawn && to.rank() == self.color.promotion_rank() {
            moves.extend(PieceType::PROMOTIONS.map(|piece| Move::promoting(from, to, piece)));
        } else {
            moves.push(Move::new(from, to));
        }
    }

    /// Whether no piece of either player stands on `square`, as far as the player knows.
    fn is_empty(&self, square: Square, sight: &Sight) -> bool {
        self.piece(square).is_none() && sight.at(square) == Seen::Empty
    }

    fn add_castling(&self, sight: &Sight, moves: &mut Vec<Move>) {
        let king = Wing::king_from(self.color);
        for wing in Wing::ALL {
            let has_men = self.piece(king) == Some(PieceType::King)
                && self.piece(wing.rook_from(self.color)) == Some(PieceType::Rook);
            let is_clear = wing.between(self.color).all(|square| self.is_empty(square, sight));
            if self.rights.has(wing) && has_men && is_clear {
                moves.push(Move::new(king, wing.king_to(self.color)));
            }
        }
    }
}
