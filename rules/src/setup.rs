//! Whether the pieces and rights that a FEN names make a position of the game (protocol, section 2).
//!
//! Its form is [`fen`](crate::fen)'s. A position that no game could reach, for want of the right promotions say, still
//! makes one; what has no meaning under the rules doesn't.

use thiserror::Error;

use crate::{Color, PieceType, Setup, Side, Square, castling::Wing, fen::RIGHTS};

/// Most men of one color, and most pawns.
const MAX_MEN: usize = 16;
const MAX_PAWNS: usize = 8;

/// Why pieces and rights make no position of the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A side without king: its game is over.
    #[error("{0} has no king")]
    NoKing(Color),
    /// More than one king.
    #[error("{color} has {count} kings instead of one")]
    ManyKings { color: Color, count: usize },
    /// More pawns, or more pieces of all kinds, than a game begins with.
    #[error("{color} has {count} {men}, but a side has at most {most}")]
    ManyMen {
        color: Color,
        count: usize,
        men: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// A pawn on the first or the last rank.
    #[error("a {color} pawn stands on {square}, but pawns stand on ranks 2 to 7 only")]
    PawnRank { color: Color, square: Square },
    /// A castling right whose king or rook isn't at home.
    #[error("the castling right {letter} needs {piece} on {square}")]
    Right {
        /// FEN's letter of the right.
        letter: char,
        /// What is not at home.
        piece: String,
        /// Where it should stand.
        square: Square,
    },
    /// An en-passant square on a rank that the player to move can't capture on.
    #[error("the en-passant square {square} is not on rank {rank}, as it must be with {turn} to move")]
    EnPassantRank {
        square: Square,
        /// The rank, 1 to 8, that it must be on.
        rank: u8,
        /// Who is to move.
        turn: Color,
    },
    /// An en-passant square without the pawn that jumped over it.
    #[error("the en-passant square {square} needs a {color} pawn on {pawn}")]
    EnPassantPawn {
        square: Square,
        color: Color,
        /// Where it should stand.
        pawn: Square,
    },
    /// A piece where a double push went through or began.
    #[error("the en-passant square {square} says that a pawn just left or crossed {blocked}, but a piece stands there")]
    EnPassantBlocked {
        square: Square,
        /// Where the piece stands.
        blocked: Square,
    },
}

impl Setup {
    /// Both sides, white's first, if they make a position of the game.
    pub(crate) fn sides(&self) -> Result<[Side; 2], SetupError> {
        let mut sides = Color::ALL.map(|color| side_of(self, color));
        for side in &sides {
            check_men(side)?;
        }
        check_rights(&sides)?;
        if let Some(square) = self.en_passant {
            check_en_passant(square, self)?;
            sides[(!self.turn).index()].double_push = Some(square.file());
        }
        Ok(sides)
    }
}

fn side_of(setup: &Setup, color: Color) -> Side {
    let mut side = Side::empty(color);
    for (own, man) in side.pieces.iter_mut().zip(setup.board) {
        *own = man.filter(|man| man.0 == color).map(|man| man.1);
    }
    side.rights = setup.rights[color.index()];
    side
}

/// Whether the men of one side could be those of a game. Their provenance (promotions, files of pawns) is not traced.
fn check_men(side: &Side) -> Result<(), SetupError> {
    let color = side.color;
    let count_of = |wanted| side.men().filter(|&(_, piece)| piece == wanted).count();
    match count_of(PieceType::King) {
        0 => return Err(SetupError::NoKing(color)),
        1 => {}
        count => return Err(SetupError::ManyKings { color, count }),
    }
    let is_astray = |&(square, piece): &(Square, _)| piece == PieceType::Pawn && matches!(square.rank(), 0 | 7);
    if let Some((square, _)) = side.men().find(is_astray) {
        return Err(SetupError::PawnRank { color, square });
    }
    let counts = [("pawns", count_of(PieceType::Pawn), MAX_PAWNS), ("pieces", side.men().count(), MAX_MEN)];
    match counts.into_iter().find(|(_, count, most)| count > most) {
        Some((men, count, most)) => Err(SetupError::ManyMen { color, count, men, most }),
        None => Ok(()),
    }
}

