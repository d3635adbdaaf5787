//! The mover's state before and after the move (protocol section 4).
//!
//! Only the new types are decoded square by square: they are the choices of the next request. The old packed state follows from the new one by
//! undoing the move, with the squares that changed read to hold what a legal move leaves there. So each old type is a number in 0..8 too, and
//! the committed state has no other decoding.

use ff::Field;
use halo2curves::bn256::Fr;
use rules::{Color, PieceType, castling::Wing, side::SINCE_PAWN_MAX};

use super::{move_flags::MoveFlags, move_witness::MoveWitness, mover::Mover, square_flags::SquareFlags};
use crate::gadget::{
    Cell, Context, power,
    state::{commit, pack_extras, pack_state, pack_types},
};

/// Proves that `C` opens to the state before the move and `C'` to the one after it, whose types `next_types` are.
pub fn constrain(cx: &mut Context<'_>, mover: &Mover, w: &MoveWitness, flags: &MoveFlags, next_types: &[Cell; 64]) {
    let from = SquareFlags::at(cx, flags.from_file, flags.from_rank);
    let to = SquareFlags::at(cx, flags.to_file, flags.to_rank);
    let pending = SquareFlags::maybe(cx, mover.pending, w.pending);
    let boards = Boards { mover, w, flags, next_types, from, to, pending };

    let placed = boards.placed(cx);
    let changes = [boards.moved_away(cx), boards.arrived(cx, placed), boards.captured(cx), boards.castled(cx)];
    let next_packed = pack_types(cx, next_types);
    let packed = cx.linear(&[(1, next_packed), (1, changes[0]), (1, changes[1]), (1, changes[2])], 0);
    let packed = cx.add(packed, changes[3]);
    let [extras, next_extras] = boards.extras(cx);

    let state = pack_state(cx, packed, extras);
    let commitment = commit(cx, state, w.salts[0]);
    cx.equal("T1.commitment", commitment, mover.commitment);
    let state = pack_state(cx, next_packed, next_extras);
    let commitment = commit(cx, state, w.salts[1]);
    cx.equal("T21.next_commitment", commitment, mover.next_commitment);
}

/// A move between two boards.
struct Boards<'a> {
    mover: &'a Mover,
    w: &'a MoveWitness,
    flags: &'a MoveFlags,
    next_types: &'a [Cell; 64],
    from: SquareFlags,
    to: SquareFlags,
    pending: SquareFlags,
}

