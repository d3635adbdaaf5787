//! A disk without room, and then a crash: what was accepted before a reply left is in no journal, for it was kept in memory alone
//! (`client/tests/all/full_disk.rs`). Nothing proves such a reply, so what its player says the second time must be the same.

use super::lies::{faults, intercept};
use client::journal::Entry;
use client::seat::{Effect, Event};
use fogmate_test::seed;
use game::{Message, MessageId, PeerFault, Phase, SessionId};
use rules::Color;
use simulate::world::{Course, Engines, Mischief, World, finish, short};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// What was sent in sessions, by who sent it and where it belongs.
#[derive(Default)]
struct Said {
    messages: BTreeMap<(usize, SessionId, u16), Vec<u8>>,
    /// Messages that were sent again.
    repeats: usize,
}

/// Writes down what both players send from now on; one that is sent again must be what it was.
fn listen(world: &mut World) -> Arc<Mutex<Said>> {
    let said = Arc::new(Mutex::new(Said::default()));
    for player in 0..2 {
        let said = said.clone();
        world.players[player].mischief = Some(Mischief::new(move |effect| {
            if let Effect::SendMessage(Message::Session { session, index, bytes }) = &effect {
                let mut said = said.lock().expect("no panic");
                if let Some(before) = said.messages.insert((player, *session, *index), bytes.clone()) {
                    assert!(before == *bytes, "message {index} of {session:?} is another one the second time");
                    said.repeats += 1;
                }
            }
            vec![effect]
        }));
    }
    said
}

/// White's sight before its second move, which Black gives.
const SIGHT: SessionId = SessionId::Exchange { ply: 2, phase: Phase::Pre };

#[test]
fn what_is_said_again_after_a_full_disk_is_the_same() {
    for engine in ["dh-psi", "dh-psi-plain", "emanant", "andos", "bfv"] {
        let mut world = Course::new(seed(441), short()).unproven(Engines::Shipped(engine)).begin();
        let said = listen(&mut world);
        while world.truth.len() < 3 {
            world.step();
        }
        // Full from here on. Black answers a question of White's, and its machine dies.
        let black = world.seat_of(Color::Black);
        let on_disk = world.players[black].journal.clone();
        let is_heard = |world: &World| {
            let lost = |key: &&Vec<u8>| !on_disk.contains_key(*key);
            let journal = &world.players[black].journal;
            journal.iter().any(|(key, entry)| {
                lost(&key) && matches!(entry, Entry::Received(Message::Session { session: SIGHT, .. }))
            })
        };
        while !(is_heard(&world) && said.lock().expect("no panic").messages.contains_key(&(black, SIGHT, 2))) {
            world.step();
        }
        world.players[black].journal = on_disk;
        world.crash(black, true);
        finish(&mut world);
        for i in 0..2 {
            assert!(world.accusations(i).is_empty(), "{engine}: {:?}", world.accusations(i));
        }
        let repeats = said.lock().expect("no panic").repeats;
        assert!(repeats > 0, "{engine}");
        println!("{engine}: {repeats} messages were sent again, the same");
    }
}

/// The place of a message of that sight.
fn place(index: u16) -> MessageId {
    SIGHT.message(index, false)
}

/// The reply that is under way to White.
fn reply(world: &World, black: usize) -> Option<Vec<u8>> {
    let found = world.network.iter().find(|(to, message)| *to != black && message.id() == place(2));
    found.map(|(_, message)| match message {
        Message::Session { bytes, .. } => bytes.clone(),
        _ => panic!("a session's message"),
    })
}

/// What a player can't remember it can't refuse: who asks otherwise the second time is answered twice. That is no more than these engines
/// trust an opponent with, which may ask for anything at once; and the second answer is drawn afresh (`another_question_takes_another_nonce`).
#[test]
fn after_a_full_disk_another_question_is_answered_too() {
    let mut world = Course::new(seed(442), short()).unproven(Engines::Shipped("dh-psi-plain")).begin();
    let (black, honest) = intercept(&mut world, Color::Black, place(1));
    let on_disk = world.players[black].journal.clone();
    let Message::Session { session, index, bytes } = honest.clone() else { panic!("a session's message") };
    // Two points in the other order: a set that nothing is wrong with.
    let swapped = [&bytes[32..64], &bytes[..32], &bytes[64..]].concat();
    let other = Message::Session { session, index, bytes: swapped };
    assert_eq!(faults(&mut world, black, Event::Received(honest)), []);
    let first = reply(&world, black).expect("a reply");
    let again = |world: &mut World| {
        world.network.clear();
        world.crash(black, true);
        world.settle(black);
        world.network.clear();
        let told = faults(world, black, Event::Received(other.clone()));
        (told, reply(world, black))
    };
    // With its journal Black knows better.
    assert_eq!(again(&mut world), (vec![PeerFault::Contradiction(place(1))], None));
    world.players[black].journal = on_disk;
    let (told, second) = again(&mut world);
    let second = second.expect("a reply");
    assert_eq!(told, []);
    assert_eq!(
        [&second[..32], &second[32..64]],
        [&first[32..64], &first[..32]],
        "the same exponent, for the opening was the same"
    );
    assert_ne!(second[second.len() - 64..], first[first.len() - 64..], "another proof of it");
}
