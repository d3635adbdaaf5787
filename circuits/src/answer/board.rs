//! The sender's board: the state that the commitment opens to, less the piece on its captured square (protocol section 4).
//!
//! Each type is three booleans, so the state has one reading. The castling rights play no part in an answer, so the one that goes with
//! a captured rook needn't be cleared here. A double push is one of nine flags: a state that says another file opens nothing.

use ff::Field;
use fog::{
    commitment::{COUNTER_BIT, DOUBLE_PUSH_BIT, KING_SIDE_BIT, STATE_BITS, TYPE_BITS},
    poseidon::Tag,
};
use halo2curves::bn256::Fr;

use super::{
    desk::{Desk, OneHot},
    witness::Witness,
};
use crate::gadget::Cell;

/// The squares and "nowhere".
pub const PENDINGS: usize = 65;
/// No double push and eight files.
const PUSHES: usize = 9;

/// The sender's board as the receiver may see it.
#[derive(Clone, Debug)]
pub struct Board {
    /// `C`.
    pub commitment: Cell,
    /// The sender's captured square, or 64.
    pub pending: Cell,
    /// By square.
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
    pub fn open(desk: &mut Desk<'_, '_>, witness: &Witness, phase: Cell) -> Self {
        let mut terms: Vec<(Fr, Cell)> = Vec::with_capacity(STATE_BITS);
        let types: Vec<[Cell; TYPE_BITS]> = witness
            .types
            .iter()
            .enumerate()
            .map(|(square, kind)| {
                let bits = std::array::from_fn(|i| desk.boolean(kind >> i & 1 == 1));
                terms.extend((TYPE_BITS * square..).map(power).zip(bits));
                bits
            })
            .collect();
        let push = desk.one_hot(usize::from(witness.double_push), PUSHES);
        let rights = witness.rights.map(|right| desk.boolean(right));
        let counter = counter(witness.since_pawn).map(|bit| desk.boolean(bit));
        terms.extend((KING_SIDE_BIT..).map(power).zip(rights));
        terms.push((power(DOUBLE_PUSH_BIT), push.number));
        terms.extend((COUNTER_BIT..).map(power).zip(counter));
        let state = desk.weigh(desk.zero(), &terms);
        let salt = desk.witness(witness.salt);
        let [commitment, _] = desk.hash(Tag::Commit, state, salt);

        let pending = desk.one_hot(witness.pending_sender, PENDINGS);
        let mut board = Self {
            commitment,
            pending: pending.number,
            types: Vec::with_capacity(64),
            empty: Vec::with_capacity(64),
            occupied: Vec::with_capacity(64),
            pushed: pushed(desk, &push, phase),
        };
        for (bits, &removed) in types.iter().zip(&pending.flags) {
            board.place(desk, *bits, removed);
        }
        board
    }

    /// The next square, from its type's bits.
    fn place(&mut self, desk: &mut Desk<'_, '_>, [b0, b1, b2]: [Cell; TYPE_BITS], removed: Cell) {
        let weights = [1, 2, 4].map(Fr::from);
        let terms: Vec<_> = weights.into_iter().zip([b0, b1, b2]).collect();
        let kind = desk.weigh(desk.zero(), &terms);
        // (1 − b0)(1 − b1), then · (1 − b2); a removed piece leaves an empty square
        let low = desk.bilinear([1, -1, -1, 1], b0, b1);
        let empty = desk.bilinear([-1, 1, 0, 0], low, b2);
        let empty = desk.bilinear([-1, 1, 1, 0], empty, removed);
        self.types.push(desk.bilinear([-1, 1, 0, 0], kind, removed));
        self.empty.push(empty);
        self.occupied.push(desk.not(empty));
    }
}

/// The files of a double push, which en-passant bits tell in phase 0 only.
fn pushed(desk: &mut Desk<'_, '_>, push: &OneHot, phase: Cell) -> Vec<Cell> {
    let files = &push.flags[1..];
    files
        .iter()
        .map(|&file| desk.bilinear([-1, 1, 0, 0], file, phase))
        .collect()
}

fn power(bit: usize) -> Fr {
    Fr::from(2).pow([bit as u64])
}

/// The bits of the counter.
fn counter(value: u8) -> [bool; STATE_BITS - COUNTER_BIT] {
    std::array::from_fn(|i| value >> i & 1 == 1)
}
