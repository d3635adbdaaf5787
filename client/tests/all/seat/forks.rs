//! A chain that shows another move in the place of a final one: taken back deeper than any final block, or told by a node that lies. Nobody
//! gets the sights of two moves of one ply.

use client::journal::Entry;
use client::seat::Event;
use fogmate_test::seed;
use game::{Action, Command, Message, Notice, Outcome, Phase};
use rules::Color;
use simulate::world::{Course, Players, World};

/// The game and its fork: White's second move is another.
const MOVES: [&str; 5] = ["e2e4", "d7d5", "f1b5", "d5e4", "b5e8"];
const OTHER: &str = "d1g4";
/// White's move that there are two of.
const PLY: u16 = 2;

fn moves(second: &str) -> Players {
    let mut moves = MOVES;
    moves[usize::from(PLY)] = second;
    Players::Script(moves.map(|mv| mv.parse().expect("UCI")).into())
}

/// A world whose black player comes with the journal of the other fork, when it hears of White's other move. Its place.
fn forked(has_record: bool) -> (World, usize) {
    let seed = seed(87);
    let course = Course::new(seed, moves(MOVES[usize::from(PLY)]));
    let mut first = course.begin();
    let black = first.seat_of(Color::Black);
    let is_given = |entry: &Entry| matches!(entry, Entry::Released { ply: PLY, phase: Phase::Post, .. });
    while !first.players[black].journal.values().any(is_given) {
        first.step();
    }
    let mut world =
        Course { script: moves(OTHER), oracle: first.oracle.clone(), ..Course::new(seed, moves(OTHER)) }.begin();
    while world.truth.len() <= usize::from(PLY) + 1 {
        world.step();
    }
    let mut journal = first.players[black].journal.clone();
    journal.retain(|_, entry| has_record || !is_given(entry));
    world.players[black].journal = journal;
    world.network.retain(|(to, _)| *to == black);
    world.crash(black, true);
    // What is under way arrives, and what White says to that.
    for _ in 0..2 {
        for (to, message) in std::mem::take(&mut world.network) {
            world.tell(to, Event::Received(message));
        }
        world.settle(black);
    }
    (world, black)
}

fn gives(world: &World, black: usize) -> bool {
    let is_answer = |message: &Message| matches!(message, Message::Answer { ply: PLY, phase: Phase::Post, .. });
    world.network.iter().any(|(to, message)| *to != black && is_answer(message))
}

const REFUSED: Notice = Notice::AnotherPosition { ply: PLY, phase: Phase::Post };

#[test]
fn a_sight_that_was_given_for_one_move_is_not_given_for_another() {
    let (mut world, black) = forked(true);
    assert!(!gives(&world, black));
    let told = world.players[black].shown.iter().filter(|notice| **notice == REFUSED).count();
    assert_eq!(told, 1);
    // Nor when it is asked for again, and not through the chain.
    world.tell(black, Event::Received(Message::Want { ply: PLY, phase: Phase::Post }));
    assert!(!gives(&world, black));
    world.cut_link();
    // Nobody moves any more: what is demanded is waited for.
    (world.autoplay, world.longest_tick) = (false, 100);
    world.run();
    let ending = world.players[black].seat.table().ending().expect("over");
    assert_eq!((ending.color, ending.outcome), (Some(Color::White), Outcome::Unanswered));
    let about = (Action::AnswerSight, Some(PLY));
    assert!(world.players[1 - black].sent.contains(&(Action::DemandSight, Some(PLY))));
    assert!(!world.players[black].sent.contains(&about));
}

#[test]
fn without_a_record_it_would_be_and_a_player_who_knows_better_may_have_it_given() {
    let (world, black) = forked(false);
    assert!(gives(&world, black), "nothing else holds it back");

    let (mut world, black) = forked(true);
    world.tell(black, Event::Command(Command::GiveAgain));
    world.settle(black);
    assert!(gives(&world, black));
    world.tell(black, Event::Command(Command::GiveAgain));
    let last = world.players[black].shown.last();
    assert!(matches!(last, Some(Notice::Refused { id: None, error: game::CommandError::NothingRefused })), "{last:?}");
    // The choice survives a restart.
    world.network.clear();
    world.crash(black, true);
    world.settle(black);
    world.tell(black, Event::Received(Message::Want { ply: PLY, phase: Phase::Post }));
    world.settle(black);
    assert!(gives(&world, black));
}
