//! Roots that promise nothing: garbage loses the game, and 0, which promises no answer, is as good as one that is withheld.

use super::{begin, corrupt, demands, given, is_answer, run_for, wins};
use client::seat::Effect;
use fogmate_test::seed;
use game::{Outcome, PeerFault, Transaction};
use halo2curves::bn256::Fr;
use rules::Color;
use simulate::world::{Mischief, World, finish};

/// Black posts this root with its moves from a ply on.
fn posts(seed: u64, root: u64, from: u16) -> (World, usize) {
    let mut world = begin(seed);
    let mischief = Mischief::new(move |mut effect| match &mut effect {
        Effect::SendTransaction(Transaction::Move { fields, .. }) if fields.ply >= from => {
            fields.answer_root = Fr::from(root);
            vec![effect]
        }
        // Its seat would make up for it.
        Effect::SendTransaction(Transaction::FillAnswer { .. }) => Vec::new(),
        _ => vec![effect],
    });
    let cheat = corrupt(&mut world, Color::Black, mischief);
    (world, 1 - cheat)
}

#[test]
fn a_garbage_root_loses_the_game() {
    let seed = seed(141);
    for ply in [1, 3] {
        let (mut world, honest) = posts(seed, 7, ply);
        run_for(&mut world, honest);
        wins(&world, honest, Outcome::Unanswered);
        // The right answer isn't the promised one, by the link or on chain.
        assert_eq!(given(&world), 0);
        let accused = world.accusations(honest);
        assert!(accused.iter().any(|fault| matches!(fault, PeerFault::AnswerRoot(_))), "{accused:?}");
    }
}

#[test]
fn a_root_of_0_is_made_up_for_through_the_chain() {
    let seed = seed(151);
    let (mut world, honest) = posts(seed, 0, 1);
    finish(&mut world);
    // Before each of White's moves but its first.
    assert!(demands(&world) >= 2 && given(&world) >= 2, "{} {}", demands(&world), given(&world));
    assert!(world.accusations(honest).is_empty(), "{:?}", world.accusations(honest));
}

#[test]
fn a_root_of_0_without_an_answer_loses_the_game() {
    let seed = seed(161);
    let (mut world, honest) = posts(seed, 0, 1);
    let cheat = 1 - honest;
    world.players[cheat].mischief = Some(Mischief::new(|mut effect| {
        if is_answer(&effect) {
            return Vec::new();
        }
        if let Effect::SendTransaction(Transaction::Move { fields, .. }) = &mut effect {
            fields.answer_root = Fr::zero();
        }
        vec![effect]
    }));
    run_for(&mut world, honest);
    wins(&world, honest, Outcome::Unanswered);
}
