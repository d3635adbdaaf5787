//! The demo's own game: short, complete, and with everything that is hard to prove.

use crate::script::Script;

/// The moves. Ply 4 captures *en passant*, ply 6 captures, ply 8 promotes by capturing the queen, ply 9 castles out of the
/// new queen's attack, ply 10 captures the rook, ply 12 the king.
const MOVES: [&str; 13] =
    ["e2e4", "g7g6", "e4e5", "d7d5", "e5d6", "f8g7", "d6c7", "g8f6", "c7d8q", "e8g8", "d8f8", "f6e4", "f8g8"];

pub fn built_in() -> Script {
    Script::from_uci(&MOVES).expect("the moves are a constant")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{PieceType, Position};

    #[test]
    fn the_game_has_everything() {
        let script = built_in();
        assert_eq!(script.check(), Ok(()));
        let mut position = Position::start();
        let (mut captures, mut castlings, mut en_passant, mut promotions, mut king_fell) = (0, 0, 0, 0, false);
        for ply in 0..MOVES.len() as u16 {
            let mv = script.at(ply).expect("a move");
            let side = position.side(position.turn());
            let piece = side.piece(mv.from);
            castlings += u32::from(side.castling_wing(&mv).is_some());
            promotions += u32::from(mv.promotion.is_some());
            let played = position.play(&mv).expect("legal");
            captures += u32::from(played.capture.is_some());
            let beside = played.capture.is_some_and(|square| square != mv.to);
            en_passant += u32::from(piece == Some(PieceType::Pawn) && beside);
            king_fell = played.king_fell;
        }
        assert_eq!((captures, castlings, en_passant, promotions, king_fell), (5, 1, 1, 1, true));
    }
}
