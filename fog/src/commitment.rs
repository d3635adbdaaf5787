//! A player's state as one field element, and the commitment to it (protocol section 4, "Encodings": State bits).
//!
//! Own type of square `s` at bits `3s..3s+3`; 192 king-side right; 193 queen-side right; 194 to 197 the file of the own
//! last move if that was a double push (0 none, 1 to 8); 198 to 204 own moves since the own last pawn move, at most 127.
//! `C = H(COMMIT; state, salt)`. The color is not part of the state: it is public.

use crate::{
    F,
    poseidon::{Tag, hash},
};
use ff::Field;
use rules::{Color, Side, Square, side::SINCE_PAWN_MAX};

/// Bits of a square's type.
pub const TYPE_BITS: usize = 3;
/// The bit of the king-side castling right.
pub const KING_SIDE_BIT: usize = 64 * TYPE_BITS;
/// The bit of the queen-side castling right.
pub const QUEEN_SIDE_BIT: usize = KING_SIDE_BIT + 1;
/// The lowest bit of the double push's file.
pub const DOUBLE_PUSH_BIT: usize = QUEEN_SIDE_BIT + 1;
/// The lowest bit of the counter.
pub const COUNTER_BIT: usize = DOUBLE_PUSH_BIT + 4;
/// Bits of a state.
pub const STATE_BITS: usize = COUNTER_BIT + 7;

/// The blinding of a commitment: secret, wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Salt(pub F);

crate::wiped_on_drop!(Salt: 0);

/// The type on a square of a side as a number, 0 for none: also the choice of a request for that square.
pub fn type_number(side: &Side, square: Square) -> u8 {
    side.pieces[square.index()].map_or(0, |piece| piece as u8)
}

/// Whether the numbers of a side fit their bits: a file below 8, a counter of at most 127.
pub fn is_well_formed(side: &Side) -> bool {
    side.double_push.is_none_or(|file| file < 8) && side.since_pawn <= SINCE_PAWN_MAX
}

/// The state of a well-formed side as one field element.
pub fn pack(side: &Side) -> F {
    let mut limbs = [0u64; 4];
    let mut put = |bit: usize, value: u64, width: usize| {
        for offset in 0..width {
            limbs[(bit + offset) / 64] |= (value >> offset & 1) << ((bit + offset) % 64);
        }
    };
    for square in Square::all() {
        let kind = type_number(side, square);
        put(TYPE_BITS * square.index(), kind.into(), TYPE_BITS);
    }
    put(KING_SIDE_BIT, side.rights.king_side.into(), 1);
    put(QUEEN_SIDE_BIT, side.rights.queen_side.into(), 1);
    let push = side.double_push.map_or(0, |file| u64::from(file) + 1);
    put(DOUBLE_PUSH_BIT, push, 4);
    put(COUNTER_BIT, side.since_pawn.into(), 7);
    F::from_raw(limbs)
}

/// `C = H(COMMIT; state, salt)`.
pub fn commit(side: &Side, salt: F) -> F {
    hash(Tag::Commit, pack(side), salt)
}

/// The first commitment of a color: the starting position with salt 0, which everyone can check.
pub fn initial(color: Color) -> F {
    commit(&Side::start(color), F::ZERO)
}
