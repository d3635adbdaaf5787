//! After the end nothing new leaves: an answer that is still demanded would open a board to who has no move to make by it. The
//! demander's bond goes back to it.

use super::{begin, moves_made, run_for};
use client::seat::{Event, JobKind};
use fogmate_test::seed;
use game::{Action, Command, MessageKind, Notice, Outcome};
use rules::Color;

#[test]
fn after_the_end_nothing_is_given_demanded_or_posted() {
    let seed = seed(331);
    let mut world = begin(seed);
    let white = world.seat_of(Color::White);
    let black = 1 - white;
    // Black demands a sight, of which White has heard for good and which it is about to give.
    let is_asked = |notice: &Notice| matches!(notice, Notice::SightDemanded { own: false, .. });
    while moves_made(&world) < 3 || !world.players[white].shown.iter().any(is_asked) {
        world.step();
        world.network.retain(|(to, message)| *to == white || message.id().kind != MessageKind::Answer);
    }
    let jobs = world.players[white].take_jobs();
    let (id, job) =
        jobs.into_iter().find(|(_, job)| matches!(job.kind, JobKind::ProvePublished(..))).expect("the answer");
    assert!(world.players[white].seat.awaits(id));
    world.tell(white, Event::Command(Command::Resign));
    let ending = run_for(&mut world, white);
    assert_eq!((ending.winner, ending.outcome), (Some(world.players[black].me), Outcome::Resigned));
    world.run();

    assert!(!world.players[white].seat.awaits(id));
    world.network.clear();
    let before = world.players.each_ref().map(|player| player.sent.len());
    world.tell(white, Event::Done(id, job.run()));
    for _ in 0..40 {
        world.step();
    }
    assert_eq!(world.players[white].sent[before[white]..], []);
    assert!(!world.network.iter().any(|(_, message)| message.id().kind == MessageKind::Answer));
    let open = world.players[black].sent[before[black]..].iter().map(|(action, _)| *action);
    assert!(open.clone().all(|action| action == Action::Reclaim), "{:?}", open.collect::<Vec<_>>());
    assert!(world.players[black].count(Action::Reclaim) > 0, "the window has passed");
    let is_back = |notice: &Notice| matches!(notice, Notice::BondBack { wei } if *wei > 0);
    assert!(world.players[black].shown.iter().any(is_back), "and the bond is its again");
}
