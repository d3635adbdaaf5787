//! Engines whose sights are sessions of many messages, and whose set-up has messages too: in all weathers, killed in the middle of a
//! session, and with an opponent that lies in one. Nothing is proven in such a game: a lie is refused by name, and the game goes on.

use super::lies::{faults, intercept};
use client::journal::Entry;
use client::seat::{Effect, Event, Seat};
use fogmate_test::seed;
use game::audit::Record;
use game::{
    ChainEvent, Command, CommandError, Message, MessageId, MessageKind, Mode, MoveFields, Notice, PeerFault, Phase,
    SessionId, Transaction,
};
use rules::{Color, Square};
use simulate::world::{Course, Engines, Weather, World, finish, short};
use std::sync::{Arc, Mutex};

fn storm() -> Weather {
    Weather {
        drop: 15,
        duplicate: 20,
        reorder: true,
        reorg: 15,
        lose_transaction: 10,
        inclusion: 4,
        ..Weather::default()
    }
}

fn course(number: u64, engine: Engines) -> Course {
    Course::new(seed(number), short()).unproven(engine)
}

/// The place of the message that the receiver owes in White's sight before its second move.
fn question(index: u16) -> MessageId {
    SessionId::Exchange { ply: 2, phase: Phase::Pre }.message(index, false)
}

fn accuses_nobody(world: &World) {
    for i in 0..2 {
        assert!(world.accusations(i).is_empty(), "{:?}", world.accusations(i));
    }
}

#[test]
fn a_game_of_sessions_plays_through_and_is_replayed() {
    for engine in [Engines::Sessions, Engines::Greeting] {
        let mut world = course(401, engine).begin();
        finish(&mut world);
        accuses_nobody(&world);
        world.check_records();
        let sent = |notice: &&Notice| matches!(notice, Notice::CheckingSight { .. });
        assert_eq!(world.players[0].shown.iter().filter(sent).count(), 0, "nothing is verified");
    }
}

#[test]
fn a_game_of_sessions_plays_through_in_a_storm() {
    for (number, engine) in [(402, Engines::Sessions), (403, Engines::Greeting)] {
        let mut world = Course { weather: storm(), ..course(number, engine) }.begin();
        finish(&mut world);
        accuses_nobody(&world);
        println!("{} steps", world.steps);
    }
}

/// At every so many steps of the game: a crash, then the game to its end.
fn killed(engine: Engines, color: Color, journal: bool, every: usize) {
    let course = course(404, engine);
    let mut world = course.begin();
    let begun = world.steps;
    while !world.is_over() {
        if world.steps.is_multiple_of(every) {
            let mut other = course.begin();
            (begun..world.steps).for_each(|_| other.step());
            let who = other.seat_of(color);
            other.crash(who, journal);
            other.run();
            assert_eq!(other.truth.len(), 6, "killed at step {}", world.steps);
            accuses_nobody(&other);
        }
        world.step();
    }
    println!("{color:?}, journal {journal}: killed at every {every}th of {} steps", world.steps);
}

#[test]
fn killed_in_the_middle_of_sessions_the_game_goes_on() {
    killed(Engines::Greeting, Color::White, true, 61);
    killed(Engines::Sessions, Color::Black, true, 67);
}

#[test]
fn killed_without_a_journal_the_peer_says_it_again() {
    killed(Engines::Greeting, Color::Black, false, 73);
    killed(Engines::Sessions, Color::White, false, 79);
}

#[test]
fn what_is_accepted_is_in_the_journal_before_the_reply_leaves() {
    let mut world = course(405, Engines::Sessions).begin();
    let (black, heard) = intercept(&mut world, Color::Black, question(3));
    assert_eq!(faults(&mut world, black, Event::Received(heard.clone())), []);
    assert!(world.players[black].journal.values().any(|entry| *entry == Entry::Received(heard.clone())));
    let reply = |(to, message): &(usize, Message)| *to != black && message.id() == question(4);
    assert!(world.network.iter().any(reply));
    // Killed now, with that journal: nothing that was answered is said again.
    world.network.clear();
    world.crash(black, true);
    world.settle(black);
    let said: Vec<MessageId> = world.network.iter().map(|(_, message)| message.id()).collect();
    assert!(said.contains(&question(4)), "{said:?}");
    assert!(!said.contains(&question(0)) && !said.contains(&question(2)), "{said:?}");
    finish(&mut world);
    accuses_nobody(&world);
}

/// What a player's journal has of the opponent's.
fn heard(world: &World, player: usize, id: MessageId) -> Option<Message> {
    world.players[player].journal.values().find_map(|entry| match entry {
        Entry::Received(message) if message.id() == id => Some(message.clone()),
        _ => None,
    })
}

