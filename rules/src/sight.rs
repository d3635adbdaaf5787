//! What a player sees of its opponent (protocol, sections 2 and 5).
//!
//! [`Sight::between`] computes it from both boards, as only a test, a replay or the bot can. In a game a sight is opened
//! from the opponent's answer; the two must agree.

use serde::{Deserialize, Serialize};

use crate::{Color, PieceType, Side, Square, geometry::pawn_attacks, json::Symbol, lines::lines_of};

/// What a player knows of one square, own pieces aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Seen {
    /// Nothing. Own squares are `Dark` too, since they say nothing of the opponent.
    #[default]
    Dark,
    /// No piece stands there.
    Empty,
    /// A piece of unknown type stands there, in a pawn's way.
    Occupied,
    /// This piece of the opponent stands there.
    Piece(PieceType),
}

impl Seen {
    /// Whether a piece of the opponent is known to stand there.
    #[must_use]
    pub const fn is_occupied(self) -> bool {
        matches!(self, Self::Occupied | Self::Piece(_))
    }

    /// How much it says: a piece's type beats bare occupancy, anything beats darkness.
    const fn weight(self) -> u8 {
        match self {
            Self::Dark => 0,
            Self::Empty | Self::Occupied => 1,
            Self::Piece(_) => 2,
        }
    }
}

/// As on a board: the lower-case letter of a piece, `?` occupied, `.` empty, `*` dark.
impl Symbol for Seen {
    fn symbol(&self) -> char {
        match self {
            Self::Dark => '*',
            Self::Empty => '.',
            Self::Occupied => '?',
            Self::Piece(piece) => piece.letter(),
        }
    }

    fn of(symbol: char) -> Option<Self> {
        match symbol {
            '*' => Some(Self::Dark),
            '.' => Some(Self::Empty),
            '?' => Some(Self::Occupied),
            letter => PieceType::from_letter(letter).map(Self::Piece),
        }
    }
}

/// All that a player sees of its opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// By square. A pawn that may be captured *en passant* is shown as such.
    #[serde(with = "crate::json::by_square")]
    pub squares: [Seen; 64],
    /// The square that the opponent's last move, a double push, jumped over, while one of the own pawns may capture
    /// there. The captured pawn stands one step behind it; seeing that pawn doesn't imply that it may be captured.
    pub en_passant: Option<Square>,
}

impl Sight {
    /// A sight of nothing.
    pub const DARK: Self = Self { squares: [Seen::Dark; 64], en_passant: None };

    /// What is seen of `square`.
    #[must_use]
    pub const fn at(&self, square: Square) -> Seen {
        self.squares[square.index()]
    }

    /// Adds a finding about `square`; one that says less than what is known already changes nothing.
    pub fn add(&mut self, square: Square, seen: Seen) {
        let known = &mut self.squares[square.index()];
        if seen.weight() > known.weight() {
            *known = seen;
        }
    }

    /// Adds that the opponent's last move was a double push, of which a pawn of `color` may capture the pawn by going to
    /// `target`.
    pub fn add_en_passant(&mut self, color: Color, target: Square) {
        if let Some(victim) = en_passant_victim(color, target) {
            self.add(victim, Seen::Piece(PieceType::Pawn));
            self.en_passant = Some(target);
        }
    }

    /// What `viewer` sees of `opponent`. `to_move`: it is the viewer's move, so it may capture *en passant*.
    ///
    /// Applies no pending capture: a captured piece must be gone from its side already.
    #[must_use]
    pub fn between(viewer: &Side, opponent: &Side, to_move: bool) -> Self {
        let mut sight = Self::DARK;
        for line in lines_of(viewer) {
            for square in line.open_squares(viewer) {
                let seen = opponent.piece(square).map_or(Seen::Empty, |piece| match line.is_way {
                    true => Seen::Occupied,
                    false => Seen::Piece(piece),
                });
                sight.add(square, seen);
                if seen.is_occupied() {
                    break;
                }
            }
        }
        if to_move {
            sight.add_en_passant_of(viewer, opponent);
        }
        sight
    }

