//! The public capture is one that the move could make, if the opponent's men stood so.

use crate::{
    gadget::{Cell, Context},
    statement::turn::{move_flags::MoveFlags, mover::Mover},
};

/// Proves that what is captured stands on the target or, *en passant*, beside a pawn on the rank where a double push ends. A pawn's diagonal step captures, its
/// pushes and castlings don't, and of any other move the mover says whether it `takes`.
pub fn constrain(cx: &mut Context<'_>, mover: &Mover, flags: &MoveFlags, capture: Cell, takes: bool) {
    let [single, double, ..] = flags.pawn;
    let may = cx.linear(&[(-1, single), (-1, double), (-1, flags.castle)], 1);
    let takes = cx.boolean(takes);
    let occupied = cx.mul(may, takes);
    let empty = cx.not(occupied);
    let en_passant = cx.mul(flags.pawn_captures, empty);
    // White's pawn stands on the fifth rank, Black's on the fourth.
    let rank = cx.linear(&[(-1, mover.color)], 4);
    cx.assert_equal_if("OS2.en_passant_rank", en_passant, flags.from_rank, rank);
    let captured = flags.captured(cx, occupied, en_passant);
    cx.equal("OS2.capture", captured, capture);
}
