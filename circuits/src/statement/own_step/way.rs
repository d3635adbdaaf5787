//! No own man stands on a square that the move crosses.
//!
//! Looked at is the board after the move, in which nothing but the mover has come to a new square; so what is empty there was empty before. A castling leaves
//! king and rook where they crossed, and *turn*'s board says what was there before them: of its way only the square beside the queen's rook is left.

use rules::{Color, castling::Wing};

use crate::{
    gadget::{Cell, Context},
    statement::turn::{
        move_flags::{MoveFlags, Viewer},
        move_witness::STEPS,
        mover::Mover,
        square_flags::SquareFlags,
    },
};

/// Squares that a slider crosses at most: all of its way but the last.
const CROSSED: usize = STEPS - 1;

/// Proves that the crossed squares are empty of own men.
pub fn constrain(cx: &mut Context<'_>, mover: &Mover, flags: &MoveFlags, viewer: &Viewer, next_types: &[Cell; 64]) {
    let way = flags.way(cx, mover);
    let straight = cx.not(flags.castle);
    let [_, double, ..] = flags.pawn;
    for number in 0..CROSSED {
        let goes_on = cx.mul(flags.active[number + 1], straight);
        let crossed = if number == 0 { cx.add(goes_on, double) } else { goes_on };
        let at = viewer.after(cx, way, number as i64 + 1);
        // Where nothing is crossed, a1 is read and means nothing.
        let [file, rank] = at.map(|at| cx.mul(crossed, at));
        let there = SquareFlags::at(cx, file, rank).read(cx, next_types);
        cx.assert_zero_product("OS1.crossed_empty", crossed, there);
    }
    let [_, queen_side] = flags.wings;
    let black = cx.mul(queen_side, mover.color);
    let white = cx.sub(queen_side, black);
    let beside = Color::ALL.map(|color| {
        let beside = Wing::QueenSide.between(color).next().expect("a square beside the rook");
        next_types[beside.index()]
    });
    let there = cx.inner_product(&[white, black], &beside);
    cx.equal("OS1.castling", there, cx.zero);
}
