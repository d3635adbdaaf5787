//! Moves as PGN writes them, for dark chess: pieces are told apart by the truth of the position, and there is neither check
//! nor mate to mark. The capture of a king is a capture like any other.

use rules::{Move, PieceType, Position, castling::Wing};

/// A legal move of a position in standard algebraic notation.
pub fn san(position: &Position, mv: &Move) -> String {
    let side = position.side(position.turn());
    let Some(piece) = side.piece(mv.from) else {
        return mv.to_string();
    };
    match side.castling_wing(mv) {
        Some(Wing::KingSide) => return "O-O".into(),
        Some(Wing::QueenSide) => return "O-O-O".into(),
        None => {}
    }
    let is_pawn = piece == PieceType::Pawn;
    // A pawn that leaves its file captures, if need be en passant.
    let is_capture =
        position.side(!position.turn()).piece(mv.to).is_some() || (is_pawn && mv.from.file() != mv.to.file());
    let start = if is_pawn {
        if is_capture { file_of(mv.from).to_string() } else { String::new() }
    } else {
        format!("{}{}", letter(piece), origin(position, piece, mv))
    };
    let capture = if is_capture { "x" } else { "" };
    let promotion = mv.promotion.map_or_else(String::new, |piece| format!("={}", letter(piece)));
    format!("{start}{capture}{}{promotion}", mv.to)
}

/// As much of the square of departure as it takes to tell the piece from others of its kind.
fn origin(position: &Position, piece: PieceType, mv: &Move) -> String {
    let side = position.side(position.turn());
    let rivals: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter(|other| other.to == mv.to && other.from != mv.from && side.piece(other.from) == Some(piece))
        .map(|other| other.from)
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|from| from.file() != mv.from.file()) {
        file_of(mv.from).to_string()
    } else if rivals.iter().all(|from| from.rank() != mv.from.rank()) {
        (mv.from.rank() + 1).to_string()
    } else {
        mv.from.to_string()
    }
}

fn file_of(square: rules::Square) -> char {
    char::from(b'a' + square.file())
}

fn letter(piece: PieceType) -> char {
    piece.letter().to_ascii_uppercase()
}

/// The number before White's move.
pub(super) fn number(ply: usize) -> String {
    format!("{}.", ply / 2 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str, mv: &str) -> String {
        san(&Position::from_fen(fen).expect("a position"), &mv.parse().expect("a move"))
    }

    #[test]
    fn pieces_are_told_apart_as_far_as_needed() {
        let knights = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1";
        assert_eq!(of(knights, "a1b3"), "Nab3");
        let rooks = "R3k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(of(rooks, "a1a4"), "R1a4");
        let queens = "4k3/8/8/8/Q6Q/8/8/4K2Q w - - 0 1";
        assert_eq!(of(queens, "h4e4"), "Qh4e4");
        assert_eq!(of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1"), "Rd1");
    }

    #[test]
    fn castling_pawns_promotions_and_kings() {
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(of(castles, "e1g1"), "O-O");
        assert_eq!(of(castles, "e1c1"), "O-O-O");
        assert_eq!(of(castles, "e1f1"), "Kf1");
        assert_eq!(of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(of("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n"), "exd8=N");
        assert_eq!(of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), "a8=Q");
        assert_eq!(of("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "e7e8"), "Qxe8");
        assert_eq!(of("4k3/4K3/8/8/8/8/8/8 w - - 0 1", "e7e8"), "Kxe8");
    }

    #[test]
    fn a_pinned_piece_is_a_rival_because_nothing_is_pinned() {
        // In chess the knight on e2 couldn't leave the e-file; here it can, so the other one must be told from it.
        assert_eq!(of("4r1k1/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3"), "Nbc3");
    }
}
