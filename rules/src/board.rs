//! Boards as text: what a player has and sees (protocol, section 2).
//!
//! Text only: colors, keys and screens are the terminal client's.

use std::fmt::Write;

use crate::{Color, Seen, Side, Sight, Square};

/// What stands on `square` as its owner knows it: a letter (FEN) for own and seen pieces, `.` seen and empty, `?` occupied
/// by an unknown piece in a pawn's way, `*` dark.
#[must_use]
pub fn symbol(side: &Side, sight: &Sight, square: Square) -> char {
    match (side.piece(square), sight.at(square)) {
        (Some(own), _) => own.letter_of(side.color),
        (None, Seen::Piece(piece)) => piece.letter_of(!side.color),
        (None, Seen::Occupied) => '?',
        (None, Seen::Empty) => '.',
        (None, Seen::Dark) => '*',
    }
}

/// The board in the oracle's form: ranks 8 to 1 joined by `/`, one [`symbol`] a square.
#[must_use]
pub fn line(side: &Side, sight: &Sight) -> String {
    let rank = |rank| (0..8).map(move |file| Square::from_coordinates(file, rank));
    let ranks = (0..8).rev().map(|r| rank(r).map(|s| symbol(side, sight, s)).collect::<String>());
    ranks.collect::<Vec<_>>().join("/")
}

/// The board for a terminal, with the names of files and ranks and dark squares as `░`, seen from the player's own end; ten lines.
#[must_use]
pub fn render(side: &Side, sight: &Sight) -> String {
    let is_white = side.color == Color::White;
    // Walks 0 to 7 as that player looks at the board: from its left, and from far to near.
    let file_at = |i: u8| if is_white { i } else { 7 - i };
    let rank_at = |i: u8| if is_white { 7 - i } else { i };
    let files: String = (0..8).map(|i| format!(" {}", char::from(b'a' + file_at(i)))).collect();
    let mut text = format!("  {files}\n");
    for i in 0..8 {
        let rank = rank_at(i);
        let squares = (0..8).map(|j| symbol(side, sight, Square::from_coordinates(file_at(j), rank)));
        let shown: String = squares.map(|c| format!(" {}", if c == '*' { '░' } else { c })).collect();
        // Writing to a String can't fail.
        let _ = writeln!(text, "{} {shown}  {}", rank + 1, rank + 1);
    }
    text + &format!("  {files}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn white_looks_up_the_board() {
        let position = Position::start();
        let drawn = render(position.side(Color::White), &position.sight(Color::White));
        let expected = "   a b c d e f g h\n\
                        8  ░ ░ ░ ░ ░ ░ ░ ░  8\n\
                        7  ░ ░ ░ ░ ░ ░ ░ ░  7\n\
                        6  ░ ░ ░ ░ ░ ░ ░ ░  6\n\
                        5  ░ ░ ░ ░ ░ ░ ░ ░  5\n\
                        4  . . . . . . . .  4\n\
                        3  . . . . . . . .  3\n\
                        2  P P P P P P P P  2\n\
                        1  R N B Q K B N R  1\n   a b c d e f g h\n";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn black_looks_down_the_board() {
        let position = Position::start();
        let drawn = render(position.side(Color::Black), &position.sight(Color::Black));
        let mut lines = drawn.lines();
        assert_eq!(lines.next(), Some("   h g f e d c b a"));
        assert_eq!(lines.next(), Some("1  ░ ░ ░ ░ ░ ░ ░ ░  1"));
        assert_eq!(lines.next_back(), Some("   h g f e d c b a"));
        assert_eq!(lines.next_back(), Some("8  r n b k q b n r  8"));
    }

    #[test]
    fn a_pawns_way_is_half_seen() {
        let position = Position::from_fen("4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1").unwrap();
        let seen = position.board_string(Color::White);
        assert_eq!(seen, "********/********/***.?.**/****P***/********/********/***...**/***.K.**");
    }
}
