//! False positives of the filter, forced by a sender that puts more into it: the sight stays right.

use super::{DhPsi, DhPsiPlain, bloom::Bloom, proven::Proven};
use crate::psi::{
    Protocol,
    element::{Element, Fact},
    lines::asked,
    pairs::{Boards, run},
    reading::{nearest, sight},
};
use crate::testing::NativeSetProofs;
use fog::{
    engine::{Engine, Fault, Phase},
    testing::{Walk, seed},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, PieceType, Position, Seen, Square};
use std::collections::HashSet;

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// An exchange whose filter takes `false_ones` too.
fn with_false_positives(boards: &Boards, false_ones: &[Element], rng: &mut StdRng) -> Result<rules::Sight, Fault> {
    let set = [Bloom::set(&boards.sender, boards.phase), false_ones.to_vec()].concat();
    let exact = Bloom::exact(&boards.sender, boards.phase);
    run(boards.with_sets(&DhPsi::default(), &set, exact, rng), |_, _, _| ())
}

/// The knight on a4 is none, the queen on a8 stands behind a rook: each would be on a wrong board.
#[test]
fn a_false_positive_hides_nothing_and_shows_nothing() {
    let mut rng = StdRng::seed_from_u64(seed(161));
    let position = Position::from_fen("q6k/8/8/r7/8/8/8/R6K w - - 0 1").expect("a position");
    let [receiver, sender] = Color::ALL.map(|color| position.side(color).clone());
    let boards = Boards { receiver, sender, phase: Phase::Pre };
    let seen = |fact, on| Element::attack(fact, square(on), PieceType::Rook, square("a1"));
    let before = seen(Fact::Piece(PieceType::Knight), "a4");
    let behind = seen(Fact::Piece(PieceType::Queen), "a8");
    for false_ones in [vec![], vec![before], vec![behind], vec![before, behind]] {
        let sight = with_false_positives(&boards, &false_ones, &mut rng).expect("a sight");
        assert_eq!(sight, boards.right());
        let shown = ["a4", "a5", "a8"].map(|name| sight.at(square(name)));
        assert_eq!(shown, [Seen::Empty, Seen::Piece(PieceType::Rook), Seen::Dark]);
    }
    // Without the second round the board would be wrong.
    let found = HashSet::from([before, seen(Fact::Piece(PieceType::Rook), "a5")]);
    let unconfirmed = sight(&boards.receiver, boards.phase, &nearest(&boards.receiver, &found));
    assert_ne!(unconfirmed, Ok(boards.right()));
}

#[test]
fn false_positives_never_make_a_wrong_board() {
    let mut rng = StdRng::seed_from_u64(seed(162));
    let mut walk = Walk::start();
    let mut would_be_wrong = 0;
    for count in (0..5).cycle().take(40) {
        let boards = Boards::random(&mut walk, &mut rng);
        let set: HashSet<Element> = Bloom::set(&boards.sender, boards.phase).into_iter().collect();
        let mut others = asked(&boards.receiver, boards.phase);
        others.retain(|element| !set.contains(element));
        let false_ones: Vec<Element> = others.choose_multiple(&mut rng, count).copied().collect();
        let sight_ = with_false_positives(&boards, &false_ones, &mut rng).expect("a sight");
        assert_eq!(sight_, boards.right());
        let mut found: HashSet<Element> = asked(&boards.receiver, boards.phase).into_iter().collect();
        found.retain(|element| set.contains(element) || false_ones.contains(element));
        let unconfirmed = sight(&boards.receiver, boards.phase, &nearest(&boards.receiver, &found));
        would_be_wrong += usize::from(unconfirmed != Ok(boards.right()));
    }
    assert!(would_be_wrong > 10, "{would_be_wrong}");
}

/// More than any board has is the sender's doing and refused.
#[test]
fn more_findings_than_a_board_has_are_refused() {
    let mut rng = StdRng::seed_from_u64(seed(163));
    let boards = Boards::random(&mut Walk::start(), &mut rng);
    let all = asked(&boards.receiver, boards.phase);
    let facts: HashSet<_> = all.iter().filter_map(|element| element.of_board()).collect();
    assert!(facts.len() > 33);
    let refused = with_false_positives(&boards, &all, &mut rng);
    assert!(matches!(refused, Err(Fault::Malformed { index: 2, .. })));
}

#[test]
fn the_messages_have_the_sizes_that_the_documents_say() {
    let bytes = |shape: Vec<fog::engine::MessageSize>| shape.iter().map(|size| size.total()).collect::<Vec<_>>();
    assert_eq!(bytes(Bloom::LAYOUT.shape()), [6320 + 96, 43_008, 43_072, 1024, 1024 + 33 * 32 + 96]);
    assert_eq!(bytes(super::plain::Plain::LAYOUT.shape()), [1168 * 32 + 96, 43_008, 43_072]);
    let contents = Proven::<NativeSetProofs>::LAYOUT.shape().iter().map(|size| size.content).collect::<Vec<_>>();
    assert_eq!(contents, [1168 * 32 + 64, 43_008 + 32, 43_008]);
    assert_eq!(DhPsi::default().about().max_message, 43_072);
    assert_eq!(DhPsiPlain::default().about().max_message, 43_072);
}