    fn add_en_passant_of(&mut self, viewer: &Side, opponent: &Side) {
        let Some(target) = opponent.jumped_square() else {
            return;
        };
        let mut pawns = viewer.men().filter(|&(_, piece)| piece == PieceType::Pawn);
        if pawns.any(|(from, _)| pawn_attacks(from, viewer.color).contains(&Some(target))) {
            self.add_en_passant(viewer.color, target);
        }
    }
}

/// Where the pawn stands that a pawn of `color` captures by going to `target` *en passant*.
#[must_use]
pub const fn en_passant_victim(color: Color, target: Square) -> Option<Square> {
    target.offset(0, -color.forward())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Position};

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    /// White's pawn on e5 beside black's on d5, which white's rook on d1 sees in any case.
    fn beside(en_passant: &str) -> Position {
        Position::from_fen(&format!("4k3/8/8/3pP3/8/8/8/3RK3 w - {en_passant} 0 1")).unwrap()
    }

    #[test]
    fn a_seen_neighbour_alone_allows_no_en_passant() {
        let capture = Move::new(sq("e5"), sq("d6"));
        for (field, is_legal) in [("-", false), ("d6", true)] {
            let position = beside(field);
            let (side, sight) = (position.side(Color::White), position.sight(Color::White));
            assert_eq!(sight.at(sq("d5")), Seen::Piece(PieceType::Pawn));
            assert_eq!(side.legal_moves(&sight).contains(&capture), is_legal);
            let square = is_legal.then(|| sq("d5"));
            assert_eq!(side.capture_square(&capture, &sight), square);
        }
    }

    #[test]
    fn en_passant_is_seen_in_the_own_turn_only() {
        let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
        let (white, black) = (position.side(Color::White), position.side(Color::Black));
        assert_eq!(Sight::between(white, black, true).at(sq("d5")), Seen::Piece(PieceType::Pawn));
        let sight = Sight::between(white, black, false);
        assert_eq!((sight.at(sq("d5")), sight.en_passant), (Seen::Dark, None));
    }

    /// Of every double push, to a player whose only man is any piece on any square.
    #[test]
    fn en_passant_is_seen_by_a_pawn_beside_alone() {
        for (color, file) in Color::ALL.into_iter().flat_map(|color| (0..8).map(move |file| (color, file))) {
            let pushed = Square::at(file, (!color).double_push_rank()).unwrap();
            let mut opponent = Side { double_push: Some(file), ..Side::empty(!color) };
            opponent.pieces[pushed.index()] = Some(PieceType::Pawn);
            for (square, piece) in Square::all().flat_map(|square| PieceType::ALL.map(|piece| (square, piece))) {
                let mut viewer = Side::empty(color);
                viewer.pieces[square.index()] = Some(piece);
                let is_beside = square.rank() == pushed.rank() && square.file().abs_diff(file) == 1;
                let [before, after] = [true, false].map(|to_move| Sight::between(&viewer, &opponent, to_move));
                if piece == PieceType::Pawn && is_beside {
                    assert_eq!(before.at(pushed), Seen::Piece(PieceType::Pawn), "{color} on {square}, {pushed}");
                    assert_eq!(before.en_passant, opponent.jumped_square(), "{color} on {square}, {pushed}");
                } else {
                    assert_eq!(before, after, "{color}'s {piece:?} on {square}, {pushed}");
                }
            }
        }
    }

    #[test]
    fn more_is_kept_and_less_forgotten() {
        let mut sight = Sight::DARK;
        sight.add(sq("e4"), Seen::Occupied);
        sight.add(sq("e4"), Seen::Piece(PieceType::Queen));
        sight.add(sq("e4"), Seen::Occupied);
        sight.add(sq("e4"), Seen::Dark);
        assert_eq!(sight.at(sq("e4")), Seen::Piece(PieceType::Queen));
    }
}
