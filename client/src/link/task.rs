//! The running link: one task that owns the network and moves messages between it and the seat.
//!
//! Protocol section 6. It holds no state that the seat would miss after a restart, and its memory is bounded: so many
//! connections, streams, waiting events and kept messages, and no message beyond its fixed size.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use alloy::primitives::{Address, B256, keccak256};
use libp2p::futures::StreamExt as _;
use libp2p::request_response::{self, OutboundFailure, OutboundRequestId, ResponseChannel};
use libp2p::swarm::{ConnectionId, SwarmEvent};
use libp2p::{Multiaddr, PeerId, Swarm};
use tokio::sync::{mpsc, watch};

use super::codec::Packet;
use super::dialer::Dialer;
use super::frame::{Ack, Frame};
use super::handshake::{Hello, Peers};
use super::message::{HELLO_BYTES, Kind, Message, Refusal};
use super::outbox::Outbox;
use super::{Behaviour, BehaviourEvent, Command, Identity, LinkEvent, Offence};

/// How often time-outs are looked at.
const TICK: Duration = Duration::from_millis(200);
/// Pause before a message that failed, or that the peer was too busy for, goes out again.
const RESEND: Duration = Duration::from_millis(400);
/// How often the side that dialled shows that it is there, and so finds out when the other isn't.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Messages remembered to recognise repeats.
const REMEMBERED: usize = 32;
/// Room in the event channel that only news of the link itself may use, so that no sender can crowd it out.
const RESERVED_EVENTS: usize = 24;

/// The task's ends of the channels to the seat.
pub(super) struct Channels {
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) events: mpsc::Sender<LinkEvent>,
    pub(super) addresses: watch::Sender<Vec<Multiaddr>>,
    pub(super) connected: watch::Sender<bool>,
}

/// What a pending outbound stream carries.
#[derive(Debug)]
enum Outbound {
    Hello,
    Message { serial: u64 },
}

/// The task of one link.
pub(super) struct Task {
    swarm: Swarm<Behaviour>,
    channels: Channels,
    peers: Peers,
    hello: Box<[u8; HELLO_BYTES]>,
    outbox: Outbox,
    /// Streams that wait for their acknowledgement: one message, and a hello a peer.
    pending: Vec<(OutboundRequestId, Outbound)>,
    /// Hashes of the latest messages received.
    seen: VecDeque<B256>,
    /// Peers to disconnect once they have had the time to read why.
    dismissed: Vec<(PeerId, Instant)>,
    dialer: Dialer,
    next_send: Instant,
    next_heartbeat: Instant,
}

impl Task {
    pub(super) fn new(
        swarm: Swarm<Behaviour>,
        identity: &Identity,
        opponent: Address,
        dial: Vec<Multiaddr>,
        channels: Channels,
    ) -> Self {
        let now = Instant::now();
        Self {
            swarm,
            channels,
            peers: Peers::new(identity.scope, opponent),
            hello: Box::new(identity.signature),
            outbox: Outbox::default(),
            pending: Vec::new(),
            seen: VecDeque::new(),
            dismissed: Vec::new(),
            dialer: Dialer::new(dial, now),
            next_send: now,
            next_heartbeat: now + HEARTBEAT,
        }
    }

