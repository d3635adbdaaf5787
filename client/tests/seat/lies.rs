//! A cheating opponent, lie by lie: each is refused by its own name, changes nothing, and after the truth the game goes on
//! to its end. Also a user's own mistakes, and an opponent that says nothing.

use crate::world::{CONFIG, Players, Weather, World, seed};
use alloy::primitives::Address;
use client::link::{ELEMENTS, Kind, Message, MessageId, POINTS_BYTES, Phase, WireError};
use client::seat::{
    ChainEvent, Command, CommandError, Effect, Event, MoveFields, PeerFault, Reason, Seat,
    Transaction, Update,
};
use ff::Field;
use fog::curve::{CurveError, Point};
use fog::request::Request;
use halo2curves::bn256::Fr;
use rules::{Color, Move};

const MOVES: [&str; 5] = ["e2e4", "d7d5", "f1b5", "d5e4", "b5e8"];

fn id(kind: Kind, ply: u16, phase: Phase) -> MessageId {
    MessageId { ply, phase, kind }
}

fn world() -> World {
    let moves = MOVES.map(|mv| mv.parse().expect("UCI"));
    World::new(seed(81), Players::Script(moves.into()), Weather::default())
}

/// Plays until a message for `color` is in the network, and takes it out; everything else that `color` is told has come.
fn intercept(world: &mut World, color: Color, wanted: MessageId) -> (usize, Message) {
    let victim = world.seat_of(color);
    loop {
        let here = world
            .network
            .iter()
            .position(|(to, message)| *to == victim && message.id() == wanted);
        if let Some(place) = here {
            let (_, message) = world.network.remove(place);
            world.settle(victim);
            return (victim, message);
        }
        world.step();
    }
}

/// What a seat says to an event, and to all that follows from it.
fn faults(world: &mut World, victim: usize, event: Event) -> Vec<PeerFault> {
    let before = world.players[victim].shown.len();
    world.tell(victim, event);
    world.settle(victim);
    let said = world.players[victim].shown[before..].iter();
    said.filter_map(|update| {
        if let Update::Fault(fault) = update {
            Some(fault.clone())
        } else {
            None
        }
    })
    .collect()
}

fn tampered(message: &Message, change: impl Fn(&mut Vec<Fr>, &mut Vec<u8>)) -> Event {
    let Message::Answer {
        ply,
        phase,
        mut elements,
        mut proof,
    } = message.clone()
    else {
        panic!("an answer")
    };
    change(&mut elements, &mut proof);
    Event::Received(Message::Answer {
        ply,
        phase,
        elements,
        proof,
    })
}

fn points(ply: u16, request: &Request) -> Event {
    let points = request
        .to_bytes()
        .into_boxed_slice()
        .try_into()
        .expect("4096 bytes");
    Event::Received(Message::Request { ply, points })
}

fn finish(world: &mut World) {
    world.run();
    assert_eq!(world.truth.len(), MOVES.len() + 1);
    let outcome = world.players[0].seat.table().outcome().expect("over");
    assert_eq!(
        (outcome.color, outcome.reason),
        (Some(Color::White), Reason::KingCaptured)
    );
}

#[test]
fn wrong_answers_are_refused_by_name() {
    let mut world = world();
    let pre = id(Kind::Answer, 2, Phase::Pre);
    let (victim, honest) = intercept(&mut world, Color::White, pre);
    let silent = |world: &World| world.network.len();
    let messages = silent(&world);

    let lie = tampered(&honest, |elements, _| elements[5] += Fr::ONE);
    assert_eq!(
        faults(&mut world, victim, lie),
        [PeerFault::AnswerRoot(pre)]
    );
    let lie = tampered(&honest, |elements, _| elements[ELEMENTS - 1] = Fr::ONE);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::NoAnswer(pre)]);
    let lie = tampered(&honest, |_, proof| proof[0] ^= 1);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::Proof(pre)]);
    let lie = tampered(&honest, |_, proof| proof.clear());
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::Proof(pre)]);
    let garbage = Event::Unreadable(WireError::Truncated);
    assert_eq!(
        faults(&mut world, victim, garbage),
        [PeerFault::Garbage(WireError::Truncated)]
    );

    // Nothing was opened, nothing may be done on the strength of it, and nothing was sent.
    assert!(!world.players[victim].seat.can_move());
    for command in [
        Command::Move {
            mv: "f1b5".parse().expect("UCI"),
            offer_draw: false,
        },
        Command::Resign,
    ] {
        world.tell(victim, Event::Command(command));
        let last = world.players[victim].shown.last();
        assert_eq!(last, Some(&Update::Refused(CommandError::SightNotProven)));
    }
    assert_eq!(silent(&world), messages);

    assert_eq!(
        faults(&mut world, victim, Event::Received(honest.clone())),
        []
    );
    assert!(world.players[victim].seat.can_move());
    assert_eq!(
        faults(&mut world, victim, Event::Received(honest.clone())),
        [PeerFault::Duplicate(pre)]
    );
    let lie = tampered(&honest, |elements, _| elements[5] += Fr::ONE);
    assert_eq!(
        faults(&mut world, victim, lie),
        [PeerFault::Contradiction(pre)]
    );
    finish(&mut world);
}

