//! Points of a request that come late: the move goes without an answer, whose root is posted once they are here; not too often.

use super::{begin, moves_made};
use client::seat::Event;
use fogmate_test::seed;
use game::{Action, ChainEvent, MessageKind, Notice, Phase};
use halo2curves::bn256::Fr;
use rules::Color;
use simulate::world::{World, finish};

/// Takes the requests for a player off the network.
fn catch(world: &mut World, to: usize) -> Vec<Event> {
    let mut caught = Vec::new();
    let is_it =
        |(receiver, message): &(usize, game::Message)| *receiver == to && message.id().kind == MessageKind::Request;
    while let Some(place) = world.network.iter().position(is_it) {
        caught.push(Event::Received(world.network.remove(place).1));
    }
    caught
}

/// Whether a move without an answer's root is final.
fn is_bare(world: &World, ply: u16) -> bool {
    let is_it = |event: &ChainEvent| matches!(event, ChainEvent::Moved { fields, .. } if fields.ply == ply && fields.answer_root == Fr::zero());
    moves_made(world) > usize::from(ply) && world.events().any(is_it)
}

#[test]
fn a_root_that_the_move_couldnt_carry_is_posted_late() {
    let seed = seed(221);
    let mut world = begin(seed);
    let white = world.seat_of(Color::White);
    let mut late = Vec::new();
    while !is_bare(&world, 2) {
        world.step();
        late.extend(catch(&mut world, white));
    }
    // Heard by White before its points come.
    world.settle(white);
    assert!(world.players[white].shown.iter().any(|notice| matches!(notice, Notice::MovingWithoutAnswer { .. })));
    assert_eq!(world.players[white].count(Action::FillAnswer), 0);
    world.tell(white, late.pop().expect("Black has sent its points"));
    let is_filled = |event: &ChainEvent| matches!(event, ChainEvent::AnswerFilled { ply: 3, .. });
    while !world.events().any(is_filled) {
        world.step();
    }
    finish(&mut world);
    let before_a_move = |event: &ChainEvent| matches!(event, ChainEvent::SightDemanded { demanded, .. } if demanded.phase == Phase::Pre);
    assert!(!world.events().any(before_a_move), "Black has its sight by the link");
    for i in 0..2 {
        assert!(world.accusations(i).is_empty(), "{:?}", world.accusations(i));
    }
}

/// Posting late costs gas that an opponent could make one spend: three times a game is enough.
#[test]
fn roots_are_posted_late_three_times_at_most() {
    let seed = seed(231);
    let course = super::course(seed, simulate::world::Players::Random { plies: 14 });
    let mut world = course.begin();
    world.longest_tick = 8;
    let white = world.seat_of(Color::White);
    while !world.is_over() {
        world.step();
        for late in catch(&mut world, white) {
            let Event::Received(message) = &late else { continue };
            // Each comes when White has moved without it.
            if is_bare(&world, message.id().ply + 1) {
                world.settle(white);
                world.tell(white, late);
            }
        }
    }
    let filled = world.events().filter(|event| matches!(event, ChainEvent::AnswerFilled { .. })).count();
    println!("{filled} posted late in {} plies", moves_made(&world));
    assert!((1..=3).contains(&filled), "{filled}");
}
