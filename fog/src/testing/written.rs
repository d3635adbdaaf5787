//! A side as bytes, for the proofs of tests, which are the witness itself.

use crate::commitment::type_number;
use rules::{CastlingRights, Color, PieceType, Side, Square};

/// Bytes of a written side: 64 piece codes, two castling rights, the double push's file or 255, the counter.
pub const SIDE_BYTES: usize = 68;

/// A side as bytes, but for its color.
pub fn write_side(side: &Side) -> Vec<u8> {
    let mut bytes: Vec<u8> = Square::all().map(|square| type_number(side, square)).collect();
    bytes.extend([
        side.rights.king_side.into(),
        side.rights.queen_side.into(),
        side.double_push.unwrap_or(u8::MAX),
        side.since_pawn,
    ]);
    bytes
}

/// The side of [`SIDE_BYTES`] bytes.
pub fn read_side(bytes: &[u8], color: Color) -> Side {
    let mut side = Side::empty(color);
    for (piece, code) in side.pieces.iter_mut().zip(bytes) {
        *piece = PieceType::from_code(*code);
    }
    side.rights = CastlingRights { king_side: bytes[64] == 1, queen_side: bytes[65] == 1 };
    side.double_push = (bytes[66] != u8::MAX).then_some(bytes[66]);
    side.since_pawn = bytes[67];
    side
}
