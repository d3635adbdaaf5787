//! The sender's board: the state that the commitment opens to, less the piece on its captured square (protocol section 4).
//!
//! The castling rights play no part in an answer, so the one that goes with a captured rook needn't be cleared here.

use fog::commitment::TYPE_BITS;

use super::witness::Witness;
use crate::gadget::{Cell, Context, state::State};

/// The squares and "nowhere".
pub const PENDINGS: usize = 65;
/// The sender's board as the receiver may see it.
#[derive(Clone, Debug)]
pub struct Board {
    /// The commitment `C` to the board.
    pub commitment: Cell,
    /// The sender's captured square, or 64.
    pub pending: Cell,
    pub types: Vec<Cell>,
    /// 1 where nothing stands, by square.
    pub empty: Vec<Cell>,
    /// 1 where something stands, by square.
    pub occupied: Vec<Cell>,
    /// 1 for the file of a double push, in phase 0 only.
    pub pushed: Vec<Cell>,
}

impl Board {
    /// Opens the commitment and removes the captured piece.
    pub fn open(cx: &mut Context<'_>, witness: &Witness, phase: Cell) -> Self {
        let state = State::open(cx, "A1.double_push", &witness.state);
        let flags = (0..PENDINGS).map(|square| square == witness.pending_sender);
        let removed = cx.one_hot("A2.pending", flags);
        let mut board = Self {
            commitment: state.commitment,
            pending: cx.index(&removed, 1),
            types: Vec::with_capacity(64),
            empty: Vec::with_capacity(64),
            occupied: Vec::with_capacity(64),
            pushed: pushed(cx, &state.pushes[1..], phase),
        };
        for (bits, removed) in state.types.into_iter().zip(removed) {
            board.place(cx, bits, removed);
        }
        board
    }

    /// The next square, from its type's bits.
    fn place(&mut self, cx: &mut Context<'_>, [b0, b1, b2]: [Cell; TYPE_BITS], removed: Cell) {
        let kind = cx.number(&[b0, b1, b2]);
        // (1 − b0)(1 − b1), then · (1 − b2); a removed piece leaves an empty square
        let low = cx.bilinear([1, -1, -1, 1], b0, b1);
        let empty = cx.bilinear([-1, 1, 0, 0], low, b2);
        let empty = cx.bilinear([-1, 1, 1, 0], empty, removed);
        self.types.push(cx.bilinear([-1, 1, 0, 0], kind, removed));
        self.empty.push(empty);
        self.occupied.push(cx.not(empty));
    }
}

/// The files of a double push, which en-passant bits tell in phase 0 only.
fn pushed(cx: &mut Context<'_>, files: &[Cell], phase: Cell) -> Vec<Cell> {
    let files = files.iter();
    files.map(|&file| cx.bilinear([-1, 1, 0, 0], file, phase)).collect()
}
