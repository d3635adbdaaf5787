//! The lists that a move is proven by, from what the move's message says; prover and verifier make them alike.

use super::{Chain, open_code};
use crate::andos::{
    packet::{BITS, Form, PACKET, SQUARE, SQUARES, Source},
    public_key::PublicKey,
};
use rules::PieceType;

/// Squares that a swap leaves as they are.
pub const KEPT: usize = SQUARES - 2;
/// Squares of the last rank.
pub const RANK: usize = 8;
/// Types that a pawn may become.
pub const TYPES: usize = PieceType::PROMOTIONS.len();

/// Bytes of a swap: the packet after it, the codes of the squares that stay, the code that moves.
pub const SWAP: usize = PACKET + (KEPT + 1) * SQUARE;
/// Bytes of a retyping: the last rank after it, the spare pair, the eight equal codes, the types.
pub const RETYPING: usize = (RANK + 2 + RANK + TYPES) * SQUARE;

/// Pairs of a whole board.
pub const BOARD: Form = Form { squares: SQUARES, bits: 2 * BITS, flips: false };
/// Pairs of the last rank and the spare one.
pub const LAST_RANK: Form = Form { squares: RANK + 1, bits: 2 * BITS, flips: false };
pub const OF_TYPES: Form = Form { squares: TYPES, bits: BITS, flips: false };

/// A list and what it is proven to come from.
pub struct Claim {
    /// What it is made from.
    pub first: Source,
    pub second: Source,
}

impl Claim {
    /// Of the bytes of both; `None` for what are no elements.
    pub fn new(key: &PublicKey, form: Form, first: &[u8], second: &[u8]) -> Option<Self> {
        Some(Self { first: Source::new(key, form, first)?, second: Source::new(key, form, second)? })
    }
}

/// Squares of two equally long lists, in turn.
pub fn pairs(first: &[u8], second: &[u8]) -> Vec<u8> {
    first.chunks(SQUARE).zip(second.chunks(SQUARE)).flat_map(|(a, b)| [a, b].concat()).collect()
}

/// That `swap` says how a packet becomes the next one, which it begins with. `None` for what are no elements.
pub fn swap(key: &PublicKey, packet: &[u8], swap: &[u8]) -> Option<Claim> {
    let (next, codes) = swap.split_at(PACKET);
    let (kept, moved) = codes.split_at(KEPT * SQUARE);
    let empty = open_code(key, 0);
    let claimed = [&pairs(kept, kept), moved, &empty, &empty, moved].concat();
    Claim::new(key, BOARD, &pairs(packet, next), &claimed)
}

/// That `retyping` says how the last rank of a packet becomes another, which it begins with; and that its types are the four.
pub fn retyping(key: &PublicKey, rank: &[u8], retyping: &[u8]) -> Option<[Claim; 2]> {
    let (next, rest) = retyping.split_at(RANK * SQUARE);
    let (spare, rest) = rest.split_at(2 * SQUARE);
    let (kept, types) = rest.split_at(RANK * SQUARE);
    let claimed = [&pairs(kept, kept), &open_code(key, PieceType::Pawn.code())[..], &types[..SQUARE]].concat();
    let ranks = Claim::new(key, LAST_RANK, &[&pairs(rank, next), spare].concat(), &claimed)?;
    let allowed: Vec<u8> = PieceType::PROMOTIONS.iter().flat_map(|piece| open_code(key, piece.code())).collect();
    Some([ranks, Claim::new(key, OF_TYPES, &allowed, types)?])
}

/// The chain after two swaps and a retyping.
pub fn next(chain: &Chain, last_swap: &[u8], retyping: &[u8]) -> Chain {
    let mut packet = last_swap[..PACKET].to_vec();
    let rank = chain.last_rank();
    packet[rank.start * SQUARE..rank.end * SQUARE].copy_from_slice(&retyping[..RANK * SQUARE]);
    Chain { color: chain.color, packet }
}

/// The last rank of a packet.
pub fn rank<'a>(chain: &Chain, packet: &'a [u8]) -> &'a [u8] {
    let rank = chain.last_rank();
    &packet[rank.start * SQUARE..rank.end * SQUARE]
}
