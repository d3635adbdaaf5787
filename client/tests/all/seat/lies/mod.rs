//! A cheating opponent, lie by lie: each is refused by its own name, changes nothing, and after the truth the game goes on
//! to its end.

mod answers;
mod misplaced;
mod requests;

use client::seat::Event;
use fogmate_test::seed;
use game::{Message, MessageId, MessageKind, Phase};
use game::{Notice, PeerFault};
use rules::Color;
use simulate::world::{Weather, World, short};

fn id(kind: MessageKind, ply: u16, phase: Phase) -> MessageId {
    MessageId::new(kind, ply, phase)
}

fn world() -> World {
    World::new(seed(81), short(), Weather::default())
}

/// Plays until a message for `color` is in the network, and takes it out; everything else that `color` is told has come.
pub(super) fn intercept(world: &mut World, color: Color, wanted: MessageId) -> (usize, Message) {
    let victim = world.seat_of(color);
    loop {
        let here = world.network.iter().position(|(to, message)| *to == victim && message.id() == wanted);
        if let Some(place) = here {
            let (_, message) = world.network.remove(place);
            world.settle(victim);
            return (victim, message);
        }
        world.step();
    }
}

/// What a seat says to an event, and to all that follows from it.
pub(super) fn faults(world: &mut World, victim: usize, event: Event) -> Vec<PeerFault> {
    let before = world.players[victim].shown.len();
    world.tell(victim, event);
    world.settle(victim);
    let said = world.players[victim].shown[before..].iter();
    said.filter_map(|update| if let Notice::Fault { fault } = update { Some(fault.clone()) } else { None }).collect()
}
