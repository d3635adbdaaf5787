//! The statement *turn*: a legal move, and the request for the sight after it (protocol section 7, on chain at every ply).
//!
//! A move needs only the sight of the piece that moves (castling: of the rook), so the private part opens at most 8 squares.
//! What the statement proves is legality relative to the posted roots. The opening plies 0 and 1 skip sight altogether; that
//! nothing can be met there is the contract's business, which fixes the first commitments.

mod check;
mod error;
mod gather;
pub mod plan;

pub use check::{Outcome, check};
pub use error::TurnError;
#[cfg(feature = "testing")]
pub(crate) use gather::assemble;
pub use gather::{TurnInputs, TurnSight, gather};

use crate::{
    F,
    curve::{FogKey, Scalar},
    engine::sight_lines::context::square_field,
    merkle::{Path, Record},
    secret::{wipe, wipe_all},
};
use rules::{Color, Move, Side, Square};
use std::fmt;

/// Public inputs of *turn*.
pub const TURN_INPUTS: usize = 13;
/// The largest number of opened squares: a slider that crosses the board, or a queen's side castling, and the viewer.
pub const MAX_OPENED: usize = 8;

/// What everyone sees of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnPublic {
    /// The mover's commitment before the move, `C`.
    pub commitment: F,
    /// The square on which the mover's piece was captured by the last move.
    pub pending: Option<Square>,
    /// The mover's commitment after the move, `C'`.
    pub next_commitment: F,
    /// The root of the mover's request for the sight it moves by; 0 in the opening plies.
    pub request_root: F,
    /// The root of the opponent's answer to it; 0 in the opening plies.
    pub answer_root: F,
    /// What that answer is bound to; 0 in the opening plies.
    pub ctx: F,
    /// The opponent's fog key.
    pub fog_key: FogKey,
    /// The root of the mover's request for the board after the move.
    pub next_request_root: F,
    /// The mover's colour.
    pub color: Color,
    /// Whether this is ply 0 or 1.
    pub opening: bool,
    /// The square on which the move captures (en passant: the captured pawn's).
    pub capture: Option<Square>,
    /// Whether the captured piece is a king.
    pub king_fell: bool,
}

impl TurnPublic {
    /// The public inputs in the protocol's order: `C`, pending, `C'`, requestRoot, answerRoot, ctx, A_opp.x, A_opp.y,
    /// requestRoot', mover's colour, opening, capture, king flag.
    pub fn to_instance(&self) -> [F; TURN_INPUTS] {
        let (x, y) = self.fog_key.xy();
        [
            self.commitment,
            square_field(self.pending),
            self.next_commitment,
            self.request_root,
            self.answer_root,
            self.ctx,
            x,
            y,
            self.next_request_root,
            F::from(self.color as u64),
            F::from(self.opening),
            square_field(self.capture),
            F::from(self.king_fell),
        ]
    }
}

/// One square of the request and of the answer, opened.
#[derive(Clone, PartialEq, Eq)]
pub struct Opened {
    /// The square: the index of both Merkle paths.
    pub square: Square,
    /// `c_s`: the viewer's type; 0 for other squares, except on the pending square, where it is what stood there.
    pub choice: u8,
    /// `r_s`.
    pub scalar: Scalar,
    /// From the leaf of `B_s = r_s·g + c_s·A` to the request's root.
    pub request_path: Path,
    /// The answer's 14 fields.
    pub record: Record,
    /// From the record's leaf to the answer's root.
    pub answer_path: Path,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opened(…)")
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        wipe(&mut self.choice);
        wipe(&mut self.scalar);
    }
}

/// What only the mover knows.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnPrivate {
    /// The committed state, before the removal of the piece on the pending square.
    pub side: Side,
    /// The commitment's salt.
    pub salt: F,
    /// The move.
    pub mv: Move,
    /// The salt of the next commitment.
    pub next_salt: F,
    /// The viewer (the moving piece; castling: the rook in its corner), then outwards from it the squares whose pass is
    /// needed: sliders every crossed square and the target; a double push the square ahead; castling the squares between
    /// rook and king; others none. Empty in the opening plies.
    pub opened: Vec<Opened>,
    /// `r'_s` of the next request.
    pub next_scalars: [Scalar; 64],
}

impl fmt::Debug for TurnPrivate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TurnPrivate(…)")
    }
}

impl Drop for TurnPrivate {
    fn drop(&mut self) {
        wipe(&mut self.salt);
        wipe(&mut self.next_salt);
        wipe_all(&mut self.next_scalars);
    }
}
