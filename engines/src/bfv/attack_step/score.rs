//! The running score: what each player has captured, in pawns' values. Both players know it from the attack steps alone; it is told to nobody else,
//! since it tells which types were captured.

use rules::{Color, PieceType};

/// What a piece counts. A king's fall ends the game, and counts nothing.
pub const fn value(piece: PieceType) -> u32 {
    match piece {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 0,
    }
}

/// What each player has captured.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Score([u32; 2]);

impl Score {
    /// Adds what a move of `attacker` captured, if anything.
    pub fn add(&mut self, attacker: Color, captured: Option<super::Captured>) {
        self.0[attacker.index()] += captured.map_or(0, |captured| value(captured.piece));
    }

    /// What a player has captured.
    pub fn of(&self, color: Color) -> u32 {
        self.0[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Captured, *};
    use rules::Square;

    /// Why the score isn't told to the public, which knows only the squares of captures: it would tell nearly every type.
    #[test]
    fn a_public_score_would_tell_what_was_captured() {
        let square = Square::all().next().expect("a square");
        let scores = PieceType::ALL.map(|piece| {
            let mut score = Score::default();
            score.add(Color::Black, Some(Captured { square, piece }));
            assert_eq!(score.of(Color::White), 0);
            score.of(Color::Black)
        });
        assert_eq!(scores, [1, 3, 3, 5, 9, 0]);
    }
}
