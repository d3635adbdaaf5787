//! The statement *turn*: a legal move, and the request for the sight after it (protocol section 7, on chain at every ply).
//!
//! A move needs only the sight of the piece that moves (castling: of the rook), so the private part opens at most 8 squares.
//! What the statement proves is legality relative to the posted roots. The opening plies 0 and 1 skip sight altogether; that
//! nothing can be met there is the contract's business, which fixes the first commitments.

mod check;
mod gather;
pub mod plan;

pub use super::opened::{Opened, TurnSight};
pub use check::{MoveEffect, check};
#[cfg(feature = "testing")]
pub(crate) use gather::assemble;
pub use gather::{TurnDraft, gather};

use crate::{
    F,
    curve::{FogKey, Scalar},
    engine::sight_lines::context::square_field,
    word::{to_small, to_word},
};
use rules::{Color, Move, Side, Square};

public_inputs! {
    /// The public inputs of *turn*, one field element each (Solidity: `TurnInputs`). A square is 0 to 63, and 64 for none; a flag is 0 or 1.
    TurnInputs, TURN_INPUTS of TurnPublic:
    /// The mover's commitment before the move, `C`.
    commitment,
    /// The square on which the mover's piece was captured by the last move.
    pending,
    /// The mover's commitment after the move, `C'`.
    next_commitment,
    /// The root of the mover's request for the sight it moves by; 0 in the opening plies.
    request_root,
    /// The root of the opponent's answer to it; 0 in the opening plies.
    answer_root,
    /// `ctx`, which that answer is bound to; 0 in the opening plies.
    context,
    /// The opponent's fog key.
    fog_key_x,
    /// The opponent's fog key.
    fog_key_y,
    /// The root of the mover's request for the board after the move.
    next_request_root,
    /// The mover's color: 0 white, 1 black.
    color,
    /// Whether this is ply 0 or 1.
    opening,
    /// The square on which the move captures (en passant: the captured pawn's).
    capture,
    /// Whether the captured piece is a king.
    king_fell,
}

/// The largest number of opened squares: a slider that crosses the board, or a queen's side castling, and the viewer.
pub const MAX_OPENED: usize = 8;

statement! {
    /// *turn*: a move, by what is committed and was answered.
    TurnStatement: TurnPublic, TurnPrivate
}

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
    pub color: Color,
    /// Whether this is ply 0 or 1.
    pub opening: bool,
    /// The square on which the move captures (en passant: the captured pawn's).
    pub capture: Option<Square>,
    /// Whether the captured piece is a king.
    pub king_fell: bool,
}

impl TurnPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> TurnInputs<F> {
        let (fog_key_x, fog_key_y) = self.fog_key.xy();
        TurnInputs {
            commitment: self.commitment,
            pending: square_field(self.pending),
            next_commitment: self.next_commitment,
            request_root: self.request_root,
            answer_root: self.answer_root,
            context: self.ctx,
            fog_key_x,
            fog_key_y,
            next_request_root: self.next_request_root,
            color: F::from(self.color as u64),
            opening: F::from(self.opening),
            capture: square_field(self.capture),
            king_fell: F::from(self.king_fell),
        }
    }

    /// What public inputs in order say, as the contract has them; `None` of those that no move has.
    pub fn from_instance(instance: [F; TURN_INPUTS]) -> Option<Self> {
        let inputs = TurnInputs::from_array(instance);
        let flag = |value| to_small(value, 1).map(|bit| bit == 1);
        let square = |value| match to_small(value, 7)? {
            64 => Some(None),
            index => Some(Some(Square::new(index as u8)?)),
        };
        let fog_key = [inputs.fog_key_x, inputs.fog_key_y].map(|coordinate| to_word(&coordinate));
        Some(Self {
            commitment: inputs.commitment,
            pending: square(inputs.pending)?,
            next_commitment: inputs.next_commitment,
            request_root: inputs.request_root,
            answer_root: inputs.answer_root,
            ctx: inputs.context,
            fog_key: FogKey::from_bytes(fog_key.as_flattened().try_into().ok()?).ok()?,
            next_request_root: inputs.next_request_root,
            color: if flag(inputs.color)? { Color::Black } else { Color::White },
            opening: flag(inputs.opening)?,
            capture: square(inputs.capture)?,
            king_fell: flag(inputs.king_fell)?,
        })
    }
}

/// What only the mover knows.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnPrivate {
    /// The committed state, before the removal of the piece on the pending square.
    pub side: Side,
    pub salt: F,
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

crate::wiped_on_drop!(TurnPrivate: salt, next_salt, next_scalars = [Scalar::zero(); 64]);
