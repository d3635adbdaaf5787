//! The running link: one task that owns the network and moves messages between it and the seat.
//!
//! Protocol section 6. It holds no state that the seat would miss after a restart, and its memory is bounded: so many
//! connections, streams, waiting events and kept messages, and no message beyond its fixed size.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use alloy::primitives::{Address, B256};
use libp2p::futures::StreamExt as _;
use libp2p::request_response::OutboundRequestId;
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, PeerId, Swarm};
use tokio::sync::{mpsc, watch};

use super::codec::Packet;
use super::dialer::Dialer;
use super::frame::Frame;
use super::handshake::{Hello, Peers};
use super::outbox::Outbox;
use super::{Behaviour, BehaviourEvent, Identity, LinkEvent};
use game::message::HELLO_BYTES;
use game::{Message, MessageKind};

/// How often time-outs are looked at.
pub(super) const TICK: Duration = Duration::from_millis(200);
/// How often the side that dialled shows that it is there, and so finds out when the other isn't.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The task's ends of the channels to the seat.
pub(super) struct Channels {
    pub(super) messages: mpsc::Receiver<Message>,
    pub(super) events: mpsc::Sender<LinkEvent>,
    pub(super) addresses: watch::Sender<Vec<Multiaddr>>,
}

/// What a pending outbound stream carries.
#[derive(Debug)]
pub(super) enum Outbound {
    Hello,
    Message { serial: u64 },
}

/// The task of one link.
pub(super) struct Task {
    pub(super) swarm: Swarm<Behaviour>,
    pub(super) channels: Channels,
    pub(super) peers: Peers,
    hello: Box<[u8; HELLO_BYTES]>,
    pub(super) outbox: Outbox,
    /// Streams that wait for their acknowledgement: one message, and a hello a peer.
    pub(super) pending: Vec<(OutboundRequestId, Outbound)>,
    /// Hashes of the latest messages received.
    pub(super) seen: VecDeque<B256>,
    /// Peers to disconnect once they have had the time to read why.
    pub(super) dismissed: Vec<(PeerId, Instant)>,
    dialer: Dialer,
    /// Whether the seat has been told that the opponent is there.
    is_connected: bool,
    pub(super) next_send: Instant,
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
            peers: Peers::new(identity.game, opponent),
            hello: Box::new(identity.signature),
            outbox: Outbox::default(),
            pending: Vec::new(),
            seen: VecDeque::new(),
            dismissed: Vec::new(),
            dialer: Dialer::new(dial, now),
            is_connected: false,
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
                message = self.channels.messages.recv() => match message {
                    Some(message) => self.send(message),
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
        if message.id().kind == MessageKind::Want {
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
            SwarmEvent::ConnectionEstablished { peer_id, endpoint, .. } => {
                self.peers.connected(peer_id, endpoint.is_dialer(), now);
                if endpoint.is_dialer() {
                    self.greet(peer_id);
                }
            }
            SwarmEvent::ConnectionClosed { peer_id, num_established: 0, .. } => self.peers.disconnected(&peer_id),
            SwarmEvent::NewListenAddr { .. } | SwarmEvent::ExpiredListenAddr { .. } => {
                let addresses = self.swarm.listeners().cloned().collect();
                self.channels.addresses.send_replace(addresses);
            }
            _ => {}
        }
    }

    /// The opponent has proven who it is.
    pub(super) fn introduced(&mut self, peer: PeerId, hello: Hello) {
        if hello == Hello::New {
            self.outbox.rewind();
            self.swarm.behaviour_mut().limits.bypass_peer_id(&peer);
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
