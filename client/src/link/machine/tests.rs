//! What a machine does about connections, packets and time, without a network.

use super::*;
use crate::link::frame::{Ack, Refusal};
use crate::link::{Identity, Offence};
use crate::wallet::Wallet;
use alloy::primitives::B256;
use game::message::POINTS_BYTES;
use game::{GameRef, Message, Phase, WireError};
use libp2p::Multiaddr;
use libp2p::swarm::ConnectionId;

/// Room for any number of events.
const ROOM: usize = 1000;

fn wallet(byte: u8) -> Wallet {
    Wallet::from_secret(&[byte; 32]).unwrap()
}

fn identity(byte: u8) -> Identity {
    let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(2), game_id: B256::repeat_byte(3) };
    Identity::new(&wallet(byte), game).unwrap()
}

fn request(ply: u16) -> Message {
    Message::Request { ply, points: Box::new([ply as u8; POINTS_BYTES]) }
}

/// The machine of wallet 1, whose opponent is wallet 2; what it does is asked for one thing at a time.
struct Alice {
    machine: Machine,
    now: Instant,
}

impl Alice {
    fn new() -> Self {
        let now = Instant::now();
        Self { machine: Machine::new(&identity(1), wallet(2).address(), Frames::Answers, now), now }
    }

    fn apply(&mut self, input: Input) -> Vec<Effect> {
        self.machine.apply(input, ROOM, self.now)
    }

    fn connected(&mut self, peer: PeerId, is_dialled: bool) -> Vec<Effect> {
        self.apply(Input::Connected { peer, dialled: is_dialled.then(Multiaddr::empty) })
    }

    fn packet(&mut self, peer: PeerId, connection: usize, packet: Packet) -> Vec<Effect> {
        self.apply(Input::Packet { peer, connection: ConnectionId::new_unchecked(connection), packet })
    }

    fn hello(&mut self, from: &Identity, connection: usize) -> Vec<Effect> {
        self.packet(from.peer_id(), connection, Packet::Frame(Frame::Hello(Box::new(from.signature))))
    }

    /// The opponent has dialled, and each side knows the other.
    fn meet(&mut self) -> PeerId {
        let bob = identity(2);
        assert_eq!(self.connected(bob.peer_id(), false), [], "a peer that knocks is told nothing");
        let effects = self.hello(&bob, 1);
        assert!(effects.contains(&Effect::Trust(bob.peer_id())) && effects.contains(&Effect::Answer(Ok(()))));
        let effects = self.apply(Input::Acknowledged { peer: bob.peer_id(), stream: sent(&effects)[0].0, ack: Ok(()) });
        assert!(effects.contains(&Effect::Tell(LinkEvent::Connected(bob.peer_id()))), "{effects:?}");
        bob.peer_id()
    }
}

/// The streams that are opened, and what is sent on them; none of a hello.
fn sent(effects: &[Effect]) -> Vec<(StreamId, Option<Message>)> {
    let message = |packet: &Packet| match packet {
        Packet::Frame(Frame::Message(message)) => Some(message.clone()),
        _ => None,
    };
    let sent = effects.iter().filter_map(|effect| match effect {
        Effect::Send { stream, packet, .. } => Some((*stream, message(packet))),
        _ => None,
    });
    sent.collect()
}

fn answer(effects: &[Effect]) -> Option<Ack> {
    effects.iter().find_map(|effect| match effect {
        Effect::Answer(ack) => Some(*ack),
        _ => None,
    })
}