    /// Runs until the seat drops its end.
    pub(super) async fn run(mut self) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                event = self.swarm.select_next_some() => self.on_swarm(event),
                command = self.channels.commands.recv() => match command {
                    Some(Command::Send(message)) => self.send(message),
                    Some(Command::Dial(address)) => self.dialer.add(address, Instant::now()),
                    None => return,
                },
                _ = tick.tick() => self.on_tick(),
                () = self.channels.events.closed() => return,
            }
            self.note_connection();
            self.pump();
        }
    }

    fn send(&mut self, message: Message) {
        if message.id().kind == Kind::Want {
            // What comes now was asked for, and is no repeat even if it came before.
            self.seen.clear();
        }
        self.outbox.push(message);
    }

    fn on_tick(&mut self) {
        let now = Instant::now();
        for peer in self.peers.overdue(now) {
            let _ = self.swarm.disconnect_peer_id(peer);
        }
        self.dismissed.retain(|(peer, at)| {
            let wait = now < *at;
            if !wait {
                let _ = self.swarm.disconnect_peer_id(*peer);
            }
            wait
        });
        match self.peers.opponent() {
            None => {
                for opts in self.dialer.due(now) {
                    // A failure comes up again as an event, or a dial is under way already; both mean: try later.
                    let _ = self.swarm.dial(opts);
                }
            }
            Some(peer) if now >= self.next_heartbeat => {
                self.next_heartbeat = now + HEARTBEAT;
                if self.peers.get_mut(&peer).is_some_and(|peer| peer.dialled) {
                    self.greet(peer);
                }
            }
            _ => {}
        }
    }

    fn on_swarm(&mut self, event: SwarmEvent<BehaviourEvent>) {
        let now = Instant::now();
        match event {
            SwarmEvent::Behaviour(BehaviourEvent::Messages(event)) => self.on_messages(event),
            SwarmEvent::ConnectionEstablished {
                peer_id, endpoint, ..
            } => {
                self.peers.connected(peer_id, endpoint.is_dialer(), now);
                if endpoint.is_dialer() {
                    self.greet(peer_id);
                }
            }
            SwarmEvent::ConnectionClosed {
                peer_id,
                num_established: 0,
                ..
            } => self.peers.disconnected(&peer_id),
            SwarmEvent::NewListenAddr { .. } | SwarmEvent::ExpiredListenAddr { .. } => {
                let addresses = self.swarm.listeners().cloned().collect();
                self.channels.addresses.send_replace(addresses);
            }
            _ => {}
        }
    }

    fn on_messages(&mut self, event: request_response::Event<Packet, Ack>) {
        use request_response::{Event, Message as Half};
        match event {
            Event::Message {
                peer,
                connection_id,
                message,
            } => match message {
                Half::Request {
                    request, channel, ..
                } => self.on_packet(peer, connection_id, request, channel),
                Half::Response {
                    request_id,
                    response,
                } => self.on_ack(peer, request_id, response),
            },
            Event::OutboundFailure {
                peer,
                request_id,
                error,
                ..
            } => self.on_failure(peer, request_id, &error),
            Event::InboundFailure { .. } | Event::ResponseSent { .. } => {}
        }
    }

    /// Something came in: judge it and acknowledge or refuse it.
    fn on_packet(
        &mut self,
        peer: PeerId,
        connection: ConnectionId,
        packet: Packet,
        channel: ResponseChannel<Ack>,
    ) {
        let ack = match packet {
            Packet::Malformed(e) => self.refuse(peer, Offence::Malformed(e)),
            Packet::Frame(Frame::Hello(signature)) => {
                match self.peers.hello(&peer, connection, &signature) {
                    Ok(hello) => {
                        self.introduced(peer, hello);
                        Ok(())
                    }
                    Err(offence) => self.refuse(peer, offence),
                }
            }
            Packet::Frame(Frame::Message(message)) if self.peers.is_opponent(&peer) => {
                self.receive(message)
            }
            Packet::Frame(Frame::Message(_)) => self.refuse(peer, Offence::NotIntroduced),
        };
        // Fails only if the stream is gone; the peer will send again.
        let _ = self
            .swarm
            .behaviour_mut()
            .messages
            .send_response(channel, ack);
    }

    /// The opponent has proven who it is.
    fn introduced(&mut self, peer: PeerId, hello: Hello) {
        if hello == Hello::New {
            self.outbox.rewind();
            self.swarm.behaviour_mut().limits.bypass_peer_id(&peer);
            for replaced in self.peers.replaced_by(&peer) {
                let _ = self.swarm.disconnect_peer_id(replaced);
            }
        }
        if self
            .peers
            .get_mut(&peer)
            .is_some_and(|state| !state.accepted)
        {
            self.greet(peer);
        }
    }

    /// Tells the seat when the opponent comes and goes.
    fn note_connection(&mut self) {
        let opponent = self.peers.opponent();
        if *self.channels.connected.borrow() == opponent.is_some() {
            return;
        }
        let now = Instant::now();
        self.channels.connected.send_replace(opponent.is_some());
        self.dialer.reset(now);
        self.next_heartbeat = now + HEARTBEAT;
        self.emit(opponent.map_or(LinkEvent::Disconnected, LinkEvent::Connected));
    }

    /// Says hello, unless a hello is on its way.
    fn greet(&mut self, peer: PeerId) {
        let Some(state) = self.peers.get_mut(&peer) else {
            return;
        };
        if !std::mem::replace(&mut state.greeting, true) {
            let packet = Packet::Frame(Frame::Hello(self.hello.clone()));
            let id = self
                .swarm
                .behaviour_mut()
                .messages
                .send_request(&peer, packet);
            self.pending.push((id, Outbound::Hello));
        }
    }

    /// Refuses what a peer sent, tells the seat, and lets a stranger go.
    fn refuse(&mut self, peer: PeerId, offence: Offence) -> Ack {
        let refusal = match offence {
            Offence::Malformed(_) => Refusal::Malformed,
            Offence::Impostor | Offence::BadSignature => Refusal::NotTheOpponent,
            Offence::NotIntroduced => Refusal::NotIntroduced,
        };
        let opponent = self.peers.is_opponent(&peer);
        // An opponent that reconnects may be in the middle of its introduction.
        if !opponent
            && offence != Offence::NotIntroduced
            && self.dismissed.iter().all(|(known, _)| *known != peer)
        {
            self.dismissed.push((peer, Instant::now() + TICK));
        }
        if self.channels.events.capacity() > RESERVED_EVENTS {
            self.emit(LinkEvent::Refused {
                peer,
                opponent,
                offence,
            });
        }
        Err(refusal)
    }

    /// A message of the opponent: hand it on once, acknowledge it every time.
    fn receive(&mut self, message: Message) -> Ack {
        let wish = message.id().kind == Kind::Want;
        let hash = keccak256(Frame::Message(message.clone()).encode(B256::ZERO));
        // A wish says "again": each one counts.
        if !wish && self.seen.contains(&hash) {
            return Ok(());
        }
        if self.channels.events.capacity() <= RESERVED_EVENTS {
            return Err(Refusal::Busy);
        }
        self.seen.truncate(REMEMBERED - 1);
        self.seen.push_front(hash);
        self.emit(LinkEvent::Received(message));
        Ok(())
    }

    fn take_pending(&mut self, id: OutboundRequestId) -> Option<Outbound> {
        let at = self
            .pending
            .iter()
            .position(|(pending, _)| *pending == id)?;
        Some(self.pending.swap_remove(at).1)
    }

    fn on_ack(&mut self, peer: PeerId, id: OutboundRequestId, ack: Ack) {
        match (self.take_pending(id), ack) {
            (Some(Outbound::Hello), ack) => self.on_hello_ack(peer, ack),
            (Some(Outbound::Message { serial }), Ok(())) => {
                if let Some(id) = self.outbox.acknowledge(serial) {
                    self.emit(LinkEvent::Delivered(id));
                }
            }
            (Some(Outbound::Message { .. }), Err(Refusal::Busy)) => {
                self.next_send = Instant::now() + RESEND
            }
            (Some(Outbound::Message { .. }), Err(Refusal::NotIntroduced)) => {
                if let Some(state) = self.peers.get_mut(&peer) {
                    state.accepted = false;
                }
                self.greet(peer);
            }
            (Some(Outbound::Message { serial }), Err(reason)) => {
                if let Some(id) = self.outbox.acknowledge(serial) {
                    self.emit(LinkEvent::Rejected { id, reason });
                }
            }
            (None, _) => {}
        }
    }

    fn on_hello_ack(&mut self, peer: PeerId, ack: Ack) {
        let Some(state) = self.peers.get_mut(&peer) else {
            return;
        };
        state.greeting = false;
        state.accepted = ack.is_ok();
        if let Err(reason) = ack {
            if self.channels.events.capacity() > RESERVED_EVENTS {
                self.emit(LinkEvent::Unwelcome { peer, reason });
            }
            let _ = self.swarm.disconnect_peer_id(peer);
        }
    }

    fn on_failure(&mut self, peer: PeerId, id: OutboundRequestId, error: &OutboundFailure) {
        self.next_send = Instant::now() + RESEND;
        let greeting = matches!(self.take_pending(id), Some(Outbound::Hello));
        if let Some(state) = self.peers.get_mut(&peer) {
            state.greeting &= !greeting;
        }
        // Silence, another protocol, or no introduction: the connection is of no use. One side or the other will dial
        // a new one.
        if greeting
            || matches!(
                error,
                OutboundFailure::Timeout | OutboundFailure::UnsupportedProtocols
            )
        {
            let _ = self.swarm.disconnect_peer_id(peer);
        }
    }

    /// Sends the next message, if the opponent is there and no other is on its way.
    fn pump(&mut self) {
        let busy = self
            .pending
            .iter()
            .any(|(_, what)| matches!(what, Outbound::Message { .. }));
        if busy || Instant::now() < self.next_send {
            return;
        }
        let (Some(peer), Some((serial, message))) = (self.peers.opponent(), self.outbox.next())
        else {
            return;
        };
        let packet = Packet::Frame(Frame::Message(message.clone()));
        let id = self
            .swarm
            .behaviour_mut()
            .messages
            .send_request(&peer, packet);
        self.pending.push((id, Outbound::Message { serial }));
    }

    /// Tells the seat. Only a seat that has stopped listening loses news, and it finds the state in the handle.
    fn emit(&self, event: LinkEvent) {
        let _ = self.channels.events.try_send(event);
    }
}