#[test]
fn a_right_answer_behind_a_wrong_one_is_taken() {
    let mut world = world();
    let pre = id(Kind::Answer, 2, Phase::Pre);
    let (victim, honest) = intercept(&mut world, Color::White, pre);
    // Both are there before the first is checked.
    world.tell(victim, tampered(&honest, |_, proof| proof[0] ^= 1));
    assert_eq!(
        faults(&mut world, victim, Event::Received(honest)),
        [PeerFault::Proof(pre)]
    );
    assert!(world.players[victim].seat.can_move());
    finish(&mut world);
}

#[test]
fn a_wrong_sight_after_the_move_is_refused() {
    let mut world = world();
    let post = id(Kind::Answer, 0, Phase::Post);
    let (victim, honest) = intercept(&mut world, Color::White, post);
    let lie = tampered(&honest, |elements, _| elements[5] += Fr::ONE);
    assert_eq!(faults(&mut world, victim, lie), [PeerFault::Proof(post)]);
    // Even an answer that a broken verifier lets through can't be opened to nonsense.
    let mut seat = world.players[victim].seat.clone();
    let nonsense = tampered(&honest, |elements, _| {
        elements[..ELEMENTS - 1]
            .iter_mut()
            .for_each(|element| *element += Fr::ONE)
    });
    let effects = seat.apply(nonsense);
    let check = effects.iter().find_map(|effect| {
        if let Effect::VerifyAnswer { check, .. } = effect {
            Some(*check)
        } else {
            None
        }
    });
    let effects = seat.apply(Event::AnswerChecked {
        check: check.expect("a check"),
        valid: true,
    });
    let unopenable = |effect: &Effect| {
        matches!(
            effect,
            Effect::Show(Update::Fault(PeerFault::Unopenable(_)))
        )
    };
    // Elements that the pieces don't look at may be anything; a payload that is looked at can't be.
    assert!(effects.iter().any(unopenable));
    assert_eq!(faults(&mut world, victim, Event::Received(honest)), []);
    finish(&mut world);
}

#[test]
fn wrong_requests_are_refused_by_name() {
    let mut world = world();
    let asked = id(Kind::Request, 1, Phase::Pre);
    let (victim, honest) = intercept(&mut world, Color::White, asked);
    while world.players[victim]
        .seat
        .table()
        .board()
        .expect("in play")
        .ply
        < 2
    {
        world.step();
        world
            .network
            .retain(|(to, message)| *to != victim || message.id().kind != Kind::Request);
    }
    let Message::Request { points: bytes, .. } = &honest else {
        panic!("a request")
    };
    let changed = |at: usize, byte: u8| {
        let mut points = bytes.clone();
        points[at] = byte;
        Event::Received(Message::Request { ply: 1, points })
    };
    let bad = |source| [PeerFault::BadPoint { id: asked, source }];
    assert_eq!(
        faults(&mut world, victim, changed(63, bytes[63] ^ 1)),
        bad(CurveError::OffCurve)
    );
    assert_eq!(
        faults(&mut world, victim, changed(0, 0xff)),
        bad(CurveError::CoordinateTooLarge)
    );
    let nothing = Event::Received(Message::Request {
        ply: 1,
        points: Box::new([0; POINTS_BYTES]),
    });
    assert_eq!(
        faults(&mut world, victim, nothing),
        bad(CurveError::Infinity)
    );
    let others = Request {
        points: [Point::generator(); 64],
    };
    assert_eq!(
        faults(&mut world, victim, points(1, &others)),
        [PeerFault::RequestRoot(asked)]
    );

    let of = |ply| {
        Event::Received(Message::Request {
            ply,
            points: bytes.clone(),
        })
    };
    let wrong = |ply| id(Kind::Request, ply, Phase::Pre);
    assert_eq!(
        faults(&mut world, victim, of(2)),
        [PeerFault::WrongPly(wrong(2))]
    );
    assert_eq!(
        faults(&mut world, victim, of(5)),
        [PeerFault::TooEarly(wrong(5))]
    );
    assert_eq!(
        faults(&mut world, victim, Event::Received(honest.clone())),
        []
    );
    assert_eq!(
        faults(&mut world, victim, Event::Received(honest)),
        [PeerFault::Duplicate(asked)]
    );
    assert_eq!(
        faults(&mut world, victim, points(1, &others)),
        [PeerFault::Contradiction(asked)]
    );
    finish(&mut world);
}