/// A restarted machine runs its sessions again by its journal, and the opponent may speak meanwhile: it can't take back what it has said.
#[test]
fn what_the_journal_has_is_not_said_otherwise_while_it_is_read() {
    let mut sight = course(416, Engines::Sessions).begin();
    let (black, last) = intercept(&mut sight, Color::Black, question(3));
    assert_eq!(faults(&mut sight, black, Event::Received(last)), []);
    let mut set_up = course(417, Engines::Greeting).begin();
    let (white, greeting) = (set_up.seat_of(Color::White), SessionId::SetUp.message(1, false));
    while heard(&set_up, white, greeting).is_none() {
        set_up.step();
    }
    for (mut world, player, ids) in [(sight, black, vec![question(1), question(3)]), (set_up, white, vec![greeting])] {
        for id in ids {
            let said = heard(&world, player, id).expect("it was accepted");
            world.crash(player, true);
            let other = tampered(&said, |bytes| bytes[7] ^= 1);
            assert_eq!(faults(&mut world, player, other), [PeerFault::TooEarly(id)]);
        }
        finish(&mut world);
    }
}

fn tampered(message: &Message, change: impl Fn(&mut Vec<u8>)) -> Event {
    let Message::Session { session, index, mut bytes } = message.clone() else { panic!("a session's message") };
    change(&mut bytes);
    Event::Received(Message::Session { session, index, bytes })
}

#[test]
fn lies_in_a_session_are_refused_by_name() {
    let mut world = course(406, Engines::Sessions).begin();
    // The opening, which White's opponent has promised on chain.
    let (white, honest) = intercept(&mut world, Color::White, question(0));
    let lie = tampered(&honest, |bytes| bytes[7] ^= 1);
    assert_eq!(faults(&mut world, white, lie), [PeerFault::AnswerRoot(question(0))]);
    for change in [|bytes: &mut Vec<u8>| bytes.truncate(5), |bytes: &mut Vec<u8>| bytes.push(0)] {
        assert_eq!(faults(&mut world, white, tampered(&honest, change)), [PeerFault::Malformed(question(0))]);
    }
    let Message::Session { session, bytes, .. } = honest.clone() else { panic!("a session's message") };
    let early = Message::Session { session, index: 2, bytes: bytes.clone() };
    let refused = faults(&mut world, white, Event::Received(early));
    assert!(matches!(refused[..], [PeerFault::Malformed(_) | PeerFault::TooEarly(_)]), "{refused:?}");
    let own = Message::Session { session, index: 1, bytes };
    assert_eq!(faults(&mut world, white, Event::Received(own)), [PeerFault::TooEarly(question(1))]);
    assert!(!world.players[white].seat.can_move());
    assert_eq!(faults(&mut world, white, Event::Received(honest.clone())), []);
    assert_eq!(faults(&mut world, white, Event::Received(honest.clone())), [PeerFault::Duplicate(question(0))]);
    let lie = tampered(&honest, |bytes| bytes[7] ^= 1);
    assert_eq!(faults(&mut world, white, lie), [PeerFault::Contradiction(question(0))]);
    finish(&mut world);
}

#[test]
fn an_opponent_that_says_nothing_more_is_neither_answered_nor_demanded_from() {
    let mut world = course(407, Engines::Sessions).begin();
    let (white, _) = intercept(&mut world, Color::White, question(4));
    world.autoplay = false;
    world.cut_link();
    for _ in 0..40 {
        world.tick(20);
        world.settle(white);
    }
    assert!(!world.players[white].seat.can_move());
    let asked = world.players[white].sent.iter().any(|(action, _)| *action == game::Action::DemandSight);
    assert!(!asked, "no contract gives a sight in this mode");
    let mv = "f1b5".parse().expect("UCI");
    world.tell(white, Event::Command(Command::Move { mv, offer_draw: false }));
    assert_eq!(
        world.players[white].shown.last(),
        Some(&Notice::Refused { id: None, error: CommandError::SightNotProven })
    );
}

#[test]
fn a_transcript_of_other_messages_is_told() {
    let mut world = course(408, Engines::Sessions).begin();
    let white = world.seat_of(Color::White);
    // White says on chain that it was sent something else in the sight before its second move.
    world.players[white].mischief = Some(simulate::world::Mischief::new(|mut effect| {
        if let client::seat::Effect::SendTransaction(game::Transaction::Move { fields, .. }) = &mut effect
            && fields.ply == 2
        {
            fields.next_request_root = halo2curves::bn256::Fr::from(7);
        }
        vec![effect]
    }));
    let told = |world: &World| world.accusations(1 - white).contains(&&PeerFault::Transcript(2));
    while !told(&world) {
        world.step();
    }
}

