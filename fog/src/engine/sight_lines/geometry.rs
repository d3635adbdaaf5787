//! The board as the sight exchange walks it: ray steps, record fields, payload bits (protocol section 5 and "Encodings").
//!
//! The orders of directions and knight steps are those of `rules`; here is only what the encodings add to them.

use rules::{
    Color, Square,
    geometry::{DIRECTIONS, KNIGHT_STEPS},
};

/// Bits of a pawn's payload: two diagonals of 3, the square ahead, two en-passant bits.
pub const PAWN_BITS: usize = 9;
/// Bits of a knight's or king's payload: 8 targets of 3.
pub const TARGET_BITS: usize = 24;
/// The bit that says whether the square ahead of a pawn is occupied.
pub const AHEAD_BIT: usize = 6;
/// The first en-passant bit; the next is the one toward file h.
pub const EN_PASSANT_BIT: usize = 7;

/// Record field of a pawn's ciphertext; fields below 8 are the ray steps.
pub const PAWN_FIELD: usize = 8;
/// Record field of a knight's ciphertext.
pub const KNIGHT_FIELD: usize = 9;
/// Record field of a queen's orthogonal key.
pub const QUEEN_ORTH_FIELD: usize = 10;
/// Record field of a queen's diagonal key.
pub const QUEEN_DIAG_FIELD: usize = 11;
/// Record field of a king's ciphertext.
pub const KING_FIELD: usize = 12;
/// Record field of a double push; on the receiver's captured square, its pass in the clear.
pub const PUSH_FIELD: usize = 13;

/// The next square in direction `d`.
pub fn step(square: Square, d: usize) -> Option<Square> {
    let (file, rank) = DIRECTIONS[d];
    square.offset(file, rank)
}

/// The square that a ray in direction `d` comes from when it enters `square`.
pub fn behind(square: Square, d: usize) -> Option<Square> {
    let (file, rank) = DIRECTIONS[d];
    square.offset(-file, -rank)
}

/// Whether a pawn can stand on a square's rank.
pub fn pawn_may_stand(square: Square) -> bool {
    (1..=6).contains(&square.rank())
}

/// The knight's target number `index`.
pub fn knight_target(square: Square, index: usize) -> Option<Square> {
    let (file, rank) = KNIGHT_STEPS[index];
    square.offset(file, rank)
}

/// Whether a record of a square has field `field` when `receiver` receives: absent fields are 0 and not on the wire.
pub fn is_present(square: Square, field: usize, receiver: Color) -> bool {
    match field {
        0..PAWN_FIELD => behind(square, field).is_some(),
        PAWN_FIELD => pawn_may_stand(square),
        PUSH_FIELD => square.rank() == receiver.pawn_rank(),
        _ => true,
    }
}
