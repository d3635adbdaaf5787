//! A wallet on two machines: the one that didn't sign a move hears of it from the chain. It is told once, and plays on.

use client::seat::{Effect, Event};
use fogmate_test::seed;
use game::{ChainEvent, Notice};
use rules::Color;
use simulate::world::{Course, short};

fn is_told(notice: &Notice) -> bool {
    matches!(notice, Notice::JournalNote { text: note } if note.contains("doesn't remember signing it"))
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
    assert!(
        !other.players.iter().any(|player| player.shown.iter().any(is_told)),
        "who signs its moves is told nothing"
    );
    let mut world = Course { oracle: other.oracle.clone(), ..course }.begin();
    let black = world.seat_of(Color::Black);
    while world.truth.len() < 2 {
        world.step();
    }
    world.settle(black);
    assert_eq!(world.players[black].seat.table().begun().map(|play| play.ply), Some(1));
    let mut told = Vec::new();
    for event in &moves[1..] {
        let ChainEvent::Moved { fields, .. } = event else { panic!("{event:?}") };
        for event in [Event::Seen(*fields), Event::Final(event.clone())] {
            // Past the world, which would find these moves made by nobody.
            let effects = world.players[black].seat.apply(event);
            told.extend(effects.into_iter().filter_map(|effect| match effect {
                Effect::Notify(notice) if is_told(&notice) => Some((fields.ply, notice)),
                _ => None,
            }));
        }
    }
    assert!(
        matches!(&told[..], [(1, Notice::JournalNote { text: note })] if note.contains("as Black's move 1, is on the chain")),
        "{told:?}"
    );
}
