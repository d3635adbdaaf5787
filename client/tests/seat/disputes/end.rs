//! After the end nothing new leaves: an answer that is still demanded would open a board to who has lost already.

use super::{MODES, begin, moves_made};
use client::seat::Event;
use fogmate_test::seed;
use game::{Action, ChainEvent, Command, MessageKind, Outcome};
use rules::Color;

#[test]
fn after_the_end_nothing_is_given_demanded_or_posted() {
    let seed = seed(331);
    for mode in MODES {
        let mut world = begin(seed, mode);
        let white = world.seat_of(Color::White);
        // Black's demand for the sight after its move is final; White has not heard of it yet.
        let is_demand = |event: &ChainEvent| matches!(event, ChainEvent::SightDemanded { demanded, .. } if demanded.receiver == Color::Black);
        while moves_made(&world) < 3 || !world.events().any(is_demand) {
            world.autoplay = moves_made(&world) < 3;
            world.step();
            world.network.retain(|(to, message)| *to == white || message.id().kind != MessageKind::Answer);
            if world.events().any(is_demand) {
                break;
            }
        }
        world.autoplay = false;
        // Black resigns before White's answer can be made.
        world.tell(1 - white, Event::Command(Command::Resign));
        let jobs = world.players[white].take_jobs();
        drop(jobs);
        while world.players[white].seat.table().ending().is_none() {
            world.step();
        }
        let ending = super::ending(&world, white);
        let resigned = ending.outcome == Outcome::Resigned;
        let sent = world.players.each_ref().map(|player| player.sent.len());
        world.network.clear();
        for _ in 0..80 {
            world.step();
        }
        for (i, before) in sent.into_iter().enumerate() {
            let new = &world.players[i].sent[before..];
            let harmless = |action: &Action| matches!(action, Action::Reclaim | Action::ClaimTimeout | Action::Resign);
            assert!(new.iter().all(|(action, _)| harmless(action)), "resigned {resigned}: {new:?}");
        }
        assert!(!world.network.iter().any(|(_, message)| message.id().kind == MessageKind::Answer));
    }
}
