//! Legal moves, a function of a [`Side`] and its [`Sight`] alone (protocol, section 2).
//!
//! There is no check: a king may stay in, move into or castle through attack. A square that the sight leaves dark is
//! never entered or crossed; a true sight shows every square that decides about a move.

use crate::{
    Move, PieceType, Seen, Side, Sight, Square,
    castling::Wing,
    geometry::{DIRECTIONS, KNIGHT_STEPS, ahead, pawn_attacks, ray, two_ahead},
    sight::{en_passant_victim, slides},
};

/// A sight for the first ply of each side, where nobody can meet anybody (protocol, section 6).
const ALL_EMPTY: Sight = Sight { squares: [Seen::Empty; 64], en_passant: None };

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
        let mut moves = Vec::with_capacity(20);
        for (from, piece) in self.men() {
            match piece {
                PieceType::Pawn => self.add_pushes(from, &ALL_EMPTY, &mut moves),
                PieceType::Knight => self.add_steps(from, &KNIGHT_STEPS, &ALL_EMPTY, &mut moves),
                _ => {}
            }
        }
        moves
    }

    fn add_moves(&self, from: Square, piece: PieceType, sight: &Sight, moves: &mut Vec<Move>) {
        match piece {
            PieceType::Pawn => {
                self.add_pushes(from, sight, moves);
                self.add_pawn_captures(from, sight, moves);
            }
            PieceType::Knight => self.add_steps(from, &KNIGHT_STEPS, sight, moves),
            PieceType::King => self.add_steps(from, &DIRECTIONS, sight, moves),
            PieceType::Bishop | PieceType::Rook | PieceType::Queen => {
                for d in slides(piece) {
                    self.add_slides(from, d, sight, moves);
                }
            }
        }
    }

    /// Whether no piece of either player stands on `square`, as far as the player knows.
    fn is_empty(&self, square: Square, sight: &Sight) -> bool {
        self.piece(square).is_none() && sight.at(square) == Seen::Empty
    }

    /// Whether a piece of the opponent stands on `square`, as far as the player knows.
    fn is_target(&self, square: Square, sight: &Sight) -> bool {
        self.piece(square).is_none() && sight.at(square).is_occupied()
    }

    fn add_steps(&self, from: Square, steps: &[(i8, i8)], sight: &Sight, moves: &mut Vec<Move>) {
        let targets = steps.iter().filter_map(|&(df, dr)| from.offset(df, dr));
        let open = targets.filter(|&to| self.is_empty(to, sight) || self.is_target(to, sight));
        moves.extend(open.map(|to| Move::new(from, to)));
    }

    fn add_slides(&self, from: Square, d: usize, sight: &Sight, moves: &mut Vec<Move>) {
        for to in ray(from, d) {
            let is_empty = self.is_empty(to, sight);
            if is_empty || self.is_target(to, sight) {
                moves.push(Move::new(from, to));
            }
            if !is_empty {
                break;
            }
        }
    }

    fn add_pushes(&self, from: Square, sight: &Sight, moves: &mut Vec<Move>) {
        for to in [ahead(from, self.color), two_ahead(from, self.color)].into_iter().flatten() {
            if !self.is_empty(to, sight) {
                break;
            }
            self.add_pawn_move(from, to, moves);
        }
    }

    fn add_pawn_captures(&self, from: Square, sight: &Sight, moves: &mut Vec<Move>) {
        for to in pawn_attacks(from, self.color).into_iter().flatten() {
            let is_en_passant = sight.en_passant == Some(to) && self.is_empty(to, sight);
            if is_en_passant || self.is_target(to, sight) {
                self.add_pawn_move(from, to, moves);
            }
        }
    }

    fn add_pawn_move(&self, from: Square, to: Square, moves: &mut Vec<Move>) {
        if to.rank() == self.color.promotion_rank() {
            moves.extend(PieceType::PROMOTIONS.map(|piece| Move::promoting(from, to, piece)));
        } else {
            moves.push(Move::new(from, to));
        }
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
