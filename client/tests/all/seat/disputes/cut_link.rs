//! The link is cut for good: the game goes on through the chain alone, to the end that it would have had.

use super::{course, demands, given, moves_made};
use fogmate_test::seed;
use game::Outcome;
use simulate::world::{Course, Players, Weather, World, recorded_games, short};

/// Plays a game whose link is cut once `ply` moves are final.
fn play(course: &Course, ply: usize) -> World {
    let mut world = course.begin();
    world.longest_tick = 16;
    while !world.is_over() {
        if moves_made(&world) >= ply {
            world.cut_link();
        }
        world.step();
    }
    for i in 0..2 {
        assert!(world.accusations(i).is_empty(), "an honest opponent is accused: {:?}", world.accusations(i));
    }
    let (demands, given) = (demands(&world), given(&world));
    println!("{} plies, {} steps, {demands} demands, {given} given", moves_made(&world), world.steps);
    world
}

#[test]
fn a_recorded_game_goes_through_the_chain_from_ply_3_on() {
    let seed = seed(101);
    let moves = recorded_games().into_iter().min_by_key(Vec::len).expect("a game");
    let plies = moves.len();
    let world = play(&course(seed, Players::Script(moves.clone())), 3);
    assert_eq!(moves_made(&world), plies);
    assert_eq!(super::ending(&world, 0).outcome, Outcome::KingCaptured);
    // Each later move had to be given its sight on chain.
    assert!(given(&world) >= plies - 4, "{} of {plies}", given(&world));
}

#[test]
fn random_games_go_through_the_chain() {
    let seed = seed(111);
    for game in 0..2 {
        play(&course(seed + game, Players::Random { plies: 10 }), 3);
    }
}

#[test]
fn a_game_goes_through_the_chain_from_its_first_move() {
    let world = play(&course(seed(121), short()), 0);
    assert_eq!(moves_made(&world), 5);
}

#[test]
fn a_game_goes_through_a_bad_chain_alone() {
    let weather = Weather { reorg: 10, lose_transaction: 10, inclusion: 20, ..Weather::default() };
    let world = play(&Course { weather, ..course(seed(131), short()) }, 1);
    assert_eq!(moves_made(&world), 5);
}
