//! What the viewer sees on the squares that the move crosses and enters, and what it captures (protocol section 5, Open).
//!
//! Sliders walk: the payload found on a square is the next square's key, or the type that stands there. Pawns, knights and kings read their
//! own ciphertext. A value means *occupied by t* if it is in 1..=6, and *empty* otherwise.

use fog::{
    engine::sight_lines::geometry::{
        AHEAD_BIT, EN_PASSANT_BIT, KING_FIELD, KNIGHT_FIELD, PAWN_BITS, PAWN_FIELD, PUSH_FIELD, QUEEN_DIAG_FIELD,
        QUEEN_ORTH_FIELD, TARGET_BITS,
    },
    poseidon::Tag,
};
use rules::{PieceType, geometry::DIRECTIONS};

use super::{move_flags::MoveFlags, move_witness::STEPS, opened_square::OpenedSquare, public::Public};
use crate::gadget::{Cell, Context};

/// Proves what the move relies on, and the public capture square and king flag.
pub fn constrain(cx: &mut Context<'_>, public: &Public, flags: &MoveFlags, opened: &[OpenedSquare]) {
    let passes = passes(cx, public, flags, opened);
    let walked = walk(cx, flags, opened, &passes);
    let bits = payload(cx, public, flags, &opened[0]);
    let targets: Vec<_> = bits.chunks_exact(3).map(|three| cx.number(three)).collect();

    let leaps = cx.add(flags.is(PieceType::Knight), flags.is(PieceType::King));
    let target = cx.inner_product(&flags.direction, &targets);
    let leapt = cx.mul(leaps, target);
    let [_, _, toward_a, toward_h] = flags.pawn;
    let taken = cx.inner_product(&[flags.straight, toward_a, toward_h], &[walked, targets[0], targets[1]]);
    let value = cx.add(leapt, taken);
    let occupied = is_piece(cx, value);
    let occupied = cx.mul(public.live, occupied);

    let en_passant = en_passant(cx, flags, &bits, occupied);
    constrain_pushes(cx, public, flags, &opened[0], passes[0], bits[AHEAD_BIT]);
    // A pawn's diagonal step captures, in one way or the other.
    let captured = cx.add(occupied, en_passant);
    cx.assert_equal_if("T19.captures", flags.pawn_captures, captured, cx.one);
    claim(cx, public, flags, value, occupied, en_passant);
}

/// `pass` of the opened squares after the viewer's: the mask of choice 0, or on the captured square the pass in the clear.
fn passes(cx: &mut Context<'_>, public: &Public, flags: &MoveFlags, opened: &[OpenedSquare]) -> Vec<Cell> {
    let steps = flags.active.iter().zip(&opened[1..]);
    steps
        .map(|(&active, square)| {
            let captured = cx.is_equal(square.square, public.inputs.pending);
            let not_captured = cx.not(captured);
            let bound = cx.mul(active, not_captured);
            cx.assert_zero_product("T6.own_piece_crossed", bound, square.choice);
            cx.select(captured, square.record[PUSH_FIELD], square.mask[0])
        })
        .collect()
}

/// Walks a slider's ray; every crossed square is empty. Returns the value found on the last.
fn walk(cx: &mut Context<'_>, flags: &MoveFlags, opened: &[OpenedSquare], passes: &[Cell]) -> Cell {
    let mut key = first_key(cx, flags, &opened[0]);
    let mut found = cx.zero;
    for i in 0..STEPS {
        let record = &opened[i + 1].record;
        let entering = cx.inner_product(&flags.direction, &record[..DIRECTIONS.len()]);
        let mask = cx.hash(Tag::Ray, key, passes[i])[0];
        key = cx.sub(entering, mask);
        let occupied = is_piece(cx, key);
        let next_active = flags.active.get(i + 1).copied().unwrap_or(cx.zero);
        let last = cx.sub(flags.active[i], next_active);
        // A castling rook crosses its last square too.
        let crossed = cx.mul_add(flags.castle, last, next_active);
        cx.assert_zero_product("T16.crossed_empty", crossed, occupied);
        found = cx.mul_add(last, key, found);
    }
    found
}

