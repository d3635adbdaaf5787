//! The mover's state before and after the move (protocol section 4).
//!
//! Only the new types are decoded square by square: they are the choices of the next request. The old packed state follows from the new one by
//! undoing the move, with the squares that changed read to hold what a legal move leaves there. So each old type is a number in 0..8 too, and
//! the committed state has no other decoding.

use ff::Field;
use halo2curves::bn256::Fr;
use rules::{Color, PieceType, castling::Wing, side::SINCE_PAWN_MAX};

use super::{labels as label, public::Public, square_flags::SquareFlags, step::Step, witness::Witness};
use crate::gadget::{
    Cell, Context,
    state::{commit, pack_extras, pack_state, pack_types},
};

/// Proves that `C` opens to the state before the move and `C'` to the one after it, whose types `next_types` are.
pub fn constrain(cx: &mut Context<'_>, public: &Public, w: &Witness, step: &Step, next_types: &[Cell; 64]) {
    let from = SquareFlags::at(cx, step.from_file, step.from_rank);
    let to = SquareFlags::at(cx, step.to_file, step.to_rank);
    let pending = SquareFlags::maybe(cx, public.inputs.pending, w.pending);

    let placed = placed(cx, public, w, step);
    let changes = [
        moved_away(cx, public, step, &from, next_types),
        arrived(cx, &to, placed, next_types),
        captured(cx, public, w, step, &pending, next_types),
        castled(cx, public, step, next_types),
    ];
    let next_packed = pack_types(cx, next_types);
    let packed = cx.linear(&[(1, next_packed), (1, changes[0]), (1, changes[1]), (1, changes[2])], 0);
    let packed = cx.add(packed, changes[3]);
    let [extras, next_extras] = extras(cx, public, w, step, &from, &pending);

    let state = pack_state(cx, packed, extras);
    let commitment = commit(cx, state, w.salts[0]);
    cx.equal(label::T1_COMMITMENT, commitment, public.inputs.commitment);
    let state = pack_state(cx, next_packed, next_extras);
    let commitment = commit(cx, state, w.salts[1]);
    cx.equal(label::T21_NEXT_COMMITMENT, commitment, public.inputs.next_commitment);
}

/// The piece that the move leaves on its target: a pawn on the last rank, and no other piece, becomes knight, bishop, rook or queen.
fn placed(cx: &mut Context<'_>, public: &Public, w: &Witness, step: &Step) -> Cell {
    let to_last = cx.linear(&[(1, step.to_rank), (7, public.inputs.color)], -7);
    let on_last = cx.is_zero(to_last);
    let promotes = cx.mul(on_last, step.is(PieceType::Pawn));
    let which = cx.free_bits(Fr::from(u64::from(w.promotion)), 2);
    let promoted = cx.linear(&[(1, which[0]), (2, which[1])], 2);
    cx.select(promotes, promoted, step.moved)
}

/// The moved piece stood on `from`, where nothing stands now.
fn moved_away(cx: &mut Context<'_>, public: &Public, step: &Step, from: &SquareFlags, next_types: &[Cell; 64]) -> Cell {
    let left = from.read(cx, next_types);
    cx.equal(label::T21_FROM_EMPTY, left, cx.zero);
    // A captured piece moves no more: its type would be added to the mover's.
    let number = cx.linear(&[(1, step.from_file), (8, step.from_rank), (-1, public.inputs.pending)], 0);
    cx.assert_nonzero(label::T3_NOT_CAPTURED, number);
    let weight = from.weight(cx);
    cx.mul(weight, step.moved)
}

/// Nothing stood on `to`, where the placed piece stands now.
fn arrived(cx: &mut Context<'_>, to: &SquareFlags, placed: Cell, next_types: &[Cell; 64]) -> Cell {
    let there = to.read(cx, next_types);
    cx.equal(label::T4_ARRIVED, there, placed);
    let weight = to.weight(cx);
    let gained = cx.mul(weight, placed);
    cx.linear(&[(-1, gained)], 0)
}

/// Some piece stood on the pending square, where nothing stands now unless the move went there.
fn captured(
    cx: &mut Context<'_>,
    public: &Public,
    w: &Witness,
    step: &Step,
    pending: &SquareFlags,
    next_types: &[Cell; 64],
) -> Cell {
    let there = pending.read(cx, next_types);
    let to = cx.linear(&[(1, step.to_file), (8, step.to_rank)], 0);
    let entered = cx.is_equal(to, public.inputs.pending);
    let not_entered = cx.not(entered);
    cx.assert_zero_product(label::T2_REMOVED, not_entered, there);
    let bits = cx.free_bits(Fr::from(u64::from(w.removed)), 3);
    let removed = cx.number(&bits);
    let weight = pending.weight(cx);
    cx.mul(weight, removed)
}

