//! Positions with a single move, many of each kind, without a prover: among them each step of each piece, and each bit of what a pawn sees, of either color.

use std::cell::RefCell;

use fog::{
    commitment::TYPE_BITS,
    curve::mul,
    engine::sight_lines::{
        answer::mask,
        geometry::{AHEAD_BIT, EN_PASSANT_BIT, PAWN_BITS, PAWN_FIELD},
    },
    statement::{
        Unmet,
        no_move::{NoMovePrivate, NoMovePublic, check},
    },
    testing::{OnlyMove, Walk, cases, near_misses_of, seed},
};
use rules::{
    Color, Move, PieceType, Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, KNIGHT_STEPS},
};

use super::super::NoMoveCircuit;
use crate::values::{Dry, Wanted};

/// So many of each kind, besides those that show something new.
const LEAST: usize = 30;
/// Of so many positions found each kind of move, step and bit must have been among them.
const MOST: usize = 200_000;

/// What a position's only move shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// The first step of the piece with this code, in files and ranks.
    Step(u8, (i8, i8)),
    /// A bit of what a pawn sees: set, or clear if it is that of the square ahead.
    Bit(usize),
}

/// All there is to show, of a color.
fn all() -> impl Iterator<Item = Shown> {
    let steps = PieceType::ALL.into_iter().flat_map(|piece| {
        let steps: &[_] = match piece {
            PieceType::Pawn => &[],
            PieceType::Knight => &KNIGHT_STEPS,
            PieceType::Bishop => &DIRECTIONS[FIRST_DIAGONAL..],
            PieceType::Rook => &DIRECTIONS[..FIRST_DIAGONAL],
            PieceType::Queen | PieceType::King => &DIRECTIONS,
        };
        steps.iter().map(move |step| Shown::Step(piece.code(), *step))
    });
    steps.chain((0..PAWN_BITS).map(Shown::Bit))
}

/// What the pawn on a square sees: the bits in which it differs from one that has no move.
fn bits(square: Square, public: &NoMovePublic, private: &NoMovePrivate) -> Vec<Shown> {
    let pawn = private.opened.iter().find(|opened| opened.square == square).expect("every pawn is opened");
    let shared = mul(&public.fog_key.0, &pawn.scalar);
    let [mask, _] = mask(shared.x, public.ctx, square, pawn.choice.into());
    let payload = (pawn.record[PAWN_FIELD] - mask).to_bytes();
    let is_set = |bit: &usize| payload[bit / 8] >> (bit % 8) & 1 == 1;
    (0..PAWN_BITS).filter(|bit| *bit != AHEAD_BIT).filter(is_set).map(Shown::Bit).collect()
}

/// What a statement shows, by the relation that must refuse it.
fn shown(error: Unmet, public: &NoMovePublic, private: &NoMovePrivate) -> Vec<Shown> {
    match error {
        Unmet::Step(from, to) => {
            let step = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
            vec![Shown::Step(private.side.piece(from).expect("a piece moves").code(), step)]
        }
        Unmet::Captures(square) | Unmet::EnPassant(square) => bits(square, public, private),
        Unmet::Advances(_) => vec![Shown::Bit(AHEAD_BIT)],
        other => panic!("no move at all: {other}"),
    }
}

/// What a legal move shows, by the whole truth of the position.
fn truth(walk: &Walk, mv: &Move) -> Vec<Shown> {
    let step = (mv.to.file() as i8 - mv.from.file() as i8, mv.to.rank() as i8 - mv.from.rank() as i8);
    let toward_h = usize::from(step.0 > 0);
    match (walk.mover().piece(mv.from).expect("a piece moves"), walk.other().piece(mv.to)) {
        (PieceType::Pawn, Some(victim)) => (0..TYPE_BITS)
            .filter(|bit| victim.code() >> bit & 1 == 1)
            .map(|bit| Shown::Bit(3 * toward_h + bit))
            .collect(),
        (PieceType::Pawn, None) if step.0 == 0 => vec![Shown::Bit(AHEAD_BIT)],
        (PieceType::Pawn, None) => vec![Shown::Bit(EN_PASSANT_BIT + toward_h)],
        (piece, _) => vec![Shown::Step(piece.code(), step)],
    }
}

#[test]
fn every_single_move_is_refused() {
    let dry = Dry::<NoMoveCircuit>::new();
    let shown_by_all = Color::ALL.into_iter().flat_map(|color| all().map(move |shown| (color.index(), shown)));
    let wanted = RefCell::new(Wanted::new(cases(LEAST), OnlyMove::ALL.map(|kind| kind as usize), shown_by_all));
    let mut asked = 0;
    let mut row = near_misses_of(seed(79), |kind, walk, mv| {
        asked += 1;
        if asked == MOST {
            wanted.borrow().assert_all_drawn();
        }
        let ways = truth(walk, mv).into_iter().map(|shown| (walk.to_move().index(), shown));
        wanted.borrow_mut().take([kind as usize], ways)
    });
    while !wanted.borrow().is_over() {
        let (walk, mv, (public, private, expected)) = row.next().expect("an endless row");
        assert_eq!(check(&public, &private), Err(expected), "{mv}");
        assert_eq!(shown(expected, &public, &private), truth(&walk, &mv), "{mv}");
        assert!(!dry.refusals(&public, &private).is_empty(), "{mv}, {expected}: the circuit doesn't notice");
    }
}
