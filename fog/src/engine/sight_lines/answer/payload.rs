//! What a step, a leap or a pawn sees, as small numbers (protocol "Encodings": Payloads).
//!
//! `board` is the sender's side with its own captured square removed; the viewer is a piece of the other color.

use crate::{
    commitment::{TYPE_BITS, type_number},
    engine::Phase,
    engine::sight_lines::geometry::{AHEAD_BIT, EN_PASSANT_BIT, knight_target, step},
};
use rules::{
    Side, Square,
    geometry::{PAWN_SIDES, ahead, pawn_attacks},
};

/// The types on targets, 3 bits each; a target off the board is 0.
fn targets(board: &Side, targets: impl Iterator<Item = Option<Square>>) -> u64 {
    targets.enumerate().fold(0, |sum, (index, target)| {
        let kind = target.map_or(0, |square| type_number(board, square));
        sum | u64::from(kind) << (TYPE_BITS * index)
    })
}

/// What a knight on `square` sees.
pub fn knight_payload(board: &Side, square: Square) -> u64 {
    targets(board, (0..8).map(|index| knight_target(square, index)))
}

/// What a king on `square` sees.
pub fn king_payload(board: &Side, square: Square) -> u64 {
    targets(board, (0..8).map(|d| step(square, d)))
}

/// What a pawn on `square` sees; en passant only before the receiver's move.
pub fn pawn_payload(board: &Side, square: Square, phase: Phase) -> u64 {
    let viewer = !board.color;
    let blocked = ahead(square, viewer).is_some_and(|front| type_number(board, front) != 0);
    let mut value = targets(board, pawn_attacks(square, viewer).into_iter()) | u64::from(blocked) << AHEAD_BIT;
    if phase == Phase::Pre && square.rank() == board.color.double_push_rank() {
        for (bit, file) in PAWN_SIDES.into_iter().enumerate() {
            let neighbour = square.offset(file, 0).map(|neighbour| neighbour.file());
            if neighbour.is_some() && neighbour == board.double_push {
                value |= 1 << (EN_PASSANT_BIT + bit);
            }
        }
    }
    value
}
