//! What the viewer sees on the squares that the move crosses and enters, and what it captures (protocol section 5, Open).
//!
//! Sliders walk: the payload found on a square is the next square's key, or the type that stands there. Pawns, knights and kings read their
//! own ciphertext. A value means *occupied by t* if it is in 1..=6, and *empty* otherwise.

use fog::poseidon::Tag;
use rules::PieceType;

use super::{desk::Desk, opening::Opening, public::Public, step::Step, witness::STEPS};
use crate::gadget::Cell;

const PAWN: usize = PieceType::Pawn as usize - 1;
const KNIGHT: usize = PieceType::Knight as usize - 1;
const BISHOP: usize = PieceType::Bishop as usize - 1;
const ROOK: usize = PieceType::Rook as usize - 1;
const QUEEN: usize = PieceType::Queen as usize - 1;
const KING: usize = PieceType::King as usize - 1;

/// Bits of a knight's or king's payload.
const TARGETS: usize = 24;
/// Bits of a pawn's.
const PAWN_BITS: usize = 9;
/// The bit that says whether the square ahead is occupied; the en-passant bits follow it.
const AHEAD: usize = 6;

/// Proves what the move relies on, and the public capture square and king flag.
pub fn constrain(d: &mut Desk<'_, '_>, public: &Public, step: &Step, openings: &[Opening]) {
    let passes = passes(d, public, step, openings);
    let walked = walk(d, step, openings, &passes);
    let bits = payload(d, public, step, &openings[0]);
    let targets: Vec<_> = bits
        .chunks_exact(3)
        .map(|three| d.arith.weigh(d.sheet, three))
        .collect();

    let leaps = d.arith.add(d.sheet, step.kind[KNIGHT], step.kind[KING]);
    let target = d.arith.inner_product(d.sheet, &step.direction, &targets);
    let leapt = d.arith.mul(d.sheet, leaps, target);
    let [_, _, toward_a, toward_h] = step.pawn;
    let taken = d.arith.inner_product(
        d.sheet,
        &[step.straight, toward_a, toward_h],
        &[walked, targets[0], targets[1]],
    );
    let value = d.arith.add(d.sheet, leapt, taken);
    let occupied = is_piece(d, value);
    let occupied = d.arith.mul(d.sheet, public.live, occupied);

    let en_passant = en_passant(d, step, &bits, occupied);
    constrain_pushes(d, public, step, &openings[0], passes[0], bits[AHEAD]);
    // A pawn's diagonal step captures, in one way or the other.
    let captured = d.arith.add(d.sheet, occupied, en_passant);
    let one = d.arith.one();
    d.arith
        .assert_equal_if(d.sheet, step.pawn_captures, captured, one);
    publish(d, public, step, value, occupied, en_passant);
}

/// `pass` of the opened squares after the viewer's: the mask of choice 0, or on the captured square the pass in the clear.
fn passes(d: &mut Desk<'_, '_>, public: &Public, step: &Step, openings: &[Opening]) -> Vec<Cell> {
    let steps = step.active.iter().zip(&openings[1..]);
    steps
        .map(|(&active, opening)| {
            let captured = d.arith.is_equal(d.sheet, opening.square, public.pending);
            let not_captured = d.arith.not(d.sheet, captured);
            let bound = d.arith.mul(d.sheet, active, not_captured);
            d.arith.assert_zero_product(d.sheet, bound, opening.choice);
            d.arith
                .select(d.sheet, captured, opening.record[13], opening.mask[0])
        })
        .collect()
}

/// Walks a slider's ray; every crossed square is empty. Returns the value found on the last.
fn walk(d: &mut Desk<'_, '_>, step: &Step, openings: &[Opening], passes: &[Cell]) -> Cell {
    let mut key = first_key(d, step, &openings[0]);
    let mut found = d.arith.zero();
    for i in 0..STEPS {
        let record = &openings[i + 1].record;
        let entering = d
            .arith
            .inner_product(d.sheet, &step.direction, &record[..8]);
        let mask = d.hash(Tag::Ray, key, passes[i]).outputs[0];
        key = d.arith.sub(d.sheet, entering, mask);
        let occupied = is_piece(d, key);
        let next_active = step.active.get(i + 1).copied().unwrap_or(d.arith.zero());
        let last = d.arith.sub(d.sheet, step.active[i], next_active);
        // A castling rook crosses its last square too.
        let crossed = d.arith.mul_add(d.sheet, step.castle, last, next_active);
        d.arith.assert_zero_product(d.sheet, crossed, occupied);
        found = d.arith.mul_add(d.sheet, last, key, found);
    }
    found
}

