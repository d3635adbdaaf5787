//! An opponent that says nothing: the game goes on without a sight, and ends by the clock.

use client::seat::Event;
use fogmate_test::seed;
use game::MessageKind;
use game::{Command, Notice, Outcome};
use rules::Color;
use simulate::world::{CONFIG, Weather, World, short};

#[test]
fn an_opponent_that_never_sends_its_points_gets_no_sight_and_loses_on_time() {
    let mut world = World::new(seed(81), short(), Weather::default());
    let white = world.seat_of(Color::White);
    let says = |world: &World, i: usize, wanted: fn(&Notice) -> bool| world.players[i].shown.iter().any(wanted);
    // Black's points get lost on the way, however often White asks.
    let lose = |world: &mut World| {
        world.network.retain(|(to, message)| *to != white || message.id().kind != MessageKind::Request)
    };
    while !says(&world, white, |update| matches!(update, Notice::AwaitingRequest { .. })) {
        world.step();
        lose(&mut world);
    }
    world.tick(10);
    assert!(!says(&world, white, |update| matches!(update, Notice::MovingWithoutAnswer { .. })));
    world.tell(white, Event::Command(Command::DontWait));
    assert!(says(&world, white, |update| matches!(update, Notice::MovingWithoutAnswer { .. })));
    while !says(&world, 1 - white, |update| matches!(update, Notice::NoSightPosted { ply: 3 })) {
        world.step();
        lose(&mut world);
    }
    world.settle(white);
    world.tick(200_000);
    assert!(says(&world, white, |update| *update == Notice::OpponentOutOfTime));
    world.tell(white, Event::Command(Command::ClaimTimeout));
    world.run();
    let ending = world.players[white].seat.table().ending().expect("over");
    assert_eq!((ending.color, ending.outcome), (Some(Color::White), Outcome::TimedOut));
}

#[test]
fn with_little_time_left_a_move_goes_without_the_opponent_s_points() {
    let mut world = World::new(seed(81), short(), Weather::default());
    let white = world.seat_of(Color::White);
    while !world.players[white].shown.iter().any(|update| matches!(update, Notice::AwaitingRequest { .. })) {
        world.step();
        world.network.retain(|(to, message)| *to != white || message.id().kind != MessageKind::Request);
    }
    let left = world.chain.deadline().expect("in play") - world.chain.now;
    world.tick(left - CONFIG.reserve - 1);
    assert!(!world.players[white].shown.iter().any(|update| matches!(update, Notice::Proving { ply: 2, .. })));
    world.tick(1);
    assert!(world.players[white].shown.iter().any(|update| matches!(update, Notice::Proving { ply: 2, .. })));
}

/// However much is left on the clock: the opponent's silence costs seconds.
#[test]
fn a_move_waits_for_the_opponent_s_points_for_seconds_only() {
    let mut world = World::new(seed(81), short(), Weather::default());
    let white = world.seat_of(Color::White);
    let says = |world: &World, wanted: fn(&Notice) -> bool| world.players[white].shown.iter().any(wanted);
    while !says(&world, |update| matches!(update, Notice::AwaitingRequest { .. })) {
        world.step();
        world.network.retain(|(to, message)| *to != white || message.id().kind != MessageKind::Request);
    }
    // From the first tick after the opponent's move is final.
    world.tick(1);
    let moves = |world: &World| says(world, |update| matches!(update, Notice::MovingWithoutAnswer { .. }));
    world.tick(CONFIG.await_request - 1);
    assert!(!moves(&world));
    world.tick(1);
    assert!(moves(&world));
    let left = world.chain.deadline().expect("in play") - world.chain.now;
    assert!(left > 100 * CONFIG.await_request, "{left} s are left");
}
