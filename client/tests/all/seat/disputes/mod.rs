//! What the honest client does when the link or the opponent fails it (protocol, section 8): it demands and is given its sights
//! through the chain, gives what is demanded, and wins against whoever falls silent.

mod answers;
mod chaos;
mod crashes;
mod cut_link;
mod end;
mod points;
mod proofs;
mod refused;
mod roots;
mod silence;
mod toss;

use client::seat::Effect;
use game::{ChainEvent, Ending, Outcome, Terms, Transaction};
use rules::Color;
use simulate::world::{Course, Mischief, Players, TERMS, World, short};

/// Short times, so that games of silence end soon; the windows are longer than an answer takes.
const QUICK: Terms = Terms { base: 1_000, delay: 300, window: 400, reveal: 300, ..TERMS };

/// A game by these terms.
fn course(seed: u64, script: Players) -> Course {
    Course { terms: QUICK, ..Course::new(seed, script) }
}

/// The short game, in which long times pass in few steps.
fn begin(seed: u64) -> World {
    let mut world = course(seed, short()).begin();
    world.longest_tick = 64;
    world
}

/// Makes the player of a color a cheat.
fn corrupt(world: &mut World, color: Color, mischief: Mischief) -> usize {
    let cheat = world.seat_of(color);
    world.players[cheat].mischief = Some(mischief);
    cheat
}

/// How a player knows that the game has ended.
fn ending(world: &World, i: usize) -> Ending {
    world.players[i].seat.table().ending().expect("the game is over")
}

/// Plays until a player knows that the game is over.
fn run_for(world: &mut World, i: usize) -> Ending {
    while world.players[i].seat.table().ending().is_none() {
        world.step();
    }
    ending(world, i)
}

fn wins(world: &World, i: usize, outcome: Outcome) {
    let ending = ending(world, i);
    assert_eq!((ending.winner, ending.outcome), (Some(world.players[i].me), outcome));
}

fn moves_made(world: &World) -> usize {
    world.truth.len() - 1
}

fn demands(world: &World) -> usize {
    world.events().filter(|event| matches!(event, ChainEvent::SightDemanded { .. })).count()
}

fn given(world: &World) -> usize {
    world.events().filter(|event| matches!(event, ChainEvent::SightAnswered { .. })).count()
}

/// Whether an effect is an answer, by the link or through the chain.
fn is_answer(effect: &Effect) -> bool {
    match effect {
        Effect::SendMessage(message) => message.id().kind == game::MessageKind::Answer,
        Effect::SendTransaction(transaction) => matches!(transaction, Transaction::AnswerSight { .. }),
        _ => false,
    }
}
