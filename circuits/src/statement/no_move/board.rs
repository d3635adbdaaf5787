//! The board of *no move*: the state that the commitment opens to, less the piece on the captured square (protocol section 4), and that no piece
//! but a pawn has a step left.
//!
//! Castling rights, the double push and the counter are opened with the rest, and play no part.

use fog::commitment::TYPE_BITS;
use rules::{
    Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, KNIGHT_STEPS},
};

use super::witness::Witness;
use crate::gadget::{Cell, Context, state::State};

/// The squares and "nowhere".
pub const PENDINGS: usize = 65;

/// What stands on a square, as flags.
#[derive(Clone, Copy, Debug)]
pub struct Man {
    pub empty: Cell,
    pub pawn: Cell,
    pub knight: Cell,
    /// A rook, queen or king: it steps along files and ranks.
    pub orthogonal: Cell,
    /// A bishop, queen or king: it steps along diagonals.
    pub diagonal: Cell,
}

/// The board after the removal.
#[derive(Clone, Debug)]
pub struct Board {
    /// The commitment `C` to the board.
    pub commitment: Cell,
    /// The captured square, or 64.
    pub pending: Cell,
    pub men: Vec<Man>,
}

impl Board {
    /// Opens the commitment and removes the captured piece.
    pub fn open(cx: &mut Context<'_>, w: &Witness) -> Self {
        let state = State::open(cx, "N1.double_push", &w.state);
        let flags = (0..PENDINGS).map(|square| square == w.pending);
        let removed = cx.one_hot("N2.pending", flags);
        let men = state.types.iter().zip(&removed).map(|(&bits, &removed)| Man::new(cx, bits, removed)).collect();
        Self { commitment: state.commitment, pending: cx.index(&removed, 1), men }
    }

    /// Every first step of every piece but pawns leads off the board or onto an own piece: the number of those that lead elsewhere is 0. It
    /// is far below the modulus, so it vanishes only if every term does.
    pub fn assert_no_step(&self, cx: &mut Context<'_>) {
        let (orthogonal, diagonal) = DIRECTIONS.split_at(FIRST_DIAGONAL);
        let mut steps = cx.zero;
        for (square, man) in Square::all().zip(&self.men) {
            let kinds: [(Cell, &[(i8, i8)]); 3] =
                [(man.orthogonal, orthogonal), (man.diagonal, diagonal), (man.knight, &KNIGHT_STEPS)];
            for (kind, offsets) in kinds {
                let targets = offsets.iter().filter_map(|&(file, rank)| square.offset(file, rank));
                let empty: Vec<Cell> = targets.map(|target| self.men[target.index()].empty).collect();
                let empty = cx.sum(&empty);
                steps = cx.mul_add(kind, empty, steps);
            }
        }
        cx.equal("N3.no_step", steps, cx.zero);
    }
}

impl Man {
    /// From a type's bits, unless it is removed. The types are 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king; 7, which no commitment
    /// of a game holds, would be a queen.
    fn new(cx: &mut Context<'_>, bits: [Cell; TYPE_BITS], removed: Cell) -> Self {
        let [b0, b1, b2] = bits.map(|bit| cx.bilinear([-1, 1, 0, 0], bit, removed));
        let low = cx.mul(b0, b1);
        let only_b0 = cx.sub(b0, low);
        let only_b1 = cx.sub(b1, low);
        let pawn = cx.bilinear([-1, 1, 0, 0], only_b0, b2);
        let knight = cx.bilinear([-1, 1, 0, 0], only_b1, b2);
        let neither = cx.bilinear([1, -1, -1, 1], b0, b1);
        let empty = cx.bilinear([-1, 1, 0, 0], neither, b2);
        // At least two of the three bits.
        let one_of_both = cx.add(only_b0, only_b1);
        let diagonal = cx.mul_add(one_of_both, b2, low);
        Self { empty, pawn, knight, orthogonal: b2, diagonal }
    }
}