/// `K` of the square next to the viewer: `PRF(orth or diag, d)`.
fn first_key(d: &mut Desk<'_, '_>, step: &Step, viewer: &Opening) -> Cell {
    let [mask, second] = viewer.mask;
    let queen_orth = d.arith.sub(d.sheet, viewer.record[10], mask);
    let queen_diag = d.arith.sub(d.sheet, viewer.record[11], second);
    let orth = d.arith.inner_product(
        d.sheet,
        &[step.kind[ROOK], step.kind[QUEEN]],
        &[mask, queen_orth],
    );
    let diag = d.arith.inner_product(
        d.sheet,
        &[step.kind[BISHOP], step.kind[QUEEN]],
        &[mask, queen_diag],
    );
    let among = |d: &mut Desk<'_, '_>, which: [usize; 4]| {
        d.arith
            .linear(d.sheet, &which.map(|i| (1, step.direction[i])), 0)
    };
    let diagonal = among(d, [4, 5, 6, 7]);
    let index = among(d, [2, 3, 6, 7]);
    let parity = among(d, [1, 3, 5, 7]);
    let key = d.arith.select(d.sheet, diagonal, diag, orth);
    let [even, odd] = d.hash(Tag::Prf, key, index).outputs;
    d.arith.select(d.sheet, parity, odd, even)
}

/// The bits of a pawn's, knight's or king's payload; a pawn has fewer.
fn payload(d: &mut Desk<'_, '_>, public: &Public, step: &Step, viewer: &Opening) -> Vec<Cell> {
    let kinds = [step.kind[PAWN], step.kind[KNIGHT], step.kind[KING]];
    let fields = [viewer.record[8], viewer.record[9], viewer.record[12]];
    let field = d.arith.inner_product(d.sheet, &kinds, &fields);
    let value = d.arith.sub(d.sheet, field, viewer.mask[0]);
    let bits = d.arith.free_bits(d.sheet, value.value, TARGETS);
    let weighed = d.arith.weigh(d.sheet, &bits);
    let reads = super::step::sum(d, &kinds);
    let reads = d.arith.mul(d.sheet, reads, public.live);
    d.arith.assert_equal_if(d.sheet, reads, value, weighed);
    let high = super::step::sum(d, &bits[PAWN_BITS..]);
    let pawn = d.arith.mul(d.sheet, step.kind[PAWN], public.live);
    d.arith.assert_zero_product(d.sheet, pawn, high);
    bits
}

/// 1 if a pawn captures *en passant*: its bit for that side is set, and its target is empty.
fn en_passant(d: &mut Desk<'_, '_>, step: &Step, bits: &[Cell], occupied: Cell) -> Cell {
    let [_, _, toward_a, toward_h] = step.pawn;
    let sides = [bits[AHEAD + 1], bits[AHEAD + 2]];
    let may = d
        .arith
        .inner_product(d.sheet, &[toward_a, toward_h], &sides);
    let empty = d.arith.not(d.sheet, occupied);
    d.arith.mul(d.sheet, may, empty)
}

/// A push needs the square ahead empty; a double push also the one after it, `f_s = H(PUSH; m_s, pass_ahead)`.
fn constrain_pushes(
    d: &mut Desk<'_, '_>,
    public: &Public,
    step: &Step,
    viewer: &Opening,
    pass: Cell,
    ahead: Cell,
) {
    let [single, double, _, _] = step.pawn;
    let pushes = d.arith.add(d.sheet, single, double);
    let pushes = d.arith.mul(d.sheet, pushes, public.live);
    d.arith.assert_zero_product(d.sheet, pushes, ahead);
    let mask = d.hash(Tag::Push, viewer.mask[1], pass).outputs[0];
    let doubles = d.arith.mul(d.sheet, double, public.live);
    d.arith
        .assert_equal_if(d.sheet, doubles, viewer.record[13], mask);
}

/// The capture square, 64 for none, and whether a king fell.
fn publish(
    d: &mut Desk<'_, '_>,
    public: &Public,
    step: &Step,
    value: Cell,
    occupied: Cell,
    en_passant: Cell,
) {
    let to = d
        .arith
        .linear(d.sheet, &[(1, step.to_file), (8, step.to_rank)], -64);
    let beside = d
        .arith
        .linear(d.sheet, &[(1, step.to_file), (8, step.from_rank)], -64);
    let sum = d
        .arith
        .inner_product(d.sheet, &[occupied, en_passant], &[to, beside]);
    let capture = d.arith.linear(d.sheet, &[(1, sum)], 64);
    d.sheet.equal(capture, public.capture);
    let from_king = d
        .arith
        .linear(d.sheet, &[(1, value)], -(PieceType::King as i64));
    let is_king = d.arith.is_zero(d.sheet, from_king);
    let king_fell = d.arith.mul(d.sheet, occupied, is_king);
    d.sheet.equal(king_fell, public.king_fell);
}

/// 1 if a value is a type, 1 to 6: `Π (value − t) = 0`.
fn is_piece(d: &mut Desk<'_, '_>, value: Cell) -> Cell {
    let one = d.arith.one();
    let product = (1..=6).fold(one, |product, t| {
        let factor = d.arith.linear(d.sheet, &[(1, value)], -t);
        d.arith.mul(d.sheet, product, factor)
    });
    d.arith.is_zero(d.sheet, product)
}