#[test]
fn messages_wait_for_the_opponent_and_go_out_one_at_a_time() {
    let mut alice = Alice::new();
    for ply in 1..=3 {
        assert_eq!(alice.apply(Input::Send(request(ply))), []);
    }
    let bob = identity(2);
    alice.connected(bob.peer_id(), true);
    let effects = alice.hello(&bob, 1);
    assert_eq!(sent(&effects), [], "the own hello is on its way since the dial");
    let mut effects = alice.apply(Input::Acknowledged { peer: bob.peer_id(), stream: 0, ack: Ok(()) });
    assert!(effects.contains(&Effect::Reached(Multiaddr::empty())));
    for ply in 1..=3 {
        let [(stream, Some(message))] = &sent(&effects)[..] else { panic!("one message: {effects:?}") };
        assert_eq!(*message, request(ply));
        effects = alice.apply(Input::Acknowledged { peer: bob.peer_id(), stream: *stream, ack: Ok(()) });
        assert!(effects.contains(&Effect::Tell(LinkEvent::Delivered(request(ply).id()))));
    }
    assert_eq!((alice.machine.size().kept, alice.machine.size().waiting), (3, 0));
    // It comes anew on another connection, and may have forgotten the latest two plies.
    let effects = alice.hello(&bob, 2);
    let stream = sent(&effects)[0].0;
    let effects = alice.apply(Input::Acknowledged { peer: bob.peer_id(), stream, ack: Ok(()) });
    assert_eq!(sent(&effects)[0].1, Some(request(2)));
}

/// A machine that was suspended sends nothing before its seat knows that; and after a wake nothing of before, to an opponent that comes anew.
#[test]
fn what_waits_can_be_held_and_forgotten() {
    let mut alice = Alice::new();
    let bob = alice.meet();
    // The opponent comes anew on another connection: what is sent once each side knows the other.
    let comes_anew = |alice: &mut Alice, connection| {
        let stream = sent(&alice.hello(&identity(2), connection))[0].0;
        sent(&alice.apply(Input::Acknowledged { peer: bob, stream, ack: Ok(()) }))
    };
    assert_eq!(alice.apply(Input::Hold(true)), []);
    assert_eq!(alice.apply(Input::Send(request(1))), []);
    assert_eq!(comes_anew(&mut alice, 2), []);
    let effects = alice.apply(Input::Hold(false));
    let [(stream, Some(message))] = &sent(&effects)[..] else { panic!("one message: {effects:?}") };
    assert_eq!(*message, request(1));
    alice.apply(Input::Acknowledged { peer: bob, stream: *stream, ack: Ok(()) });
    assert_eq!(alice.apply(Input::Forget), []);
    assert_eq!(comes_anew(&mut alice, 3), []);
    assert_eq!((alice.machine.size().kept, alice.machine.size().waiting), (0, 0));
}

#[test]
fn strangers_are_refused_and_dismissed_and_the_opponent_is_not_disturbed() {
    let mut alice = Alice::new();
    let mallory = identity(3);
    alice.connected(mallory.peer_id(), false);
    let want = || Packet::Frame(Frame::Message(Message::Want { ply: 1, phase: Phase::Pre }));
    let effects = alice.packet(mallory.peer_id(), 7, want());
    assert_eq!(answer(&effects), Some(Err(Refusal::NotIntroduced)));
    let effects = alice.hello(&mallory, 7);
    let refused = LinkEvent::Refused { peer: mallory.peer_id(), opponent: false, offence: Offence::Impostor };
    assert_eq!(effects, [Effect::Tell(refused), Effect::Answer(Err(Refusal::NotTheOpponent))]);
    assert_eq!(alice.apply(Input::Tick), [], "it has the time to read why");
    alice.now += TICK;
    assert_eq!(alice.apply(Input::Tick), [Effect::Disconnect(mallory.peer_id())]);
    // A seat with no room but for the link's own news isn't told.
    let malformed = Input::Packet {
        peer: mallory.peer_id(),
        connection: ConnectionId::new_unchecked(7),
        packet: Packet::Malformed(WireError::Truncated),
    };
    let effects = alice.machine.apply(malformed, RESERVED_EVENTS, alice.now);
    assert_eq!(effects, [Effect::Answer(Err(Refusal::Malformed))]);
    let mut answered = 3;
    while let Some(Err(_)) = answer(&alice.packet(mallory.peer_id(), 7, want())) {
        answered += 1;
    }
    assert_eq!(answered, work::FRAMES_OF_STRANGER);
    let bob = alice.meet();
    assert_eq!(alice.machine.opponent(), Some(bob));
}

