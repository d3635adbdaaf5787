//! The running link: one task that owns the network and moves messages between it and the seat.
//!
//! Protocol section 6. It holds no state that the seat would miss after a restart, and its memory is bounded: so many
//! connections, streams, waiting events and kept messages, and no message beyond its fixed size.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use alloy::primitives::B256;
use libp2p::futures::StreamExt as _;
use libp2p::identify::Event::Received as Identified;
use libp2p::request_response::OutboundRequestId;
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, PeerId, Swarm};
use tokio::sync::{mpsc, watch};

use super::codec::Packet;
use super::dialer::Dialer;
use super::frame::Frame;
use super::handshake::{Hello, Peers};
use super::meter::{Meter, Rate};
use super::network::{Behaviour, BehaviourEvent, Place, PunchingEvent};
use super::outbox::Outbox;
use super::pieces::Assembly;
use super::places::{LISTEN_AGAIN, LookUp};
use super::relays::Relays;
use super::work::Work;
use super::{LinkConfig, LinkEvent};
use game::Message;
use game::message::HELLO_BYTES;

/// How often time-outs are looked at.
pub(super) const TICK: Duration = Duration::from_millis(200);
/// How often the side that dialled shows that it is there, and so finds out when the other isn't.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// News of strangers for the user: so many at once, and then ten a minute.
const STRANGERS: Rate = Rate { burst: 32, every: Duration::from_secs(6) };
/// Look-ups of names that may wait for the link.
const LOOK_UPS: usize = 16;

/// The task's ends of the channels to the seat.
pub(super) struct Channels {
    pub(super) messages: mpsc::Receiver<Message>,
    pub(super) places: mpsc::Receiver<Vec<Multiaddr>>,
    pub(super) events: mpsc::Sender<LinkEvent>,
    pub(super) addresses: watch::Sender<Vec<Multiaddr>>,
    pub(super) dialled: watch::Sender<Vec<Multiaddr>>,
}

/// What a pending outbound stream carries.
#[derive(Debug)]
pub(super) enum Outbound {
    Hello,
    /// One frame of a message, and whether it is its last.
    Message {
        serial: u64,
        is_last: bool,
    },
}

/// The task of one link.
pub(super) struct Task {
    pub(super) swarm: Swarm<Behaviour>,
    pub(super) channels: Channels,
    pub(super) peers: Peers,
    hello: Box<[u8; HELLO_BYTES]>,
    pub(super) outbox: Outbox,
    /// The message that is under way, and how many of its frames have arrived.
    pub(super) progress: Option<(u64, u16)>,
    pub(super) assembly: Assembly,
    /// Streams that wait for their acknowledgement: one message, and a hello a peer.
    pub(super) pending: Vec<(OutboundRequestId, Outbound)>,
    /// Hashes of the latest messages received.
    pub(super) seen: VecDeque<B256>,
    /// Peers to disconnect once they have had the time to read why.
    pub(super) dismissed: Vec<(PeerId, Instant)>,
    pub(super) work: Work,
    pub(super) strangers: Meter,
    pub(super) dialer: Dialer,
    pub(super) relays: Relays,
    /// Whether holes are punched.
    pub(super) punches: bool,
    pub(super) place: Place,
    pub(super) next_listen: Instant,
    pub(super) look_ups: (mpsc::Sender<LookUp>, mpsc::Receiver<LookUp>),
    /// Whether the seat has been told that the opponent is there.
    is_connected: bool,
    pub(super) next_send: Instant,
    next_heartbeat: Instant,
}

impl Task {
    pub(super) fn new(swarm: Swarm<Behaviour>, config: LinkConfig, place: Place, channels: Channels) -> Self {
        let LinkConfig { identity, opponent, dial, relays, frames, .. } = config;
        let now = Instant::now();
        let punches = swarm.behaviour().punching.is_enabled();
        let mut task = Self {
            swarm,
            channels,
            peers: Peers::new(identity.game, opponent),
            hello: Box::new(identity.signature),
            outbox: Outbox::default(),
            progress: None,
            assembly: Assembly::default(),
            pending: Vec::new(),
            seen: VecDeque::new(),
            dismissed: Vec::new(),
            work: Work::new(frames),
            strangers: Meter::new(STRANGERS),
            dialer: Dialer::new(Vec::new(), now),
            relays: Relays::new(relays, now),
            punches,
            place,
            next_listen: now,
            look_ups: mpsc::channel(LOOK_UPS),
            is_connected: false,
            next_send: now,
            next_heartbeat: now + HEARTBEAT,
        };
        task.add_places(dial);
        task
    }

