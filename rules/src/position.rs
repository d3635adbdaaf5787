//! The whole truth of a game (protocol, section 2): both sides at once.
//!
//! No player has it: it is for tests, replays and simulations. What a player may do follows from its own [`Side`] and
//! [`Sight`], here too: a position only makes the sight.

use std::fmt;

use thiserror::Error;

use crate::{CastlingRights, Color, FenError, Move, PieceType, Setup, SetupError, Side, Sight, Square, board};

/// Both sides, who is to move, and the counters of FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    sides: [Side; 2],
    turn: Color,
    halfmove: u32,
    fullmove: u32,
}

/// What a move did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Where a piece was captured; *en passant* the captured pawn's square.
    pub capture: Option<Square>,
    /// Whether that piece was the king, which ends the game.
    pub king_fell: bool,
}

/// A move that is not legal in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{mv} is not a legal move for {turn} here")]
pub struct IllegalMove {
    pub mv: Move,
    /// Whose move it was.
    pub turn: Color,
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// It isn't a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It is one, but makes no sense.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Position {
    /// The start of a game.
    #[must_use]
    pub fn start() -> Self {
        Self { sides: Color::ALL.map(Side::start), turn: Color::White, halfmove: 0, fullmove: 1 }
    }

    /// A FEN, read and checked. A FEN doesn't hold [`Side::since_pawn`], which is 0 for both sides.
    pub fn from_fen(fen: &str) -> Result<Self, PositionError> {
        let setup: Setup = fen.parse()?;
        let Setup { turn, halfmove, fullmove, .. } = setup;
        Ok(Self { sides: setup.sides()?, turn, halfmove, fullmove })
    }

    /// The position's FEN. The square of a double push is named whether or not a pawn can capture there.
    #[must_use]
    pub fn to_fen(&self) -> String {
        self.setup().to_string()
    }

    /// The position as [`Setup`]. Who has lost the king has no right to castle.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let mut board = [None; 64];
        for side in &self.sides {
            for (square, piece) in side.men() {
                board[square.index()] = Some((side.color, piece));
            }
        }
        Setup {
            board,
            turn: self.turn,
            rights: Color::ALL.map(|color| self.side(color)).map(|side| match side.king() {
                Some(_) => side.rights,
                None => CastlingRights::NONE,
            }),
            en_passant: self.side(!self.turn).jumped_square(),
            halfmove: self.halfmove,
            fullmove: self.fullmove,
        }
    }

    /// The pieces and rights of the player of a color.
    #[must_use]
    pub const fn side(&self, color: Color) -> &Side {
        &self.sides[color.index()]
    }

    /// Who is to move.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// What `color` sees of its opponent. Only the player to move sees that it may capture *en passant*.
    #[must_use]
    pub fn sight(&self, color: Color) -> Sight {
        Sight::between(self.side(color), self.side(!color), self.turn == color)
    }

    /// The winner, once a king has fallen.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        let mut colors = Color::ALL.into_iter();
        colors.find(|&color| self.side(!color).king().is_none() && self.side(color).king().is_some())
    }

    /// The legal moves of the player to move; none once a king has fallen.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        match self.winner() {
            Some(_) => Vec::new(),
            None => self.side(self.turn).legal_moves(&self.sight(self.turn)),
        }
    }

    /// Plays a legal move. An illegal one changes nothing.
    pub fn play(&mut self, mv: &Move) -> Result<Played, IllegalMove> {
        if !self.legal_moves().contains(mv) {
            return Err(IllegalMove { mv: *mv, turn: self.turn });
        }
        let mover = self.turn;
        let capture = self.side(mover).capture_square(mv, &self.sight(mover));
        let captured = capture.and_then(|square| self.side(!mover).piece(square));
        let is_pawn = self.side(mover).piece(mv.from) == Some(PieceType::Pawn);
        self.sides[(!mover).index()] = self.side(!mover).without(capture);
        self.sides[mover.index()] = self.side(mover).play(mv);
        self.halfmove = if is_pawn || capture.is_some() { 0 } else { self.halfmove.saturating_add(1) };
        self.fullmove = self.fullmove.saturating_add(u32::from(mover == Color::Black));
        self.turn = !mover;
        Ok(Played { capture, king_fell: captured == Some(PieceType::King) })
    }

    /// What `color` sees, in the oracle's form ([`board::line`]).
    #[must_use]
    pub fn board_string(&self, color: Color) -> String {
        board::line(self.side(color), &self.sight(color))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}