/// Each change that the move makes, as what it adds to the packed types when it is undone.
impl Boards<'_> {
    /// The piece that the move leaves on its target: a pawn on the last rank, and no other piece, becomes knight, bishop, rook or queen.
    fn placed(&self, cx: &mut Context<'_>) -> Cell {
        let to_last = cx.linear(&[(1, self.flags.to_rank), (7, self.mover.color)], -7);
        let on_last = cx.is_zero(to_last);
        let promotes = cx.mul(on_last, self.flags.is(PieceType::Pawn));
        let which = cx.free_bits(Fr::from(u64::from(self.w.promotion)), 2);
        let promoted = cx.linear(&[(1, which[0]), (2, which[1])], 2);
        cx.select(promotes, promoted, self.flags.moved)
    }

    /// The moved piece stood on `from`, where nothing stands now.
    fn moved_away(&self, cx: &mut Context<'_>) -> Cell {
        let (flags, pending) = (self.flags, self.mover.pending);
        let left = self.from.read(cx, self.next_types);
        cx.equal("T21.from_empty", left, cx.zero);
        // A captured piece moves no more: its type would be added to the mover's.
        let number = cx.linear(&[(1, flags.from_file), (8, flags.from_rank), (-1, pending)], 0);
        cx.assert_nonzero("T3.not_captured", number);
        let weight = self.from.weight(cx);
        cx.mul(weight, flags.moved)
    }

    /// Nothing stood on `to`, where the placed piece stands now.
    fn arrived(&self, cx: &mut Context<'_>, placed: Cell) -> Cell {
        let there = self.to.read(cx, self.next_types);
        cx.equal("T4.arrived", there, placed);
        let weight = self.to.weight(cx);
        let gained = cx.mul(weight, placed);
        cx.linear(&[(-1, gained)], 0)
    }

    /// Some piece stood on the pending square, where nothing stands now unless the move went there.
    fn captured(&self, cx: &mut Context<'_>) -> Cell {
        let there = self.pending.read(cx, self.next_types);
        let to = cx.linear(&[(1, self.flags.to_file), (8, self.flags.to_rank)], 0);
        let entered = cx.is_equal(to, self.mover.pending);
        let not_entered = cx.not(entered);
        cx.assert_zero_product("T2.removed", not_entered, there);
        let bits = cx.free_bits(Fr::from(u64::from(self.w.removed)), 3);
        let removed = cx.number(&bits);
        let weight = self.pending.weight(cx);
        cx.mul(weight, removed)
    }

    /// Castling takes the rook from its corner to the king's other side.
    fn castled(&self, cx: &mut Context<'_>) -> Cell {
        let rook = cx.constant(PieceType::Rook as u64);
        let mut terms = Vec::with_capacity(4);
        for (wing, flag) in Wing::ALL.into_iter().zip(self.flags.wings) {
            let black = cx.mul(flag, self.mover.color);
            let white = cx.sub(flag, black);
            for (color, flag) in [(Color::White, white), (Color::Black, black)] {
                let [corner, beside] = [wing.rook_from(color), wing.rook_to(color)].map(|s| s.index());
                cx.assert_zero_product("T8.corner_empty", flag, self.next_types[corner]);
                cx.assert_equal_if("T8.rook_placed", flag, self.next_types[beside], rook);
                let weight = |s: usize| Fr::from(PieceType::Rook as u64) * power(8, s);
                terms.push((weight(corner) - weight(beside), flag));
            }
        }
        cx.linear_field(&terms, Fr::ZERO)
    }

    /// What stands above the types in the packed state, before and after: rights, the double push's file, the counter.
    fn extras(&self, cx: &mut Context<'_>) -> [Cell; 2] {
        let [rights, next_rights] = self.rights(cx);
        let [push, next_push] = double_pushes(cx, self.w, self.flags);
        let [counter, next_counter] = counters(cx, self.w, self.flags);
        [pack_extras(cx, rights, push, counter), pack_extras(cx, next_rights, next_push, next_counter)]
    }

    /// Castling rights before and after: a capture in the corner takes one away before the move, the move of king or rook after it.
    fn rights(&self, cx: &mut Context<'_>) -> [[Cell; 2]; 2] {
        let king_moves = cx.add(self.flags.is(PieceType::King), self.flags.castle);
        let king_stays = cx.not(king_moves);
        let rights = [0, 1].map(|i| {
            let wing = Wing::ALL[i];
            let right = cx.boolean(self.w.rights[i]);
            let taken = self.pending.is_corner(cx, self.mover, wing);
            let kept = cx.not(taken);
            let applied = cx.mul(right, kept);
            cx.assert_equal_if("T8.right", self.flags.wings[i], applied, cx.one);
            let leaves = self.from.is_corner(cx, self.mover, wing);
            let stays = cx.not(leaves);
            let next = cx.mul(applied, king_stays);
            [right, cx.mul(next, stays)]
        });
        [0, 1].map(|after| rights.map(|right| right[after]))
    }
}

/// The double push's file, 1 to 8, or 0 for none: before the move and after it.
fn double_pushes(cx: &mut Context<'_>, w: &MoveWitness, flags: &MoveFlags) -> [Cell; 2] {
    let bits = cx.free_bits(Fr::from(u64::from(w.double_push)), 4);
    let push = cx.number(&bits);
    // 8 for file h, and nothing above it.
    let lower = cx.sum(&bits[..3]);
    cx.assert_zero_product("T1.double_push_file", bits[3], lower);
    let file = cx.linear(&[(1, flags.from_file)], 1);
    [push, cx.mul(flags.pawn[1], file)]
}

/// Moves since a pawn's, before and after; the counter stops at its greatest value.
fn counters(cx: &mut Context<'_>, w: &MoveWitness, flags: &MoveFlags) -> [Cell; 2] {
    let bits = cx.free_bits(Fr::from(u64::from(w.since_pawn)), 7);
    let counter = cx.number(&bits);
    let room = cx.linear(&[(1, counter)], -i64::from(SINCE_PAWN_MAX));
    let full = cx.is_zero(room);
    let more = cx.linear(&[(1, counter), (-1, full)], 1);
    let no_pawn = cx.not(flags.is(PieceType::Pawn));
    [counter, cx.mul(no_pawn, more)]
}
