//! Draws by fifty moves: claimed, granted by silence, disproved, and barred for a while after that.

use client::seat::Event;
use fogmate_test::seed;
use game::{Action, ChainEvent, Command, CommandError, Notice, Outcome, Terms};
use rules::{Color, Move};
use simulate::world::{Course, Players, TERMS, World};

/// Knights go to and fro; Black may begin with another move.
fn shuffle(first: Option<&'static str>, plies: usize) -> Players {
    let black = first.into_iter().chain(["g8f6", "f6g8"].into_iter().cycle());
    let white = ["g1f3", "f3g1"].into_iter().cycle();
    let moves = white.zip(black).flat_map(|(white, black)| [white, black]);
    let moves = moves.take(plies).map(|mv| -> Move { mv.parse().expect("UCI") });
    Players::Script(moves.collect())
}

/// Plays until a player may choose its move of a ply, and stops there.
fn play_to(world: &mut World, who: usize, ply: u16) {
    world.autoplay = true;
    loop {
        let seat = &world.players[who].seat;
        if seat.can_move() && seat.table().playing().is_some_and(|play| play.ply == ply) {
            break;
        }
        world.step();
    }
    world.autoplay = false;
    world.settle(who);
}

fn course(seed: u64, first: Option<&'static str>) -> Course {
    let terms = Terms { base: 2_000, delay: 300, window: 400, ..TERMS };
    Course { terms, ..Course::new(seed, shuffle(first, 130)) }
}

fn begin(course: &Course) -> (World, usize) {
    let mut world = course.begin();
    world.longest_tick = 32;
    let white = world.seat_of(Color::White);
    (world, white)
}

fn claim(world: &mut World, who: usize) -> Option<CommandError> {
    let before = world.players[who].shown.len();
    world.tell(who, Event::Command(Command::ClaimFifty));
    world.players[who].shown[before..].iter().find_map(|notice| match notice {
        Notice::Refused { error, .. } => Some(error.clone()),
        _ => None,
    })
}

#[test]
fn a_claim_that_nobody_can_disprove_draws() {
    let (mut world, white) = begin(&course(seed(351), None).open());
    play_to(&mut world, white, 98);
    assert_eq!(claim(&mut world, white), Some(CommandError::NotFifty { plies: 98, own: 49 }));
    play_to(&mut world, white, 100);
    assert_eq!(claim(&mut world, white), None);
    assert_eq!(claim(&mut world, white), Some(CommandError::OnHold));
    world.run();
    let ending = world.players[white].seat.table().ending().expect("over");
    assert_eq!((ending.winner, ending.outcome), (None, Outcome::FiftyMoves));
    assert_eq!(world.players[1 - white].count(Action::RespondFifty), 0, "it lets the window pass");
}

#[test]
fn a_claim_that_is_wrong_fails_and_bars_the_next() {
    let (mut world, white) = begin(&course(seed(361), Some("e7e6")).open());
    play_to(&mut world, white, 100);
    assert_eq!(claim(&mut world, white), None);
    let is_failed = |event: &ChainEvent| matches!(event, ChainEvent::FiftyFailed { ply: 100, claims_from: 120, .. });
    while !world.events().any(is_failed) {
        world.step();
    }
    world.settle(white);
    while world.players[white].seat.table().playing().is_some_and(|play| play.hold.is_some()) {
        world.step();
    }
    let (mut put_in, mut paid) = (0, 0);
    for event in world.events() {
        match event {
            ChainEvent::FiftyClaimed { bond, .. } => put_in = *bond,
            ChainEvent::FiftyFailed { paid: share, .. } => paid = *share,
            _ => {}
        }
    }
    let back = |notice: &Notice| if let Notice::BondBack { wei } = notice { Some(*wei) } else { None };
    assert!(put_in > paid, "the bond is four times the share");
    assert_eq!(world.players[white].shown.iter().filter_map(back).collect::<Vec<_>>(), [put_in - paid]);
    assert_eq!(world.players[1 - white].shown.iter().find_map(back), None);
    assert_eq!(claim(&mut world, white), Some(CommandError::ClaimBarred { ply: 120 }));
    // The game goes on.
    play_to(&mut world, white, 102);
    assert_eq!(claim(&mut world, white), Some(CommandError::ClaimBarred { ply: 120 }));
}
