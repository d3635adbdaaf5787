//! What is public of a mover and its boards, in cells: all that the board and the move's geometry lean on.

use crate::gadget::{Cell, Context};

/// A mover's public inputs, and what follows from them at once.
pub struct Mover {
    /// The commitment before the move, `C`.
    pub commitment: Cell,
    /// The square on which a piece of the mover's was captured, 64 for none.
    pub pending: Cell,
    /// The commitment after the move, `C'`.
    pub next_commitment: Cell,
    /// The mover's color, which whoever verifies makes 0 or 1.
    pub color: Cell,
    /// `1 − 2·color`: the rank step of the mover's pawns.
    pub up: Cell,
}

impl Mover {
    pub fn new(cx: &mut Context<'_>, commitments: [Cell; 2], pending: Cell, color: Cell) -> Self {
        let [commitment, next_commitment] = commitments;
        let up = cx.linear(&[(-2, color)], 1);
        Self { commitment, pending, next_commitment, color, up }
    }
}
