//! Players killed at every step of a game and started again, with their journal, without it, and both at once.

use crate::world::{Players, Weather, World, recorded_games, seed};
use rand::Rng;

const BREEZE: Weather = Weather { drop: 5, duplicate: 5, reorder: true, reorg: 5, lose_transaction: 5 };

/// A short game with a capture, so that a pending square and a king's fall are met.
fn short() -> Players {
    let moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5", "d1g4", "c8g4"];
    Players::Script(moves.iter().map(|mv| mv.parse().expect("UCI")).collect())
}

/// Plays the short game with a crash before step `at`; then White resigns instead of a ninth ply.
fn with_crash(seed: u64, at: usize, who: usize, journal: bool) -> bool {
    let mut world = World::new(seed, short(), Weather::default());
    let mut crashed = false;
    while !world.is_over() && world.truth.len() <= 8 {
        if world.steps == at && !crashed {
            // Without a journal, a move that was signed and is in no block can't be known; a real client asks its node for
            // the wallet's pending transactions. The deterministic script makes the same move again anyway.
            world.crash(who, journal);
            crashed = true;
        }
        world.step();
    }
    crashed
}

#[test]
fn a_player_killed_at_any_step_finishes_the_game() {
    let seed = seed(51);
    for who in 0..2 {
        for journal in [true, false] {
            let steps = (0..).take_while(|at| with_crash(seed, *at, who, journal)).count();
            println!("player {who}, journal {journal}: killed at each of {steps} steps");
            assert!(steps > 60);
        }
    }
}

#[test]
fn players_killed_again_and_again_finish_the_game() {
    let seed = seed(61);
    for (number, chance) in [(0, 2), (1, 5)] {
        let moves = recorded_games().swap_remove(number + 1);
        let mut world = World::new(seed + number as u64, Players::Script(moves), BREEZE);
        let mut crashes = 0;
        while !world.is_over() {
            if world.rng.gen_range(0..100) < chance {
                let (who, journal) = (world.rng.gen_range(0..2), world.rng.gen_range(0..3) > 0);
                world.crash(who, journal);
                crashes += 1;
            }
            world.step();
        }
        println!("{crashes} crashes in {} steps, {} plies", world.steps, world.truth.len() - 1);
        for i in 0..2 {
            assert!(world.accusations(i).is_empty(), "{:?}", world.accusations(i));
        }
    }
}

#[test]
fn both_players_killed_after_every_single_step_finish_the_game() {
    let seed = seed(71);
    let mut world = World::new(seed, short(), Weather::default());
    let mut idle = 0;
    while !world.is_over() && world.truth.len() <= 8 {
        let plies = world.truth.len();
        // A process must live for more than one step to get a proof made: it is given ever more of them.
        for _ in 0..1 + idle / 4 {
            world.step();
        }
        world.crash(0, true);
        world.crash(1, true);
        idle = if world.truth.len() > plies { 0 } else { idle + 1 };
    }
    println!("{} steps", world.steps);
}