/// `K` of the square next to the viewer: `PRF(orth or diag, d)`.
fn first_key(cx: &mut Context<'_>, flags: &MoveFlags, viewer: &OpenedSquare) -> Cell {
    let [mask, second] = viewer.mask;
    let queen_orth = cx.sub(viewer.record[QUEEN_ORTH_FIELD], mask);
    let queen_diag = cx.sub(viewer.record[QUEEN_DIAG_FIELD], second);
    let orth = cx.inner_product(&[flags.is(PieceType::Rook), flags.is(PieceType::Queen)], &[mask, queen_orth]);
    let diag = cx.inner_product(&[flags.is(PieceType::Bishop), flags.is(PieceType::Queen)], &[mask, queen_diag]);
    let among = |cx: &mut Context<'_>, which: [usize; 4]| cx.linear(&which.map(|i| (1, flags.direction[i])), 0);
    let diagonal = among(cx, [4, 5, 6, 7]);
    let index = among(cx, [2, 3, 6, 7]);
    let parity = among(cx, [1, 3, 5, 7]);
    let key = cx.select(diagonal, diag, orth);
    let [even, odd] = cx.hash(Tag::Prf, key, index);
    cx.select(parity, odd, even)
}

/// The bits of a pawn's, knight's or king's payload; a pawn has fewer.
fn payload(cx: &mut Context<'_>, public: &Public, flags: &MoveFlags, viewer: &OpenedSquare) -> Vec<Cell> {
    let kinds = [flags.is(PieceType::Pawn), flags.is(PieceType::Knight), flags.is(PieceType::King)];
    let fields = [PAWN_FIELD, KNIGHT_FIELD, KING_FIELD].map(|field| viewer.record[field]);
    let field = cx.inner_product(&kinds, &fields);
    let value = cx.sub(field, viewer.mask[0]);
    let bits = cx.free_bits(value.value, TARGET_BITS);
    let weighed = cx.number(&bits);
    let reads = cx.sum(&kinds);
    let reads = cx.mul(reads, public.live);
    cx.assert_equal_if("T17.payload", reads, value, weighed);
    let high = cx.sum(&bits[PAWN_BITS..]);
    let pawn = cx.mul(flags.is(PieceType::Pawn), public.live);
    cx.assert_zero_product("T17.pawn_payload", pawn, high);
    bits
}

/// 1 if a pawn captures *en passant*: its bit for that side is set, and its target is empty.
fn en_passant(cx: &mut Context<'_>, flags: &MoveFlags, bits: &[Cell], occupied: Cell) -> Cell {
    let [_, _, toward_a, toward_h] = flags.pawn;
    let sides = [bits[EN_PASSANT_BIT], bits[EN_PASSANT_BIT + 1]];
    let may = cx.inner_product(&[toward_a, toward_h], &sides);
    let empty = cx.not(occupied);
    cx.mul(may, empty)
}

/// A push needs the square ahead empty; a double push also the one after it, `f_s = H(PUSH; m_s, pass_ahead)`.
fn constrain_pushes(
    cx: &mut Context<'_>,
    public: &Public,
    flags: &MoveFlags,
    viewer: &OpenedSquare,
    pass: Cell,
    ahead: Cell,
) {
    let [single, double, _, _] = flags.pawn;
    let pushes = cx.add(single, double);
    let pushes = cx.mul(pushes, public.live);
    cx.assert_zero_product("T18.ahead_empty", pushes, ahead);
    let mask = cx.hash(Tag::Push, viewer.mask[1], pass)[0];
    let doubles = cx.mul(double, public.live);
    cx.assert_equal_if("T18.double_push", doubles, viewer.record[PUSH_FIELD], mask);
}

/// The capture square, 64 for none, and whether a king fell.
fn claim(cx: &mut Context<'_>, public: &Public, flags: &MoveFlags, value: Cell, occupied: Cell, en_passant: Cell) {
    let capture = flags.captured(cx, occupied, en_passant);
    cx.equal("T20.capture", capture, public.inputs.capture);
    let from_king = cx.linear(&[(1, value)], -(PieceType::King as i64));
    let is_king = cx.is_zero(from_king);
    let king_fell = cx.mul(occupied, is_king);
    cx.equal("T20.king_fell", king_fell, public.inputs.king_fell);
}

/// 1 if a value is a type, 1 to 6: `Π (value − t) = 0`.
fn is_piece(cx: &mut Context<'_>, value: Cell) -> Cell {
    let one = cx.one;
    let product = (1..=6).fold(one, |product, t| {
        let factor = cx.linear(&[(1, value)], -t);
        cx.mul(product, factor)
    });
    cx.is_zero(product)
}
