//! The board of a vector: the state that the commitment opens to, less the piece on the captured square (protocol section 4), its ranks counted
//! from the receiver's side.
//!
//! Castling rights and the counter are opened with the rest, and play no part.

use engines::bfv::{encrypted::BoardInputs, vector::Kind};
use fog::commitment::TYPE_BITS;
use rules::Square;

use super::witness::Witness;
use crate::gadget::{Cell, Context, Label, state::State};

/// The squares and "nowhere".
pub const PENDINGS: usize = 65;

/// The bindings that open a board.
pub struct Labels {
    /// A double push is of one file, or of none.
    pub double_push: Label,
    /// One square is the captured one, or none.
    pub pending: Label,
}

/// A board as the receiver's lines cross it.
pub struct Board {
    /// The commitment `C` to the board.
    pub commitment: Cell,
    /// The captured square, or 64.
    pub pending: Cell,
    pub color: Cell,
    /// 1 before the receiver's move.
    pub pre: Cell,
    /// The bits of what stands on each square as it is committed: the captured piece too, and ranks as they are.
    pub committed: Vec<[Cell; TYPE_BITS]>,
    /// What stands on each square.
    pub men: Vec<Man>,
    /// For each file whether the last move was a double push on it.
    pub pushes: Vec<Cell>,
}

/// What stands on a square.
#[derive(Clone, Copy)]
pub struct Man {
    /// The bits of its type.
    pub bits: [Cell; TYPE_BITS],
    /// 1 if none of both lower bits is set.
    pub neither: Cell,
}

impl Board {
    /// Opens the commitment, removes the captured piece, and mirrors the board for a Black receiver.
    pub fn open(cx: &mut Context<'_>, kind: Kind, labels: &Labels, w: &Witness) -> Self {
        let state = State::open(cx, labels.double_push, &w.state);
        let removed = cx.one_hot(labels.pending, (0..PENDINGS).map(|square| square == w.pending));
        let pending = cx.index(&removed, 1);
        let color = cx.boolean(w.is_black);
        let pre = cx.boolean(w.is_pre);
        let mirrored = match kind {
            // The receiver is the other player.
            Kind::Item => cx.not(color),
            Kind::View => color,
        };
        let squares = state.types.iter().zip(&removed);
        let left: Vec<_> =
            squares.map(|(bits, &removed)| bits.map(|bit| cx.bilinear([-1, 1, 0, 0], bit, removed))).collect();
        let men = Square::all().map(|square| {
            let [here, there] = [square, square.mirrored()].map(|square| left[square.index()]);
            let bits = std::array::from_fn(|i| cx.select(mirrored, there[i], here[i]));
            Man { bits, neither: cx.bilinear([1, -1, -1, 1], bits[0], bits[1]) }
        });
        let men = men.collect();
        let (commitment, committed) = (state.commitment, state.types);
        Self { commitment, pending, color, pre, committed, men, pushes: state.pushes[1..].to_vec() }
    }

    /// What stands on a square.
    pub fn man(&self, square: Square) -> Man {
        self.men[square.index()]
    }

    pub fn inputs(&self) -> Vec<Cell> {
        let Self { commitment, pending, color, pre, .. } = *self;
        BoardInputs { commitment, pending, color, pre }.to_array().to_vec()
    }
}
