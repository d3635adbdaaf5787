//! Both armies of a board that is thought possible, for counting with. The rules are those of `rules`, and a test holds both to the same moves.

use rules::castling::Wing;
use rules::{Color, Move, PieceType, Square};

use crate::army::Army;
use crate::bits::{Bits, Squares, bit, forward, pawn};

/// Two armies, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Both armies, White's first.
    pub armies: [Army; 2],
    pub turn: Color,
}

/// Which moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// Captures and promotions to a queen: what changes the balance of pieces at once.
    Forcing,
}

impl Board {
    /// The board of a player on turn and an opponent.
    #[must_use]
    pub fn of(own: Army, other: Army, turn: Color) -> Self {
        let armies = if turn == Color::White { [own, other] } else { [other, own] };
        Self { armies, turn }
    }

    /// The army of who is to move.
    #[inline]
    #[must_use]
    pub const fn own(&self) -> &Army {
        &self.armies[self.turn.index()]
    }

    /// The army of who is not to move.
    #[inline]
    #[must_use]
    pub fn other(&self) -> &Army {
        &self.armies[(!self.turn).index()]
    }

    /// The squares on which anything stands.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bits {
        self.armies[0].all() | self.armies[1].all()
    }

    /// The square on which a legal move captures: *en passant* that of the pawn.
    #[inline]
    #[must_use]
    pub fn capture(&self, mv: &Move) -> Option<Square> {
        if self.other().all() & bit(mv.to) != 0 {
            return Some(mv.to);
        }
        let is_pawn = self.own().of_type(PieceType::Pawn) & bit(mv.from) != 0;
        if is_pawn && mv.from.file() != mv.to.file() { rules::sight::en_passant_victim(self.turn, mv.to) } else { None }
    }

    /// The board after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: &Move) -> Self {
        let mut next = *self;
        if let Some(square) = self.capture(mv) {
            next.armies[(!self.turn).index()].lose(square, !self.turn);
        }
        next.armies[self.turn.index()].play(mv, self.turn);
        next.turn = !self.turn;
        next
    }

    /// Whether the player to move can capture the king.
    #[inline]
    #[must_use]
    pub fn can_capture_king(&self) -> bool {
        let king = self.other().king();
        king.is_some_and(|king| self.own().attackers(king, self.turn, self.occupied()) != 0)
    }

    /// Whether the opponent could capture the king of the player to move.
    #[inline]
    #[must_use]
    pub fn is_king_attacked(&self) -> bool {
        let king = self.own().king();
        king.is_some_and(|king| self.other().attackers(king, !self.turn, self.occupied()) != 0)
    }

    /// Adds the wanted moves.
    pub fn add_moves(&self, wanted: Wanted, moves: &mut Vec<Move>) {
        let (own, mine, theirs) = (self.own(), self.own().all(), self.other().all());
        let targets = if wanted == Wanted::All { !mine } else { theirs };
        for piece in PieceType::ALL.into_iter().filter(|piece| *piece != PieceType::Pawn) {
            for from in Squares(own.of_type(piece)) {
                let reach = Army::reach(piece, from, self.turn, mine | theirs);
                moves.extend(Squares(reach & targets).map(|to| Move::new(from, to)));
            }
        }
        self.add_pawn_captures(wanted, moves);
        self.add_pushes(wanted, moves);
        if wanted == Wanted::All {
            self.add_castling(moves);
        }
    }

    fn add_pawn_move(&self, from: Square, to: Square, wanted: Wanted, moves: &mut Vec<Move>) {
        if to.rank() != self.turn.promotion_rank() {
            moves.push(Move::new(from, to));
        } else if wanted == Wanted::All {
            moves.extend(PieceType::PROMOTIONS.map(|piece| Move::promoting(from, to, piece)));
        } else {
            moves.push(Move::promoting(from, to, PieceType::Queen));
        }
    }

    fn add_pawn_captures(&self, wanted: Wanted, moves: &mut Vec<Move>) {
        let theirs = self.other().all();
        let en_passant = self.other().jumped_square(!self.turn).map_or(0, bit) & !self.occupied();
        for from in Squares(self.own().of_type(PieceType::Pawn)) {
            for to in Squares(pawn(from, self.turn) & (theirs | en_passant)) {
                self.add_pawn_move(from, to, wanted, moves);
            }
        }
    }

    fn add_pushes(&self, wanted: Wanted, moves: &mut Vec<Move>) {
        let free = !self.occupied();
        let single = forward(self.own().of_type(PieceType::Pawn), self.turn) & free;
        let promotions = 0xff << (8 * self.turn.promotion_rank());
        let double_rank = 0xff << (8 * self.turn.double_push_rank());
        let (single, double) = match wanted {
            Wanted::All => (single, forward(single, self.turn) & free & double_rank),
            Wanted::Forcing => (single & promotions, 0),
        };
        for (to, ranks) in Squares(single).map(|to| (to, 1)).chain(Squares(double).map(|to| (to, 2))) {
            if let Some(from) = to.offset(0, -ranks * self.turn.forward()) {
                self.add_pawn_move(from, to, wanted, moves);
            }
        }
    }

    fn add_castling(&self, moves: &mut Vec<Move>) {
        let (own, occupied, from) = (self.own(), self.occupied(), Wing::king_from(self.turn));
        for wing in Wing::ALL.into_iter().filter(|wing| own.has_right(*wing)) {
            let has_men = own.of_type(PieceType::King) & bit(from) != 0
                && own.of_type(PieceType::Rook) & bit(wing.rook_from(self.turn)) != 0;
            if has_men && wing.between(self.turn).all(|square| occupied & bit(square) == 0) {
                moves.push(Move::new(from, wing.king_to(self.turn)));
            }
        }
    }
}
