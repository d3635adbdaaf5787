//! Wrong requests: points that are none, others than on the chain, and such that nothing can be answered to.

use super::{faults, id, intercept, world};
use alloy::primitives::Address;
use client::seat::{Effect, Event, JobKind, Seat};
use ff::Field;
use fog::curve::{CurveError, Point};
use fog::engine::sight_lines::request::Request;
use game::message::POINTS_BYTES;
use game::{ChainEvent, Command, MoveFields, Notice, PeerFault, Transaction};
use game::{Message, MessageKind, Phase};
use halo2curves::bn256::Fr;
use rules::{Color, Move};
use simulate::world::{CONFIG, engine, finish};

fn points(ply: u16, request: &Request) -> Event {
    let points = request.to_bytes().into_boxed_slice().try_into().expect("4096 bytes");
    Event::Received(Message::Request { ply, points })
}

#[test]
fn wrong_requests_are_refused_by_name() {
    let mut world = world();
    let asked = id(MessageKind::Request, 1, Phase::Pre);
    let (victim, honest) = intercept(&mut world, Color::White, asked);
    while world.players[victim].seat.table().begun().expect("in play").ply < 2 {
        world.step();
        world.network.retain(|(to, message)| *to != victim || message.id().kind != MessageKind::Request);
    }
    let Message::Request { points: bytes, .. } = &honest else { panic!("a request") };
    let changed = |at: usize, byte: u8| {
        let mut points = bytes.clone();
        points[at] = byte;
        Event::Received(Message::Request { ply: 1, points })
    };
    let bad = |source| [PeerFault::BadPoint { id: asked, source }];
    assert_eq!(faults(&mut world, victim, changed(63, bytes[63] ^ 1)), bad(CurveError::OffCurve));
    assert_eq!(faults(&mut world, victim, changed(0, 0xff)), bad(CurveError::CoordinateTooLarge));
    let nothing = Event::Received(Message::Request { ply: 1, points: Box::new([0; POINTS_BYTES]) });
    assert_eq!(faults(&mut world, victim, nothing), bad(CurveError::Infinity));
    let others = Request { points: [Point::generator(); 64] };
    assert_eq!(faults(&mut world, victim, points(1, &others)), [PeerFault::RequestRoot(asked)]);

    let of = |ply| Event::Received(Message::Request { ply, points: bytes.clone() });
    let wrong = |ply| id(MessageKind::Request, ply, Phase::Pre);
    assert_eq!(faults(&mut world, victim, of(2)), [PeerFault::WrongPly(wrong(2))]);
    assert_eq!(faults(&mut world, victim, of(5)), [PeerFault::TooEarly(wrong(5))]);
    assert_eq!(faults(&mut world, victim, Event::Received(honest.clone())), []);
    assert_eq!(faults(&mut world, victim, Event::Received(honest)), [PeerFault::Duplicate(asked)]);
    assert_eq!(faults(&mut world, victim, points(1, &others)), [PeerFault::Contradiction(asked)]);
    finish(&mut world);
}

#[test]
fn a_request_that_cant_be_answered_is_refused_and_stops_nothing() {
    let mut world = world();
    let (victim, _) = intercept(&mut world, Color::Black, id(MessageKind::Request, 0, Phase::Pre));
    let player = &world.players[victim];
    let key = player.secrets.fog_secret().key();
    // B_s = A: the key for choice 1 would be the point at infinity. The turn proof keeps such a root off the chain.
    let request = Request { points: [key.0; 64] };
    let mut seat = Seat::new(player.me, player.secrets.clone(), engine(&world.oracle), world.chain.game, CONFIG);
    for logged in &world.chain.log[..4] {
        let _ = seat.apply(Event::Final(logged.event.clone()));
    }
    let white = seat.table().begun().expect("in play").players[0];
    let _ = seat.apply(moved(white, request.root()));
    let effects = seat.apply(points(0, &request));
    let fault = PeerFault::Malformed(id(MessageKind::Request, 0, Phase::Pre));
    let shows = |effects: &[Effect], wanted: &Notice| {
        effects.iter().any(|effect| matches!(effect, Effect::Notify(update) if update == wanted))
    };
    assert!(shows(&effects, &Notice::Fault { fault }));
    let mv: Move = "e7e5".parse().expect("UCI");
    let effects = seat.apply(Event::Command(Command::Move { mv, offer_draw: false }));
    let mut effects = effects.into_iter();
    let proof = effects.find_map(|effect| match effect {
        Effect::Run(id, job) if job.kind == JobKind::ProveMove(1) => Some((id, job)),
        _ => None,
    });
    let (id, job) = proof.expect("the move is proven");
    let effects = seat.apply(Event::Done(id, job.run()));
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
    Event::Final(ChainEvent::Moved { player, fields, basis: None, proof: None })
}
