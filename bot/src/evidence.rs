//! What a sight demands of an opponent that is thought possible, as sets of squares.

use rules::{Color, PieceType, Seen, Sight, Square};

use crate::army::Army;
use crate::bits::{Bits, bit};

/// What is known of the opponent's pieces at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    /// The opponent's pieces whose type is seen.
    pub seen: Army,
    /// Squares of which it is known what stands there, if anything.
    pub known: Bits,
    /// Squares where a piece of unknown type stands.
    pub occupied: Bits,
    /// The own pieces, among which none of the opponent's can be.
    pub own: Bits,
    /// On the own turn: the squares where an own pawn could capture *en passant*, and the one where it may.
    en_passant: Option<(Bits, Option<Square>)>,
}

impl Evidence {
    /// What a sight of a player says, whose army is `own`.
    #[must_use]
    pub fn of(sight: &Sight, own: &Army, color: Color, on_turn: bool) -> Self {
        let mut evidence = Self { seen: Army::EMPTY, known: 0, occupied: 0, own: own.all(), en_passant: None };
        for (square, seen) in Square::all().zip(sight.squares) {
            match seen {
                Seen::Dark => {}
                Seen::Empty => evidence.known |= bit(square),
                Seen::Occupied => evidence.occupied |= bit(square),
                Seen::Piece(piece) => {
                    evidence.known |= bit(square);
                    evidence.seen.put(piece, square);
                }
            }
        }
        let pawns = Army::EMPTY.with(PieceType::Pawn, own.of_type(PieceType::Pawn));
        evidence.en_passant = on_turn.then(|| (pawns.attacks(color, 0), sight.en_passant));
        evidence
    }

    /// Whether an opponent agrees with all of it.
    #[must_use]
    pub fn allows(&self, other: &Army, color: Color) -> bool {
        let all = other.all();
        let is_hidden = all & self.own == 0 && all & self.occupied == self.occupied;
        let agrees = |piece| other.of_type(piece) & self.known == self.seen.of_type(piece);
        is_hidden && PieceType::ALL.into_iter().all(agrees) && self.allows_jump(other, color)
    }

    /// Whether *en passant* is possible exactly where it is seen to be.
    fn allows_jump(&self, other: &Army, color: Color) -> bool {
        let Some((in_reach, seen)) = self.en_passant else { return true };
        other.jumped_square(color).filter(|square| in_reach & bit(*square) != 0) == seen
    }

    /// The square that the opponent's last move is seen to have jumped over.
    #[must_use]
    pub fn jumped_square(&self) -> Option<Square> {
        self.en_passant.and_then(|(_, seen)| seen)
    }
}