#[test]
fn wrong_plies_phases_and_wishes_are_refused_by_name() {
    let mut world = world();
    let (victim, honest) = intercept(&mut world, Color::White, id(Kind::Answer, 4, Phase::Pre));
    let answer = |ply, phase| {
        let Message::Answer {
            elements, proof, ..
        } = honest.clone()
        else {
            panic!("an answer")
        };
        Event::Received(Message::Answer {
            ply,
            phase,
            elements,
            proof,
        })
    };
    let of = |ply, phase| id(Kind::Answer, ply, phase);
    let mut check = |event, fault| assert_eq!(faults(&mut world, victim, event), [fault]);
    check(
        answer(5, Phase::Pre),
        PeerFault::WrongPly(of(5, Phase::Pre)),
    );
    check(
        answer(0, Phase::Pre),
        PeerFault::WrongPly(of(0, Phase::Pre)),
    );
    check(answer(2, Phase::Pre), PeerFault::Stale(of(2, Phase::Pre)));
    check(answer(0, Phase::Post), PeerFault::Stale(of(0, Phase::Post)));
    check(
        answer(6, Phase::Pre),
        PeerFault::TooEarly(of(6, Phase::Pre)),
    );
    check(
        answer(40, Phase::Post),
        PeerFault::TooEarly(of(40, Phase::Post)),
    );
    let want = |ply, phase| Event::Received(Message::Want { ply, phase });
    let wish = |ply, phase| id(Kind::Want, ply, phase);
    check(
        want(9, Phase::Pre),
        PeerFault::NotToBeHad(wish(9, Phase::Pre)),
    );
    check(
        want(0, Phase::Pre),
        PeerFault::NotToBeHad(wish(0, Phase::Pre)),
    );
    check(
        want(4, Phase::Post),
        PeerFault::WrongPly(wish(4, Phase::Post)),
    );
    // The opponent's next sight isn't made yet, and wouldn't be released before one's own move is final.
    check(
        want(5, Phase::Pre),
        PeerFault::NotToBeHad(wish(5, Phase::Pre)),
    );
    check(
        Event::Received(Message::Request {
            ply: 1,
            points: Box::new([0; POINTS_BYTES]),
        }),
        PeerFault::Stale(id(Kind::Request, 1, Phase::Pre)),
    );
    assert_eq!(faults(&mut world, victim, Event::Received(honest)), []);
    finish(&mut world);
}

#[test]
fn a_request_that_cant_be_answered_is_refused_and_stops_nothing() {
    let mut world = world();
    let (victim, _) = intercept(&mut world, Color::Black, id(Kind::Request, 0, Phase::Pre));
    let player = &world.players[victim];
    let key = player.secrets.fog_secret().key();
    // B_s = A: the key for choice 1 would be the point at infinity. The turn proof keeps such a root off the chain.
    let request = Request {
        points: [key.0; 64],
    };
    let mut seat = Seat::new(player.me, player.secrets.clone(), world.chain.game, CONFIG);
    for logged in &world.chain.log[..3] {
        let _ = seat.apply(Event::Final(logged.event.clone()));
    }
    let white = seat.table().board().expect("in play").players[0];
    let _ = seat.apply(moved(white, request.root()));
    let effects = seat.apply(points(0, &request));
    let fault = PeerFault::Malformed(id(Kind::Request, 0, Phase::Pre));
    let shows = |effects: &[Effect], wanted: &Update| {
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Show(update) if update == wanted))
    };
    assert!(shows(&effects, &Update::Fault(fault)));
    let mv: Move = "e7e5".parse().expect("UCI");
    let effects = seat.apply(Event::Command(Command::Move {
        mv,
        offer_draw: false,
    }));
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::ProveTurn { ply: 1, .. }))
    );
    let effects = seat.apply(Event::TurnProved {
        ply: 1,
        proof: vec![1],
    });
    let without_answer = |effect: &Effect| matches!(effect, Effect::SendTransaction(Transaction::Move { fields, .. }) if fields.answer_root == Fr::ZERO);
    assert!(effects.iter().any(without_answer));
}

fn moved(player: Address, next_request_root: Fr) -> Event {
    let fields = MoveFields {
        ply: 0,
        next_commitment: Fr::ONE,
        next_request_root,
        answer_root: Fr::ZERO,
        capture: None,
        king_fell: false,
        offer_draw: false,
    };
    Event::Final(ChainEvent::Moved {
        player,
        fields,
        ctx_next: None,
    })
}

