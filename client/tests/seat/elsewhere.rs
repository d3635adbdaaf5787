//! A wallet on two machines: the one that didn't sign a move hears of it from the chain. It is told once, and plays on.

use client::seat::Event;
use fogmate_test::seed;
use game::{ChainEvent, Notice};
use rules::Color;
use simulate::world::{Course, World, short};

fn told(world: &World, player: usize) -> Vec<&str> {
    let notes = world.players[player].shown.iter().filter_map(|notice| match notice {
        Notice::JournalNote(note) if note.contains("doesn't remember signing it") => Some(note.as_str()),
        _ => None,
    });
    notes.collect()
}

#[test]
fn a_move_that_another_machine_has_signed_is_told_once() {
    let course = Course::new(seed(91), short());
    // The one machine plays the game to its end; the other has the same wallet, and stands where Black is to move.
    let mut other = course.begin();
    while other.players.iter().any(|player| player.seat.table().ending().is_none()) {
        other.step();
    }
    let moves: Vec<ChainEvent> =
        other.events().filter(|event| matches!(event, ChainEvent::Moved { .. })).cloned().collect();
    assert!((0..2).all(|player| told(&other, player).is_empty()), "who signs its moves is told nothing");
    let mut world = Course { oracle: other.oracle.clone(), ..course }.begin();
    let black = world.seat_of(Color::Black);
    while world.truth.len() < 2 {
        world.step();
    }
    world.settle(black);
    assert_eq!(world.players[black].seat.table().begun().map(|play| play.ply), Some(1));
    for (ply, event) in moves.iter().enumerate().skip(1) {
        let ChainEvent::Moved { fields, .. } = event else { panic!("{event:?}") };
        world.tell(black, Event::Seen(*fields));
        world.tell(black, Event::Final(event.clone()));
        let notes = told(&world, black);
        assert_eq!(notes.len(), 1, "ply {ply}: {notes:?}");
        assert!(notes[0].contains("of ply 1 is on the chain"), "{notes:?}");
    }
}
