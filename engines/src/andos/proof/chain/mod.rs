//! A player's board as a chain of packets: from the starting position, which everybody can encrypt, each own move leads to the next packet by a
//! proof, and each capture of the opponent's empties a square in the open.
//!
//! A move is proven as two swaps and a retyping, each perhaps of nothing, so that moves, castlings and promotions look the same:
//!
//! - **Swap.** One man goes to a square without own men. The pairs (square before, square after) of all 64 squares are, permuted and
//!   re-randomised, 62 pairs of equal codes, one pair (man, empty) and one (empty, the same man).
//! - **Retyping.** On the last rank one pawn becomes a knight, bishop, rook or queen. The pairs of its eight squares and a spare one are eight
//!   of equal codes and one (pawn, type); the type is one of four, which are in an unknown order those a pawn may become. Without a promotion the
//!   spare pair is that one.
//!
//! Each of the four lists is proven to be what is claimed by [copies](super::copies), with one challenge of the peer for all. So no man appears,
//! changes its type, or stands where another did. *How* men move is not proven.

mod advance;
pub(crate) mod lists;
pub(crate) mod units;
mod verify;

#[cfg(test)]
mod tests;

use crate::andos::{
    packet::{BITS, SQUARE},
    public_key::{PublicKey, to_bytes},
};
use rules::{Color, PieceType, Side, Square};

pub use advance::{Advance, Change};
pub use verify::{Advanced, opening_bytes};

/// A player's packet after some moves, as both players know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    color: Color,
    pub packet: Vec<u8>,
}

/// A code encrypted without randomness, which anybody can do and read.
pub(crate) fn open_code(key: &PublicKey, code: u8) -> Vec<u8> {
    let bits = (0..BITS).map(|bit| [key.one(), key.y()][usize::from(code >> bit & 1)]);
    bits.flat_map(to_bytes).collect()
}

impl Chain {
    pub fn start(key: &PublicKey, color: Color) -> Self {
        let start = Side::start(color);
        let packet = start.pieces.iter().flat_map(|piece| open_code(key, piece.map_or(0, PieceType::code)));
        Self { color, packet: packet.collect() }
    }

    /// After the opponent captured on a square.
    pub fn capture(&mut self, key: &PublicKey, square: Square) {
        self.packet[square.index() * SQUARE..][..SQUARE].copy_from_slice(&open_code(key, 0));
    }

    /// The squares of the last rank, by file.
    fn last_rank(&self) -> std::ops::Range<usize> {
        let first = 8 * usize::from(self.color.promotion_rank());
        first..first + 8
    }
}

/// Bytes of what a move says: two swaps, a retyping, and the digests of four lists' copies.
pub const MESSAGE: usize = 2 * lists::SWAP + lists::RETYPING + 4 * fog::word::WORD;