#[test]
fn a_user_s_mistakes_send_nothing() {
    let mut world = world();
    let white = world.seat_of(Color::White);
    world.autoplay = false;
    assert!(world.players[white].seat.can_move());
    let mut refuse = |who: usize, command, error: CommandError| {
        let effects = world.players[who].seat.apply(Event::Command(command));
        assert!(matches!(&effects[..], [Effect::Show(Update::Refused(said))] if *said == error));
    };
    let play = |mv: &str| Command::Move {
        mv: mv.parse().expect("UCI"),
        offer_draw: false,
    };
    let illegal = |mv: &str| CommandError::Illegal {
        mv: mv.parse().expect("UCI"),
    };
    for mv in ["e2e5", "e1e2", "e7e5", "a1a5", "e2e4q"] {
        refuse(white, play(mv), illegal(mv));
    }
    refuse(1 - white, play("e7e5"), CommandError::NotYourTurn);
    refuse(white, Command::AcceptDraw, CommandError::NoDrawOffered);
    refuse(1 - white, Command::ClaimTimeout, CommandError::NotTimedOut);
    refuse(white, Command::PublishViewKey, CommandError::NotOver);
    refuse(white, Command::Withdraw, CommandError::NotOver);
    world.tell(white, Event::Command(play("e2e4")));
    world.tell(white, Event::Command(play("d2d4")));
    let mv = "e2e4".parse().expect("UCI");
    assert_eq!(
        world.players[white].shown.last(),
        Some(&Update::Refused(CommandError::AlreadyChosen { mv }))
    );
    world.autoplay = true;
    finish(&mut world);
}

#[test]
fn an_opponent_that_never_sends_its_points_gets_no_sight_and_loses_on_time() {
    let mut world = world();
    let white = world.seat_of(Color::White);
    let says = |world: &World, i: usize, wanted: fn(&Update) -> bool| {
        world.players[i].shown.iter().any(wanted)
    };
    // Black's points get lost on the way, however often White asks.
    let lose = |world: &mut World| {
        world
            .network
            .retain(|(to, message)| *to != white || message.id().kind != Kind::Request)
    };
    while !says(&world, white, |update| {
        matches!(update, Update::AwaitingRequest { .. })
    }) {
        world.step();
        lose(&mut world);
    }
    world.tick(10);
    assert!(!says(&world, white, |update| matches!(
        update,
        Update::MovingWithoutAnswer { .. }
    )));
    world.tell(white, Event::Command(Command::DontWait));
    assert!(says(&world, white, |update| matches!(
        update,
        Update::MovingWithoutAnswer { .. }
    )));
    while !says(&world, 1 - white, |update| {
        matches!(update, Update::NoSightPosted { ply: 3 })
    }) {
        world.step();
        lose(&mut world);
    }
    world.settle(white);
    world.tick(200_000);
    assert!(says(&world, white, |update| *update == Update::OpponentOutOfTime));
    world.tell(white, Event::Command(Command::ClaimTimeout));
    world.run();
    let outcome = world.players[white].seat.table().outcome().expect("over");
    assert_eq!(
        (outcome.color, outcome.reason),
        (Some(Color::White), Reason::TimedOut)
    );
}

#[test]
fn with_little_time_left_a_move_goes_without_the_opponent_s_points() {
    let mut world = world();
    let white = world.seat_of(Color::White);
    while !world.players[white]
        .shown
        .iter()
        .any(|update| matches!(update, Update::AwaitingRequest { .. }))
    {
        world.step();
        world
            .network
            .retain(|(to, message)| *to != white || message.id().kind != Kind::Request);
    }
    let left = world.chain.deadline().expect("in play") - world.chain.now;
    world.tick(left - CONFIG.reserve - 1);
    assert!(
        !world.players[white]
            .shown
            .iter()
            .any(|update| matches!(update, Update::Proving { ply: 2, .. }))
    );
    world.tick(1);
    assert!(
        world.players[white]
            .shown
            .iter()
            .any(|update| matches!(update, Update::Proving { ply: 2, .. }))
    );
}

#[test]
fn a_draw_is_offered_and_accepted() {
    let mut world = world();
    let white = world.seat_of(Color::White);
    world.autoplay = false;
    assert!(world.players[white].seat.can_move());
    let mv = "e2e4".parse().expect("UCI");
    world.tell(
        white,
        Event::Command(Command::Move {
            mv,
            offer_draw: true,
        }),
    );
    while world.players[1 - white]
        .seat
        .table()
        .board()
        .expect("in play")
        .ply
        < 1
    {
        world.step();
    }
    world.tell(1 - white, Event::Command(Command::AcceptDraw));
    world.run();
    let outcome = world.players[white].seat.table().outcome().expect("over");
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::DrawAgreed));
}
