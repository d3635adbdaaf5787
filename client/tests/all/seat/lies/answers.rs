//! Wrong answers: a seat takes no sight from them, and takes the right one after them.

use super::{faults, id, intercept, world};
use client::seat::Event;
use ff::Field;
use game::message::ELEMENTS;
use game::{Command, CommandError, Notice, PeerFault};
use game::{Message, MessageKind, Phase, WireError};
use halo2curves::bn256::Fr;
use rules::Color;
use simulate::world::{World, finish};

fn tampered(message: &Message, change: impl Fn(&mut Vec<Fr>, &mut Vec<u8>)) -> Event {
    let Message::Answer { ply, phase, mut elements, mut proof } = message.clone() else { panic!("an answer") };
    change(&mut elements, &mut proof);
    Event::Received(Message::Answer { ply, phase, elements, proof })
}

#[test]
fn wrong_answers_are_refused_by_name() {
    let mut world = world();
    let pre = id(MessageKind::Answer, 2, Phase::Pre);
    let (victim, honest) = intercept(&mut world, Color::White, pre);
    let silent = |world: &World| world.network.len();
    let messages = silent(&world);

    let lie = tampered(&honest, |elements, _| elements[5] += Fr::ONE);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::AnswerRoot(pre)]);
    let lie = tampered(&honest, |elements, _| elements[ELEMENTS - 1] = Fr::ONE);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::NoAnswer(pre)]);
    let lie = tampered(&honest, |_, proof| proof[0] ^= 1);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::Proof(pre)]);
    let lie = tampered(&honest, |_, proof| proof.clear());
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::Proof(pre)]);
    let garbage = Event::Unreadable(WireError::Truncated);
    assert_eq!(faults(&mut world, victim, garbage), [PeerFault::Garbage(WireError::Truncated)]);

    // Nothing was opened, nothing may be done on the strength of it, and nothing was sent.
    assert!(!world.players[victim].seat.can_move());
    let command = Command::Move { mv: "f1b5".parse().expect("UCI"), offer_draw: false };
    world.tell(victim, Event::Command(command));
    let last = world.players[victim].shown.last();
    assert_eq!(last, Some(&Notice::Refused { id: None, error: CommandError::SightNotProven }));
    assert_eq!(silent(&world), messages);

    assert_eq!(faults(&mut world, victim, Event::Received(honest.clone())), []);
    assert!(world.players[victim].seat.can_move());
    assert_eq!(faults(&mut world, victim, Event::Received(honest.clone())), [PeerFault::Duplicate(pre)]);
    let lie = tampered(&honest, |elements, _| elements[5] += Fr::ONE);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::Contradiction(pre)]);
    finish(&mut world);
}

#[test]
fn a_right_answer_behind_a_wrong_one_is_taken() {
    let mut world = world();
    let pre = id(MessageKind::Answer, 2, Phase::Pre);
    let (victim, honest) = intercept(&mut world, Color::White, pre);
    // Both are there before the first is checked.
    world.tell(victim, tampered(&honest, |_, proof| proof[0] ^= 1));
    assert_eq!(faults(&mut world, victim, Event::Received(honest)), [PeerFault::Proof(pre)]);
    assert!(world.players[victim].seat.can_move());
    finish(&mut world);
}

#[test]
fn a_wrong_sight_after_the_move_is_refused() {
    let mut world = world();
    let post = id(MessageKind::Answer, 0, Phase::Post);
    let (victim, honest) = intercept(&mut world, Color::White, post);
    let lie = tampered(&honest, |elements, _| elements[5] += Fr::ONE);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::Proof(post)]);
    // Even an answer that a broken verifier lets through can't be opened to nonsense. Elements that the pieces don't look at may
    // be anything; a payload that is looked at can't be.
    let nonsense =
        || tampered(&honest, |elements, _| elements[..ELEMENTS - 1].iter_mut().for_each(|element| *element += Fr::ONE));
    // The working verifier refuses it before anything is opened.
    assert_eq!(faults(&mut world, victim, nonsense()), [PeerFault::Proof(post)]);
    world.oracle.set_broken(true);
    let unopenable = PeerFault::Unopenable(post);
    assert_eq!(faults(&mut world, victim, nonsense()), [unopenable]);
    world.oracle.set_broken(false);
    assert_eq!(faults(&mut world, victim, Event::Received(honest)), []);
    finish(&mut world);
}