    /// Runs until the seat drops its end.
    pub(super) async fn run(mut self) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                event = self.swarm.select_next_some() => self.on_swarm(event),
                message = self.channels.messages.recv() => match message {
                    Some(message) => self.send(message),
                    None => return,
                },
                Some(places) = self.channels.places.recv() => self.add_places(places),
                Some(look_up) = self.look_ups.1.recv() => self.on_look_up(look_up),
                _ = tick.tick() => self.on_tick(),
                () = self.channels.events.closed() => return,
            }
            self.note_connection();
            self.note_dials();
            self.pump();
        }
    }

    fn send(&mut self, message: Message) {
        if message.id().kind.is_wish() {
            // What comes now was asked for, and is no repeat even if it came before.
            self.seen.clear();
        }
        self.outbox.push(message);
    }

    fn on_tick(&mut self) {
        let now = Instant::now();
        for peer in self.peers.overdue(now).into_iter().chain(self.peers.silent(now)) {
            let _ = self.swarm.disconnect_peer_id(peer);
        }
        self.dismissed.retain(|(peer, at)| {
            let wait = now < *at;
            if !wait {
                let _ = self.swarm.disconnect_peer_id(*peer);
            }
            wait
        });
        self.keep_listening(now);
        match self.peers.opponent() {
            None => {
                let due = self.dialer.due(now);
                if !due.is_empty() {
                    self.look_up(due, LookUp::Opponent);
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
            SwarmEvent::Behaviour(BehaviourEvent::Punching(PunchingEvent::Identify(Identified {
                peer_id, ..
            }))) => {
                self.seen_by(peer_id, now);
            }
            SwarmEvent::Behaviour(BehaviourEvent::Lan(heard)) => self.on_lan(heard),
            SwarmEvent::ConnectionEstablished { peer_id, .. } if self.relays.contains(&peer_id) => {}
            SwarmEvent::ConnectionEstablished { peer_id, endpoint, .. } => {
                let dialled = endpoint.is_dialer().then(|| endpoint.get_remote_address());
                self.peers.connected(peer_id, dialled, now);
                if dialled.is_some() {
                    self.greet(peer_id);
                }
            }
            SwarmEvent::ConnectionClosed { peer_id, num_established: 0, .. } => {
                self.peers.disconnected(&peer_id);
                self.relays.gone(&peer_id);
            }
            SwarmEvent::NewListenAddr { listener_id, .. } => {
                self.relays.accepted(listener_id);
                self.tell_addresses();
            }
            SwarmEvent::ExpiredListenAddr { .. } => self.tell_addresses(),
            SwarmEvent::ListenerClosed { listener_id, .. } => {
                if !self.relays.lost(listener_id, now) && self.place.listener == Some(listener_id) {
                    self.place.listener = None;
                    self.next_listen = now + LISTEN_AGAIN;
                }
                self.tell_addresses();
            }
            _ => {}
        }
    }

    /// The opponent has proven who it is.
    pub(super) fn introduced(&mut self, peer: PeerId, hello: Hello) {
        if hello == Hello::New {
            self.outbox.rewind();
            self.progress = None;
            let gate = &mut self.swarm.behaviour_mut().gate;
            gate.trust(peer);
            if self.punches {
                gate.dials.punch(peer);
            }
            for replaced in self.peers.replaced_by(&peer) {
                let _ = self.swarm.disconnect_peer_id(replaced);
            }
        }
        if self.peers.get_mut(&peer).is_some_and(|state| !state.accepted) {
            self.greet(peer);
        }
    }

    /// Tells the seat when the opponent comes and goes.
    fn note_connection(&mut self) {
        let opponent = self.peers.opponent();
        if std::mem::replace(&mut self.is_connected, opponent.is_some()) == opponent.is_some() {
            return;
        }
        let now = Instant::now();
        self.dialer.reset(now);
        self.next_heartbeat = now + HEARTBEAT;
        let via = opponent.and_then(|peer| self.peers.get_mut(&peer)?.via.clone());
        if let Some(address) = via.and_then(|via| self.dialer.origin(&via).cloned()) {
            self.emit(LinkEvent::Reached(address));
        }
        self.emit(opponent.map_or(LinkEvent::Disconnected, LinkEvent::Connected));
    }

    /// Says hello, unless a hello is on its way.
    pub(super) fn greet(&mut self, peer: PeerId) {
        let Some(state) = self.peers.get_mut(&peer) else {
            return;
        };
        if !std::mem::replace(&mut state.greeting, true) {
            let packet = Packet::Frame(Frame::Hello(self.hello.clone()));
            let id = self.swarm.behaviour_mut().messages.send_request(&peer, packet);
            self.pending.push((id, Outbound::Hello));
        }
    }

    /// Tells the seat. Only a seat that has stopped listening loses news.
    pub(super) fn emit(&self, event: LinkEvent) {
        let _ = self.channels.events.try_send(event);
    }
}