#[test]
fn a_seat_without_room_makes_the_opponent_wait() {
    let mut alice = Alice::new();
    let bob = alice.meet();
    let message = || Input::Packet {
        peer: bob,
        connection: ConnectionId::new_unchecked(1),
        packet: Packet::Frame(Frame::Message(request(5))),
    };
    assert_eq!(answer(&alice.machine.apply(message(), RESERVED_EVENTS, alice.now)), Some(Err(Refusal::Busy)));
    let effects = alice.machine.apply(message(), RESERVED_EVENTS + 1, alice.now);
    assert_eq!(effects, [Effect::Tell(LinkEvent::Received(request(5))), Effect::Answer(Ok(()))]);
    assert_eq!(alice.machine.apply(message(), 0, alice.now), [Effect::Answer(Ok(()))], "a repeat");
}

#[test]
fn what_failed_goes_out_again_after_a_pause() {
    let mut alice = Alice::new();
    let bob = alice.meet();
    let mut stream = sent(&alice.apply(Input::Send(request(1))))[0].0;
    for again in [
        Input::Acknowledged { peer: bob, stream, ack: Err(Refusal::Busy) },
        Input::Failed { peer: bob, stream: stream + 1, failure: Failure::Other },
    ] {
        assert_eq!(alice.apply(again), []);
        assert_eq!(alice.apply(Input::Tick), []);
        alice.now += Duration::from_millis(400);
        let effects = alice.apply(Input::Tick);
        assert_eq!(sent(&effects), [(stream + 1, Some(request(1)))]);
        stream += 1;
    }
    let effects = alice.apply(Input::Failed { peer: bob, stream, failure: Failure::NoAnswer });
    assert_eq!(effects, [Effect::Disconnect(bob)], "such a connection is of no use");
    let gone = [Effect::DialAnew, Effect::Tell(LinkEvent::Disconnected)];
    assert_eq!(alice.apply(Input::Disconnected(bob)), gone);
}

#[test]
fn each_side_finds_out_when_the_other_is_silent() {
    // The side that was dialled hears nothing.
    let mut alice = Alice::new();
    let bob = alice.meet();
    alice.now += Duration::from_secs(60);
    assert_eq!(alice.apply(Input::Tick), []);
    alice.now += Duration::from_secs(1);
    assert_eq!(alice.apply(Input::Tick), [Effect::Disconnect(bob)]);
    // The side that dialled says something.
    let (mut alice, bob) = (Alice::new(), identity(2));
    alice.connected(bob.peer_id(), true);
    alice.hello(&bob, 1);
    alice.apply(Input::Acknowledged { peer: bob.peer_id(), stream: 0, ack: Ok(()) });
    alice.now += HEARTBEAT - TICK;
    assert_eq!(alice.apply(Input::Tick), []);
    alice.now += TICK;
    let effects = alice.apply(Input::Tick);
    assert_eq!(sent(&effects), [(1, None)], "a hello");
    let effects = alice.apply(Input::Failed { peer: bob.peer_id(), stream: 1, failure: Failure::NoAnswer });
    assert_eq!(effects, [Effect::Disconnect(bob.peer_id())]);
}

#[test]
fn a_peer_that_says_nothing_is_let_go() {
    let mut alice = Alice::new();
    let idle = identity(4).peer_id();
    alice.connected(idle, false);
    alice.now += peers::INTRODUCTION_TIMEOUT;
    assert_eq!(alice.apply(Input::Tick), []);
    alice.now += TICK;
    assert_eq!(alice.apply(Input::Tick), [Effect::Disconnect(idle)]);
    alice.apply(Input::Disconnected(idle));
    let size = alice.machine.size();
    assert_eq!((size.peers, size.dismissed, size.streams), (0, 0, 0));
}
