//! A signed move after the chain was taken back deeper than its final blocks: another move of the opponent stands before it. It isn't
//! sent again by itself, the player is told, and chooses anew. In the position that it was signed in it is the one move of its ply, also if
//! that position is final later than it was.

use client::journal::Entry;
use client::seat::Event;
use fogmate_test::seed;
use game::{Action, ChainEvent, Command, Notice};
use rules::Color;
use simulate::world::{Course, Players, World, short};

/// Black's move, signed on the one fork.
const PLY: u16 = 3;

/// The short game with other second moves of both.
fn moves(white: &str, black: &str) -> Players {
    let moves = ["e2e4", "d7d5", white, black, "b5e8"];
    Players::Script(moves.map(|mv| mv.parse().expect("UCI")).into())
}

fn course(script: Players) -> Course {
    Course::new(seed(83), script)
}

/// A world in which Black has just signed its second move; its place.
fn signed(course: &Course) -> (World, usize) {
    let mut world = course.begin();
    let black = world.seat_of(Color::Black);
    let is_it = |entry: &Entry| matches!(entry, Entry::Signed { fields, .. } if fields.ply == PLY);
    while !world.players[black].journal.values().any(is_it) {
        world.step();
    }
    (world, black)
}

/// Black's machine in `world`, started again with the journal of another fork.
fn restart(world: &mut World, other: &World, black: usize) {
    world.autoplay = false;
    world.network.clear();
    world.players[black].journal = other.players[black].journal.clone();
    world.players[black].sent.clear();
    world.crash(black, true);
    world.settle(black);
}

fn step_until(world: &mut World, what: &str, is_so: impl Fn(&World) -> bool) {
    let limit = world.steps + 2_000;
    while !is_so(world) {
        assert!(world.steps < limit, "in vain: {what}");
        world.step();
    }
}

fn sent(world: &World, black: usize) -> usize {
    world.players[black].sent.iter().filter(|sent| **sent == (Action::Move, Some(PLY))).count()
}

/// Black, whose `mv` was signed elsewhere, is told so and sends nothing; then it chooses `anew`.
fn chooses_anew(mut world: World, black: usize, mv: &str, anew: &str) {
    let told = Notice::SignedInAnotherPosition { ply: PLY, mv: mv.parse().expect("UCI") };
    step_until(&mut world, "Black may choose", |world| world.players[black].seat.can_move());
    for _ in 0..4 {
        world.tick(10);
    }
    world.settle(black);
    let of_it = world.players[black].shown.iter().filter(|notice| **notice == told).count();
    assert_eq!((of_it, sent(&world, black)), (1, 0), "told and sent");
    let mv = anew.parse().expect("UCI");
    world.tell(black, Event::Command(Command::Move { mv, offer_draw: false }));
    step_until(&mut world, "Black's move is final", |world| world.truth.len() == usize::from(PLY) + 2);
    assert!(world.accusations(1 - black).is_empty(), "{:?}", world.accusations(1 - black));
}

#[test]
fn a_move_that_was_signed_after_another_move_is_not_sent_again() {
    // Quiet, and with a capture, after which Black's state is another as well.
    for (white, black, anew) in [("d1g4", "d5e4", "a7a6"), ("e4d5", "d5e4", "d8d5")] {
        let first = course(moves("f1b5", black));
        let (other, place) = signed(&first);
        let mut world = Course { oracle: other.oracle.clone(), ..course(moves(white, black)) }.begin();
        step_until(&mut world, "White's move is final", |world| world.truth.len() == usize::from(PLY) + 1);
        restart(&mut world, &other, place);
        chooses_anew(world, place, black, anew);
    }
}

#[test]
fn a_move_whose_proof_relied_on_another_sight_is_not_sent_again() {
    // White's move is the same, but was made without a sight for Black: only the basis tells the difference.
    let course = course(short());
    let (other, black) = signed(&course);
    let mut world = Course { oracle: other.oracle.clone(), ..course }.begin();
    let is_due = |world: &World| {
        let seat = &world.players[1 - black].seat;
        seat.can_move() && seat.table().begun().is_some_and(|play| play.ply + 1 == PLY)
    };
    while !is_due(&world) {
        // Black's points never come.
        let is_request = |message: &game::Message| message.id().kind == game::MessageKind::Request;
        world.network.retain(|(to, message)| *to == black || !is_request(message));
        world.step();
    }
    world.network.clear();
    world.autoplay = false;
    let mv = "f1b5".parse().expect("UCI");
    world.tell(1 - black, Event::Command(Command::Move { mv, offer_draw: false }));
    world.tell(1 - black, Event::Command(Command::DontWait));
    while world.truth.len() <= usize::from(PLY) {
        world.network.clear();
        world.step();
    }
    let posted = world.events().find_map(|event| match event {
        ChainEvent::Moved { fields, .. } if fields.ply + 1 == PLY => Some(fields.answer_root),
        _ => None,
    });
    restart(&mut world, &other, black);
    assert!(posted.is_some_and(|root| root == halo2curves::bn256::Fr::zero()), "White's move carries no sight");
    chooses_anew(world, black, "d5e4", "a7a6");
}

#[test]
fn a_signed_move_whose_position_is_final_later_is_sent_again_and_no_other() {
    let course = course(short());
    let (other, black) = signed(&course);
    let mut world = Course { oracle: other.oracle.clone(), ..course }.begin();
    let is_seen = |event: &ChainEvent| matches!(event, ChainEvent::Moved { fields, .. } if fields.ply + 1 == PLY);
    step_until(&mut world, "White's move is in a block", |world| world.events().any(is_seen));
    assert_eq!(world.truth.len(), usize::from(PLY), "and not final");
    restart(&mut world, &other, black);
    assert_eq!((sent(&world, black), world.players[black].seat.chosen()), (0, None));
    step_until(&mut world, "Black's move is final", |world| {
        assert!(!world.players[black].seat.can_move(), "no other may be chosen");
        world.truth.len() == usize::from(PLY) + 2
    });
    world.settle(black);
    let mv = "d5e4".parse().expect("UCI");
    let moved = |notice: &Notice| matches!(notice, Notice::Moved { ply: PLY, mv: made, .. } if *made == mv);
    assert!(world.players[black].shown.iter().any(moved));
}
