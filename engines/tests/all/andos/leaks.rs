//! What the sender learns of the receiver by the first strategy, and doesn't by the improved one.

use crate::pair::{Pair, Position, state};
use engines::andos::Andos;
use fog::{
    engine::{Engine, Phase},
    testing::seed,
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Side};
use std::sync::Arc;

/// White's queen of the start on d1, a promoted pawn on d8; Black has captured the one, or the other. Everything public is the same.
fn after_a_captured_queen(was_promoted: bool, rng: &mut StdRng) -> Position {
    let mut white = Side::empty(Color::White);
    white.pieces[4] = Some(PieceType::King);
    white.pieces[3] = Some(PieceType::Queen);
    white.pieces[59] = Some(PieceType::Queen);
    let pending = rules::Square::new(if was_promoted { 59 } else { 3 });
    let mut black = Side::empty(Color::Black);
    black.pieces[63] = Some(PieceType::King);
    black.pieces[if was_promoted { 59 } else { 3 }] = Some(PieceType::Rook);
    let mut own = [state(&white, rng), state(&black, rng)];
    own[0].promoted = 1 << 59;
    Position { ply: 40, pending, own }
}

/// All that the sender is told in the clear: of each question what follows its packet and its place.
fn announced(engine: Arc<dyn Engine>, was_promoted: bool, rng: &mut StdRng) -> Vec<Vec<u8>> {
    let pair = Pair::set_up(engine, rng);
    let position = after_a_captured_queen(was_promoted, rng);
    let (_, receiver) = pair.exchange(&position, Phase::Pre);
    assert_eq!(receiver.output(), Some(&position.sight(Phase::Pre)));
    let questions = receiver.messages().iter().skip(1).step_by(2);
    questions.map(|question| question[64 * 4 * 256 + 1..].to_vec()).collect()
}

/// The first strategy's leak: the sender captured a queen. If a queen is announced again, the captured one was a promoted pawn.
#[test]
fn the_first_strategy_tells_that_a_captured_queen_was_a_promoted_pawn() {
    let mut rng = StdRng::seed_from_u64(seed(122));
    let [of_the_start, promoted] =
        [false, true].map(|was_promoted| announced(Arc::new(Andos::FIRST), was_promoted, &mut rng).concat());
    let count = |announced: &[u8], piece: PieceType| announced.iter().filter(|code| **code == piece.code()).count();
    assert_eq!([&of_the_start, &promoted].map(|a| count(a, PieceType::Queen)), [0, 27]);
    assert_eq!([&of_the_start, &promoted].map(|a| count(a, PieceType::Pawn)), [27, 0]);
}

/// By the improved strategy the two are the same to the sender: nothing is announced, and as many questions come.
#[test]
fn the_improved_strategy_does_not_tell() {
    let mut rng = StdRng::seed_from_u64(seed(123));
    let [of_the_start, promoted] =
        [false, true].map(|was_promoted| announced(Arc::new(Andos::IMPROVED), was_promoted, &mut rng));
    assert_eq!(of_the_start, promoted);
    assert!(promoted.concat().is_empty());
}
