//! An opponent that falls silent, on the link and on chain, at any ply: the honest player wins, without its user doing anything
//! but moving.

use super::{begin, corrupt, moves_made, run_for};
use client::seat::Effect;
use fogmate_test::seed;
use game::Outcome;
use rules::Color;
use simulate::world::{Mischief, finish};

/// The opponent of `honest` falls silent once `ply` moves are final.
fn falls_silent(seed: u64, honest: Color, ply: usize) {
    let mut world = begin(seed);
    while moves_made(&world) < ply {
        world.step();
    }
    let cheat = corrupt(&mut world, !honest, Mischief::silence());
    let ending = run_for(&mut world, 1 - cheat);
    println!("{honest:?} against silence from ply {ply} on: {}", ending.outcome);
    assert_eq!(ending.color, Some(honest), "ply {ply}: {}", ending.outcome);
    // What it had sent before may still have brought the king's capture.
    assert!(matches!(ending.outcome, Outcome::Unanswered | Outcome::TimedOut | Outcome::KingCaptured));
}

#[test]
fn white_wins_against_silence_from_any_ply_on() {
    let seed = seed(291);
    (0..5).for_each(|ply| falls_silent(seed, Color::White, ply));
}

#[test]
fn black_wins_against_silence_from_any_ply_on() {
    let seed = seed(301);
    (0..4).for_each(|ply| falls_silent(seed, Color::Black, ply));
}

/// It says nothing on the link and does only what it must on chain.
#[test]
fn an_opponent_that_is_silent_on_the_link_alone_stops_nothing() {
    let seed = seed(311);
    for color in Color::ALL {
        let mut world = begin(seed);
        let mischief = Mischief::withhold(|effect| matches!(effect, Effect::SendMessage(_)));
        corrupt(&mut world, color, mischief);
        finish(&mut world);
    }
}