#[test]
fn before_the_set_up_is_done_nothing_can_be_played() {
    let course = course(409, Engines::Greeting);
    assert_eq!(course.terms.mode, Mode::Unproven);
    let mut world = course.join();
    let is_greeting = |(_, message): &(usize, Message)| message.id().kind == MessageKind::SetUp;
    let knows_colors = |world: &World| world.players.iter().all(|player| player.seat.color().is_some());
    while !(knows_colors(&world) && world.network.iter().any(is_greeting)) {
        world.step();
    }
    let white = world.seat_of(Color::White);
    let mv = "e2e4".parse().expect("UCI");
    world.tell(white, Event::Command(Command::Move { mv, offer_draw: false }));
    assert_eq!(world.players[white].shown.last(), Some(&Notice::Refused { id: None, error: CommandError::SettingUp }));
    // A greeting of another length, and none at all.
    let place = world.network.iter().position(is_greeting).expect("one");
    let (black, honest) = world.network.remove(place);
    let id = |index| SessionId::SetUp.message(index, false);
    let lie = tampered(&honest, |bytes| bytes.truncate(9));
    assert_eq!(faults(&mut world, black, lie), [PeerFault::Malformed(id(0))]);
    let lie = tampered(&honest, |bytes| bytes[1] ^= 1);
    assert_eq!(faults(&mut world, black, lie), [PeerFault::Malformed(id(0))]);
    assert_eq!(faults(&mut world, black, Event::Received(honest)), []);
    world.autoplay = true;
    finish(&mut world);
}

/// Whether emanant refuses a reply may hang on what the receiver asked for. Who could try again would learn it, square by square.
#[test]
fn a_reply_that_is_not_in_order_is_looked_at_once() {
    let mut world = course(409, Engines::Sessions).begin();
    let (white, honest) = intercept(&mut world, Color::White, question(2));
    let refused = faults(&mut world, white, tampered(&honest, |bytes| bytes[7] ^= 1));
    let is_named = matches!(refused[..], [PeerFault::Malformed(id) | PeerFault::Proof(id)] if id == question(2));
    assert!(is_named, "{refused:?}");
    for reply in [tampered(&honest, |bytes| bytes[9] ^= 1), Event::Received(honest)] {
        assert_eq!(faults(&mut world, white, reply), [PeerFault::Malformed(question(2))]);
    }
    assert!(!world.players[white].seat.can_move(), "no sight comes of it");
}

/// The second try comes while the first is being looked at.
#[test]
fn a_reply_that_came_while_a_wrong_one_was_looked_at_is_not_looked_at() {
    let mut world = course(413, Engines::Sessions).begin();
    let (white, honest) = intercept(&mut world, Color::White, question(2));
    world.tell(white, tampered(&honest, |bytes| bytes[7] ^= 1));
    // Not settled: the step that looks at it is running.
    world.tell(white, Event::Received(honest));
    world.settle(white);
    let went_on = |(to, message): &(usize, Message)| *to != white && message.id() == question(3);
    assert!(!world.network.iter().any(went_on), "the second reply was looked at after the first was refused");
}

/// The set-up is closed in the same way, and the message is named by its number.
#[test]
fn a_wrong_answer_in_the_set_up_closes_it() {
    let mut world = course(415, Engines::Greeting).join();
    let id = SessionId::SetUp.message(1, false);
    let is_answer = |(_, message): &(usize, Message)| message.id() == id;
    while !world.network.iter().any(is_answer) {
        world.step();
    }
    let white = world.seat_of(Color::White);
    let place = world.network.iter().position(is_answer).expect("one");
    let (to, honest) = world.network.remove(place);
    assert_eq!(to, white);
    assert_eq!(faults(&mut world, white, tampered(&honest, |bytes| bytes[1] ^= 1)), [PeerFault::Malformed(id)]);
    assert_eq!(faults(&mut world, white, Event::Received(honest)), [PeerFault::Malformed(id)]);
}

/// Each wrong opening costs its receiver time, so who sends many isn't listened to at once.
#[test]
fn after_eight_wrong_openings_one_is_looked_at_when_it_is_asked_for() {
    let mut world = course(414, Engines::Sessions).begin();
    let (white, honest) = intercept(&mut world, Color::White, question(0));
    let wrong = |byte: usize| tampered(&honest, move |bytes| bytes[byte] ^= 1);
    for byte in 1..=7 {
        assert_eq!(faults(&mut world, white, wrong(byte)), [PeerFault::AnswerRoot(question(0))]);
    }
    let right = || Event::Received(honest.clone());
    // The right one comes while the last wrong one is being looked at.
    world.tell(white, wrong(8));
    assert_eq!(faults(&mut world, white, right()), [PeerFault::AnswerRoot(question(0))]);
    for early in [wrong(9), right()] {
        assert_eq!(faults(&mut world, white, early), [PeerFault::TooEarly(question(0))]);
    }
    let asks = |world: &mut World| {
        world.network.clear();
        world.tick(world.config.want_every);
        world.settle(white);
        let wish = SessionId::Exchange { ply: 2, phase: Phase::Pre }.message(0, true);
        world.network.iter().any(|(_, message)| message.id() == wish)
    };
    while !asks(&mut world) {}
    assert_eq!(faults(&mut world, white, wrong(10)), [PeerFault::AnswerRoot(question(0))]);
    assert_eq!(faults(&mut world, white, wrong(11)), [PeerFault::TooEarly(question(0))]);
    while !asks(&mut world) {}
    assert_eq!(faults(&mut world, white, right()), []);
    finish(&mut world);
}

