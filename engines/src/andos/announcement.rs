//! What the first strategy says in the clear with each question of the general phase: the type of the piece that it is asked for.
//!
//! Pieces are announced type by type, each with as many questions as its type can need, real or not; the rest of the plan is
//! announced as no piece. A promoted pawn is announced as a pawn, and may ask as much as a queen.

use super::plan::{bound, order};
use rules::{PieceType, Side, Square};

/// What is announced for questions that no piece asks.
const NONE: u8 = 0;

/// Questions of the general phase in order: the announced code, and the man that asks.
pub fn announcements(board: &Side, promoted: u64) -> Vec<(u8, Option<Square>)> {
    let announced = |square: Square, piece| if promoted >> square.index() & 1 == 1 { PieceType::Pawn } else { piece };
    let mut found = Vec::new();
    for piece in order() {
        for (square, _) in board.men().filter(|(square, of)| announced(*square, *of) == piece) {
            found.extend(std::iter::repeat_n((piece.code(), Some(square)), bound(piece)));
        }
    }
    found
}

/// The announcement of question `number` and the man that asks it.
pub fn announced(announcements: &[(u8, Option<Square>)], number: usize) -> (u8, Option<Square>) {
    announcements.get(number).copied().unwrap_or((NONE, None))
}

/// Whether the codes announced so far can be those of at most `men` men: types in order, each with whole bounds, then none.
pub fn is_allowed(codes: &[u8], men: usize) -> bool {
    let mut left = codes;
    let mut announced = 0;
    for piece in order() {
        let asked = left.iter().take_while(|code| **code == piece.code()).count();
        left = &left[asked..];
        announced += asked.div_ceil(bound(piece));
        let is_whole = asked.is_multiple_of(bound(piece));
        if !is_whole && !left.is_empty() {
            return false;
        }
    }
    announced <= men && left.iter().all(|code| *code == NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Color;

    #[test]
    fn announcements_of_the_start_are_allowed_and_no_others() {
        let board = Side::start(Color::White);
        let codes: Vec<u8> = announcements(&board, 0).iter().map(|(code, _)| *code).collect();
        assert_eq!(codes.len(), 321);
        assert!((0..=321).all(|count| is_allowed(&codes[..count], 16)));
        assert!(!is_allowed(&codes, 15));
        assert!(is_allowed(&[&codes[..], &[NONE; 5]].concat(), 16));
        // A king with nine questions, a queen before it is through, a type after a later one, a code of no piece.
        let king = [PieceType::King.code(); 9];
        assert!(is_allowed(&king[..8], 1) && !is_allowed(&king, 1));
        assert!(!is_allowed(&[6, 5], 16) && !is_allowed(&[0, 6], 16) && !is_allowed(&[7], 16));
    }

    #[test]
    fn a_promoted_pawn_is_announced_as_a_pawn() {
        let mut board = Side::empty(Color::White);
        board.pieces[5] = Some(PieceType::Queen);
        assert_eq!(announced(&announcements(&board, 0), 26), (PieceType::Queen.code(), Square::new(5)));
        assert_eq!(announced(&announcements(&board, 1 << 5), 26), (PieceType::Pawn.code(), Square::new(5)));
        assert_eq!(announced(&announcements(&board, 0), 27), (NONE, None));
    }
}