fn check_rights(sides: &[Side; 2]) -> Result<(), SetupError> {
    for (color, wing, letter) in RIGHTS {
        let side = &sides[color.index()];
        let home = [
            (PieceType::King, Wing::king_from(color), format!("the {color} king")),
            (PieceType::Rook, wing.rook_from(color), format!("a {color} rook")),
        ];
        let lost = home.into_iter().find(|(piece, square, _)| side.piece(*square) != Some(*piece));
        if let Some((_, square, piece)) = lost.filter(|_| side.rights.has(wing)) {
            return Err(SetupError::Right { letter, piece, square });
        }
    }
    Ok(())
}

fn check_en_passant(square: Square, setup: &Setup) -> Result<(), SetupError> {
    let (turn, color) = (setup.turn, !setup.turn);
    let from = Square::from_coordinates(square.file(), color.pawn_rank());
    let pawn = Square::from_coordinates(square.file(), color.double_push_rank());
    if from.offset(0, color.forward()) != Some(square) {
        // One rank ahead of the pawns' first, counted from 1.
        let rank = color.pawn_rank().saturating_add_signed(color.forward()) + 1;
        return Err(SetupError::EnPassantRank { square, rank, turn });
    }
    if setup.board[pawn.index()] != Some((color, PieceType::Pawn)) {
        return Err(SetupError::EnPassantPawn { square, color, pawn });
    }
    match [square, from].into_iter().find(|s| setup.board[s.index()].is_some()) {
        Some(blocked) => Err(SetupError::EnPassantBlocked { square, blocked }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::Position;

    fn fault(fen: &str) -> String {
        Position::from_fen(fen).expect_err(fen).to_string()
    }

    #[test]
    fn each_fault_is_named() {
        for (fen, expected) in [
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has no king"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings instead of one"),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a white pawn stands on a1, but pawns stand on ranks 2 to 7 only"),
            ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "a black pawn stands on h8, but pawns stand on ranks 2 to 7 only"),
            ("4k3/8/8/8/8/7P/PPPPPPPP/4K3 w - - 0 1", "white has 9 pawns, but a side has at most 8"),
            ("4k3/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1", "black has 17 pieces, but a side has at most 16"),
            ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "the castling right K needs the white king on e1"),
            ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "the castling right Q needs a white rook on a1"),
            ("4k2R/8/8/8/8/8/8/4K3 w k - 0 1", "the castling right k needs a black rook on h8"),
            (
                "4k3/8/8/2p5/8/8/8/4K3 w - c5 0 1",
                "the en-passant square c5 is not on rank 6, as it must be with white to move",
            ),
            (
                "4k3/8/8/2p5/8/8/8/4K3 b - c6 0 1",
                "the en-passant square c6 is not on rank 3, as it must be with black to move",
            ),
            ("4k3/8/8/2P5/8/8/8/4K3 w - c6 0 1", "the en-passant square c6 needs a black pawn on c5"),
            (
                "4k3/2n5/8/2p5/8/8/8/4K3 w - c6 0 1",
                "the en-passant square c6 says that a pawn just left or crossed c7, but a piece stands there",
            ),
        ] {
            assert_eq!(fault(fen), expected, "{fen}");
        }
    }

    #[test]
    fn strange_positions_are_positions() {
        for fen in [
            // The player who just moved stands in check; kings side by side; nine queens.
            "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
            "8/8/8/3Kk3/8/8/8/8 b - - 150 200",
            "4k3/8/8/8/8/8/QQQQQQQQ/3QK3 w - - 0 1",
            "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
        }
    }
}
