//! The short game of many tests: a capture, and then the king falls.

use super::{Players, Weather, World};
use game::Outcome;
use rules::Color;

const MOVES: [&str; 5] = ["e2e4", "d7d5", "f1b5", "d5e4", "b5e8"];

pub fn short() -> Players {
    Players::Script(MOVES.map(|mv| mv.parse().expect("UCI")).into())
}

/// Plays it to its end.
pub fn finish(world: &mut World) {
    world.run();
    assert_eq!(world.truth.len(), MOVES.len() + 1);
    let ending = world.players[0].seat.table().ending().expect("over");
    assert_eq!((ending.color, ending.outcome), (Some(Color::White), Outcome::KingCaptured));
}

/// The short game when White may choose its second move, and White's place.
pub fn before_whites_second_move(seed: u64) -> (World, usize) {
    let mut world = World::new(seed, short(), Weather::default());
    let white = world.seat_of(Color::White);
    let is_due = |world: &World| {
        let seat = &world.players[white].seat;
        seat.can_move() && seat.table().begun().is_some_and(|play| play.ply == 2)
    };
    while !is_due(&world) {
        world.step();
    }
    (world, white)
}
