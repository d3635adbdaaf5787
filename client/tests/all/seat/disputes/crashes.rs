//! Players killed while a demand is open, at every few steps, with and without their journals: the game comes to its end.

use super::{course, ending, moves_made};
use fogmate_test::seed;
use game::Outcome;
use rules::Color;
use simulate::world::{Course, World, short};

/// A step of a game whose link is cut after its second move.
fn step(world: &mut World) {
    if moves_made(world) >= 2 {
        world.cut_link();
    }
    world.step();
}

fn begin(course: &Course) -> World {
    let mut world = course.begin();
    world.longest_tick = 16;
    world
}

fn is_demand_open(world: &World, i: usize) -> bool {
    let play = world.players[i].seat.table().playing();
    play.is_some_and(|play| play.hold.is_some() || play.posts.iter().any(Option::is_some))
}

/// At every step with the open engine, and at some with sight-lines.
fn killed_while_a_demand_is_open(color: Color, journal: bool) {
    let course = course(seed(341), short());
    killed(&course.clone().open(), color, journal, 1);
    killed(&course, color, journal, 24);
}

/// One step in so many.
fn killed(course: &Course, color: Color, journal: bool, every: usize) {
    let mut world = begin(course);
    let (who, begun) = (world.seat_of(color), world.steps);
    let mut killed = Vec::new();
    let mut open = 0;
    while !world.is_over() {
        if is_demand_open(&world, who) || is_demand_open(&world, 1 - who) {
            if open % every == 0 {
                killed.push(world.steps);
            }
            open += 1;
        }
        step(&mut world);
    }
    assert!(killed.len() > 24 / every, "demands are open at {open} steps");
    for at in &killed {
        // The same game again up to this step: its proofs are known, and seats can't be copied.
        let mut other = begin(course);
        (begun..*at).for_each(|_| step(&mut other));
        other.crash(who, journal);
        while !other.is_over() {
            step(&mut other);
        }
        let ending = ending(&other, who);
        assert_eq!((ending.color, ending.outcome), (Some(Color::White), Outcome::KingCaptured), "killed at {at}");
        for i in 0..2 {
            assert!(other.accusations(i).is_empty(), "{:?}", other.accusations(i));
        }
    }
    println!("{color:?}, journal {journal}: killed at {killed:?}");
}

#[test]
fn white_is_killed_while_a_demand_is_open() {
    killed_while_a_demand_is_open(Color::White, true);
}

#[test]
fn black_is_killed_while_a_demand_is_open() {
    killed_while_a_demand_is_open(Color::Black, true);
}

#[test]
fn white_is_killed_while_a_demand_is_open_and_has_no_journal() {
    killed_while_a_demand_is_open(Color::White, false);
}

#[test]
fn black_is_killed_while_a_demand_is_open_and_has_no_journal() {
    killed_while_a_demand_is_open(Color::Black, false);
}
