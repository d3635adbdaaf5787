//! What the receiver has learned, which square it asks for next, and the sight that follows.
//!
//! A man's squares are asked along its lines, nearest first, and a line ends at the first piece; what is known already isn't asked.

use super::{packet::SQUARES, plan::Kind};
use rules::{
    PieceType, Side, Sight, Square,
    geometry::pawn_attacks,
    lines::{Line, lines_of},
    sight::en_passant_victim,
};

/// The largest code that a piece has.
const LARGEST_CODE: u8 = 6;

/// The codes learned in each phase.
#[derive(Clone)]
pub struct Knowledge {
    general: [Option<u8>; SQUARES],
    pawn: [Option<u8>; SQUARES],
    en_passant: [Option<u8>; SQUARES],
}

impl Knowledge {
    pub fn new() -> Self {
        Self { general: [None; SQUARES], pawn: [None; SQUARES], en_passant: [None; SQUARES] }
    }

    /// Notes the code of a square; whether it is one that an honest sender gives.
    pub fn learn(&mut self, kind: Kind, square: Square, code: u8) -> bool {
        let (known, largest) = match kind {
            Kind::General => (&mut self.general, LARGEST_CODE),
            Kind::Pawn => (&mut self.pawn, 1),
            Kind::EnPassant => (&mut self.en_passant, 1),
        };
        known[square.index()] = Some(code);
        code <= largest
    }

    /// The next square to ask for in a phase; of one man alone in the general phase, if one is given.
    pub fn next(&self, kind: Kind, board: &Side, man: Option<Square>) -> Option<Square> {
        match kind {
            Kind::General => {
                let known = |square: Square| self.general[square.index()];
                let is_asked = |line: &&Line| !line.is_way && man.is_none_or(|man| man == line.from);
                lines_of(board).filter(is_asked).find_map(|line| first_unknown(line, board, known))
            }
            Kind::Pawn => {
                let known = |square: Square| self.general[square.index()].or(self.pawn[square.index()]);
                lines_of(board).filter(|line| line.is_way).find_map(|line| first_unknown(line, board, known))
            }
            Kind::EnPassant => {
                let known = |square: Square| self.en_passant[square.index()];
                let is_found = jumped(board).any(|square| known(square).is_some_and(|code| code != 0));
                jumped(board).find(|square| !is_found && known(*square).is_none())
            }
        }
    }

    /// What the codes show. `to_move` says whether en passant was asked for.
    pub fn sight(&self, board: &Side, to_move: bool) -> Sight {
        let mut seen = Side::empty(!board.color);
        for square in Square::all() {
            let whole = self.general[square.index()].and_then(PieceType::from_code);
            // Of a square ahead of a pawn alone any piece says no more than that one stands there.
            let some = (self.pawn[square.index()] == Some(1)).then_some(PieceType::Pawn);
            seen.pieces[square.index()] = whole.or(some);
        }
        let found = Square::all().find(|square| self.en_passant[square.index()] == Some(1));
        seen.double_push = found.map(Square::file);
        Sight::between(board, &seen, to_move)
    }
}

/// The first square of a line whose code isn't known, if no piece stands before it.
fn first_unknown(line: &Line, board: &Side, known: impl Fn(Square) -> Option<u8>) -> Option<Square> {
    // The first square that isn't known to be empty: nothing is known of it, or a piece stands there.
    let end = line.open_squares(board).find(|square| known(*square) != Some(0))?;
    known(end).is_none().then_some(end)
}

/// The squares that the opponent's last move may have jumped over where an own pawn can capture: no own man stands where the jumping
/// pawn would.
fn jumped(board: &Side) -> impl Iterator<Item = Square> + '_ {
    let rank = (!board.color).double_push_rank();
    let attacks = move |target: Square| {
        let mut pawns = board.men().filter(|(_, piece)| *piece == PieceType::Pawn);
        pawns.any(|(from, _)| from.rank() == rank && pawn_attacks(from, board.color).contains(&Some(target)))
    };
    Square::all().filter(move |target| {
        let victim = en_passant_victim(board.color, *target);
        victim.is_some_and(|victim| victim.rank() == rank && board.piece(victim).is_none()) && attacks(*target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Color;

    #[test]
    fn five_en_passant_questions_are_enough_for_any_pawns() {
        let mut most = 0;
        for color in Color::ALL {
            for files in 0_u32..256 {
                let mut board = Side::empty(color);
                for square in Square::all().filter(|s| s.rank() == (!color).double_push_rank()) {
                    let stands = files >> square.file() & 1 == 1;
                    board.pieces[square.index()] = stands.then_some(PieceType::Pawn);
                }
                most = most.max(jumped(&board).count());
            }
        }
        assert_eq!(most, 5);
    }

    #[test]
    fn a_line_ends_at_the_first_piece() {
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let mut board = Side::empty(Color::White);
        board.pieces[square("a1").index()] = Some(PieceType::Rook);
        board.pieces[square("a4").index()] = Some(PieceType::King);
        let mut knowledge = Knowledge::new();
        let rook = Some(square("a1"));
        let mut asked = Vec::new();
        while let Some(next) = knowledge.next(Kind::General, &board, rook) {
            asked.push(next.to_string());
            let code = if next == square("c1") { PieceType::Queen.code() } else { 0 };
            assert!(knowledge.learn(Kind::General, next, code));
        }
        assert_eq!(asked, ["a2", "a3", "b1", "c1"]);
        assert!(!knowledge.learn(Kind::General, square("h8"), 7));
    }
}