/// Only the opening can come before the move that it follows is final here; anything else would fill the memory.
#[test]
fn only_openings_are_kept_early() {
    let mut world = course(410, Engines::Sessions).begin();
    let (white, honest) = intercept(&mut world, Color::White, question(0));
    let Message::Session { bytes, .. } = honest else { panic!("a session's message") };
    let session = SessionId::Exchange { ply: 2, phase: Phase::Post };
    let early = |index| Event::Received(Message::Session { session, index, bytes: bytes.clone() });
    for index in [2, 4, 65_534] {
        assert_eq!(faults(&mut world, white, early(index)), [PeerFault::TooEarly(session.message(index, false))]);
    }
    assert_eq!(faults(&mut world, white, early(0)), []);
}

/// Nothing proves a capture in such a game; who stands on the square knows better.
#[test]
fn a_capture_of_nothing_is_told() {
    let mut world = course(411, Engines::Sessions).begin();
    let white = world.seat_of(Color::White);
    let said = Arc::new(Mutex::new(None));
    let kept = said.clone();
    world.players[white].mischief = Some(simulate::world::Mischief::new(move |effect| match effect {
        Effect::SendTransaction(Transaction::Move { fields, .. }) if fields.ply == 2 => {
            *kept.lock().expect("no panic") = Some(fields);
            Vec::new()
        }
        effect => vec![effect],
    }));
    let fields = loop {
        world.step();
        if let Some(fields) = *said.lock().expect("no panic") {
            break fields;
        }
    };
    world.settle(1 - white);
    let told = |square: &str| {
        let square: Square = square.parse().expect("a square");
        let (mut records, player) = (world.records(), world.players[white].me);
        let fields = MoveFields { capture: Some(square), ..fields };
        records.push(Record::of_chain(ChainEvent::Moved { player, fields, basis: None, proof: None }, None));
        let black = &world.players[1 - white];
        let engine = Engines::Sessions.with(&world.oracle);
        let mut seat = Seat::new(black.me, black.secrets.clone(), engine, world.chain.game, world.config);
        let fault = PeerFault::Capture { ply: 2, square };
        let is_told =
            |effect: &Effect| matches!(effect, Effect::Notify(Notice::Fault { fault: told }) if *told == fault);
        records.into_iter().any(|record| seat.apply(Event::Final(record.event)).iter().any(is_told))
    };
    // Black has moved its pawn from d7 to d5.
    assert!(!told("d5") && !told("a7"));
    assert!(told("d7") && told("e4"));
}

/// A player that comes back without its journal sets its engine up again; meanwhile the game is where the chain has it.
#[test]
fn while_the_set_up_goes_on_again_the_game_is_shown_as_it_stands() {
    let mut world = course(412, Engines::Greeting).begin();
    while world.truth.len() < 4 {
        world.step();
    }
    let white = world.seat_of(Color::White);
    world.settle(white);
    let ply = |world: &World| world.players[white].seat.table().begun().map(|play| play.ply);
    let before = ply(&world);
    assert!(before >= Some(3), "{before:?}");
    world.players[white].shown.clear();
    world.crash(white, false);
    assert_eq!(ply(&world), before);
    let playing = |notice: &Notice| matches!(notice, Notice::Playing { ply, .. } if Some(*ply) == before);
    assert!(world.players[white].shown.iter().any(playing), "{:?}", world.players[white].shown);
    finish(&mut world);
    accuses_nobody(&world);
}

/// What was played is told after a restart, also where the engine is set up again first.
#[test]
fn after_a_restart_what_was_played_is_told_once() {
    for engine in [Engines::Sessions, Engines::Greeting] {
        let mut world = course(418, engine).begin();
        while world.truth.len() < 4 {
            world.step();
        }
        let white = world.seat_of(Color::White);
        world.settle(white);
        world.players[white].shown.clear();
        world.crash(white, true);
        world.settle(white);
        let plies = |notice: &Notice| if let Notice::History { plies } = notice { Some(plies.len()) } else { None };
        let told: Vec<usize> = world.players[white].shown.iter().filter_map(plies).collect();
        let made = world.players[white].seat.table().begun().map(|play| usize::from(play.ply));
        assert!(made >= Some(3) && told == Vec::from_iter(made), "{engine:?}: {told:?} of {made:?}");
    }
}
