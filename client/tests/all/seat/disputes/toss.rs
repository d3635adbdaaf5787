//! A share of the coin toss that is never revealed: without the creator's nobody wins, without the joiner's the creator does.

use super::{course, ending};
use fogmate_test::seed;
use game::Outcome;
use simulate::world::{Mischief, World, short};

fn silent(who: usize) -> World {
    let mut world = course(seed(321), short()).join();
    world.longest_tick = 16;
    world.players[who].mischief = Some(Mischief::silence());
    world.run();
    world
}

#[test]
fn a_silent_creator_costs_nobody_anything() {
    let world = silent(0);
    let ending = ending(&world, 1);
    assert_eq!((ending.winner, ending.outcome), (None, Outcome::Unrevealed));
}

#[test]
fn a_silent_joiner_forfeits() {
    let world = silent(1);
    let ending = ending(&world, 0);
    assert_eq!((ending.winner, ending.outcome), (Some(world.players[0].me), Outcome::Unrevealed));
}