/// Castling takes the rook from its corner to the king's other side.
fn castled(cx: &mut Context<'_>, public: &Public, step: &Step, next_types: &[Cell; 64]) -> Cell {
    let rook = cx.constant(PieceType::Rook as u64);
    let mut terms = Vec::with_capacity(4);
    for (wing, flag) in Wing::ALL.into_iter().zip(step.wings) {
        let black = cx.mul(flag, public.inputs.color);
        let white = cx.sub(flag, black);
        for (color, flag) in [(Color::White, white), (Color::Black, black)] {
            let [corner, beside] = [wing.rook_from(color), wing.rook_to(color)].map(|s| s.index());
            cx.assert_zero_product(label::T8_CORNER_EMPTY, flag, next_types[corner]);
            cx.assert_equal_if(label::T8_ROOK_PLACED, flag, next_types[beside], rook);
            let weight = |s: usize| Fr::from(PieceType::Rook as u64) * Fr::from(8).pow([s as u64]);
            terms.push((weight(corner) - weight(beside), flag));
        }
    }
    cx.linear_field(&terms, Fr::ZERO)
}

/// What stands above the types in the packed state, before and after: rights, the double push's file, the counter.
fn extras(
    cx: &mut Context<'_>,
    public: &Public,
    w: &Witness,
    step: &Step,
    from: &SquareFlags,
    pending: &SquareFlags,
) -> [Cell; 2] {
    let [rights, next_rights] = rights(cx, public, w, step, from, pending);
    let [push, next_push] = double_pushes(cx, w, step);
    let [counter, next_counter] = counters(cx, w, step);
    [pack_extras(cx, rights, push, counter), pack_extras(cx, next_rights, next_push, next_counter)]
}

/// Castling rights before and after: a capture in the corner takes one away before the move, the move of king or rook after it.
fn rights(
    cx: &mut Context<'_>,
    public: &Public,
    w: &Witness,
    step: &Step,
    from: &SquareFlags,
    pending: &SquareFlags,
) -> [[Cell; 2]; 2] {
    let king_moves = cx.add(step.is(PieceType::King), step.castle);
    let king_stays = cx.not(king_moves);
    let rights = [0, 1].map(|i| {
        let wing = Wing::ALL[i];
        let right = cx.boolean(w.rights[i]);
        let taken = pending.is_corner(cx, public, wing);
        let kept = cx.not(taken);
        let applied = cx.mul(right, kept);
        cx.assert_equal_if(label::T8_RIGHT, step.wings[i], applied, cx.one);
        let leaves = from.is_corner(cx, public, wing);
        let stays = cx.not(leaves);
        let next = cx.mul(applied, king_stays);
        [right, cx.mul(next, stays)]
    });
    [0, 1].map(|after| rights.map(|right| right[after]))
}

/// The double push's file, 1 to 8, or 0 for none: before the move and after it.
fn double_pushes(cx: &mut Context<'_>, w: &Witness, step: &Step) -> [Cell; 2] {
    let bits = cx.free_bits(Fr::from(u64::from(w.double_push)), 4);
    let push = cx.number(&bits);
    // 8 for file h, and nothing above it.
    let lower = cx.sum(&bits[..3]);
    cx.assert_zero_product(label::T1_DOUBLE_PUSH_FILE, bits[3], lower);
    let file = cx.linear(&[(1, step.from_file)], 1);
    [push, cx.mul(step.pawn[1], file)]
}

/// Moves since a pawn's, before and after; the counter stops at its greatest value.
fn counters(cx: &mut Context<'_>, w: &Witness, step: &Step) -> [Cell; 2] {
    let bits = cx.free_bits(Fr::from(u64::from(w.since_pawn)), 7);
    let counter = cx.number(&bits);
    let room = cx.linear(&[(1, counter)], -i64::from(SINCE_PAWN_MAX));
    let full = cx.is_zero(room);
    let more = cx.linear(&[(1, counter), (-1, full)], 1);
    let no_pawn = cx.not(step.is(PieceType::Pawn));
    [counter, cx.mul(no_pawn, more)]
}
