//! The running link: one task that owns the network and carries what the link's machine decides (`machine`).
//!
//! Protocol section 6. Its memory is bounded: so many connections, streams, waiting events and kept messages, and no message beyond its fixed size.

use std::time::{Duration, Instant, SystemTime};

use libp2p::futures::StreamExt as _;
use libp2p::identify::Event::Received as Identified;
use libp2p::request_response::{self, OutboundFailure, OutboundRequestId, ResponseChannel};
use libp2p::swarm::{ConnectionId, SwarmEvent};
use libp2p::{Multiaddr, PeerId, Swarm};
use tokio::sync::{mpsc, watch};

use super::codec::Packet;
use super::dialer::{Dialer, LookUp};
use super::frame::Ack;
use super::machine::{Effect, Failure, Input, Machine, StreamId, TICK};
use super::network::{Behaviour, BehaviourEvent, Place, PunchingEvent};
use super::relays::Relays;
use super::{LinkConfig, LinkEvent};

/// Pause before a place where the system has ended our listening is tried again.
pub(super) const LISTEN_AGAIN: Duration = Duration::from_secs(5);
/// Look-ups of names that may wait for the link.
const LOOK_UPS: usize = 16;

/// The date may run ahead of the steady clock by so much before this machine must have been suspended.
const SUSPENDED: Duration = Duration::from_secs(30);

/// The task's ends of the channels to the seat.
pub(super) struct Channels {
    pub(super) inputs: mpsc::Receiver<Input>,
    pub(super) places: mpsc::Receiver<Vec<Multiaddr>>,
    pub(super) events: mpsc::Sender<LinkEvent>,
    pub(super) addresses: watch::Sender<Vec<Multiaddr>>,
    pub(super) dialled: watch::Sender<Vec<Multiaddr>>,
}

/// The task of one link.
pub(super) struct Task {
    pub(super) swarm: Swarm<Behaviour>,
    pub(super) channels: Channels,
    pub(super) machine: Machine,
    /// The machine's streams that wait for their answers, by the network's number.
    streams: Vec<(OutboundRequestId, StreamId)>,
    /// Each connection, and whether it goes through a relay.
    paths: Vec<(PeerId, ConnectionId, bool)>,
    /// What was told of the way to the opponent.
    told_path: Option<bool>,
    pub(super) dialer: Dialer,
    pub(super) relays: Relays,
    /// Whether holes are punched.
    pub(super) punches: bool,
    pub(super) place: Place,
    pub(super) next_listen: Instant,
    pub(super) look_ups: (mpsc::Sender<LookUp>, mpsc::Receiver<LookUp>),
    /// The steady clock and the date when something last happened.
    clocks: (Instant, SystemTime),
}

impl Task {
    pub(super) fn new(swarm: Swarm<Behaviour>, config: LinkConfig, place: Place, channels: Channels) -> Self {
        let LinkConfig { identity, opponent, dial, relays, frames, .. } = config;
        let now = Instant::now();
        let punches = swarm.behaviour().punching.is_enabled();
        let mut task = Self {
            swarm,
            channels,
            machine: Machine::new(&identity, opponent, frames, now),
            streams: Vec::new(),
            paths: Vec::new(),
            told_path: None,
            dialer: Dialer::new(Vec::new(), now),
            relays: Relays::new(relays, now),
            punches,
            place,
            next_listen: now,
            look_ups: mpsc::channel(LOOK_UPS),
            clocks: (now, SystemTime::now()),
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
                input = self.channels.inputs.recv() => match input {
                    Some(input) => self.tell_machine(input),
                    None => return,
                },
                Some(places) = self.channels.places.recv() => self.add_places(places),
                Some(look_up) = self.look_ups.1.recv() => self.on_look_up(look_up),
                _ = tick.tick() => self.on_tick(),
                () = self.channels.events.closed() => return,
            }
            self.note_dials();
            self.tell_path();
        }
    }

    fn on_tick(&mut self) {
        self.tell_machine(Input::Tick);
        let now = Instant::now();
        self.keep_listening(now);
        if self.machine.opponent().is_none() {
            let due = self.dialer.due(now);
            if !due.is_empty() {
                self.look_up(due, LookUp::Opponent);
                if self.dialer.rounds.is_power_of_two() {
                    self.emit(LinkEvent::Dialled(self.dialer.rounds));
                }
            }
        }
    }

    /// Tells how the opponent is reached, if that is otherwise than it was.
    fn tell_path(&mut self) {
        let relayed = self.machine.opponent().map(|opponent| {
            // A connection of its own is used rather than one through a relay.
            self.paths.iter().filter(|(peer, ..)| *peer == opponent).all(|(.., relayed)| *relayed)
        });
        if std::mem::replace(&mut self.told_path, relayed) != relayed
            && let Some(relayed) = relayed
        {
            self.emit(LinkEvent::Path { relayed });
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
            SwarmEvent::ConnectionEstablished { peer_id, .. } if self.relays.contains(&peer_id) => {}
            SwarmEvent::ConnectionEstablished { peer_id: peer, connection_id, endpoint, .. } => {
                self.paths.push((peer, connection_id, endpoint.is_relayed()));
                let dialled = endpoint.is_dialer().then(|| endpoint.get_remote_address().clone());
                self.tell_machine(Input::Connected { peer, dialled });
            }
            SwarmEvent::ConnectionClosed { peer_id, connection_id, num_established, .. } => {
                self.paths.retain(|(_, known, _)| *known != connection_id);
                if num_established == 0 {
                    self.tell_machine(Input::Disconnected(peer_id));
                    self.relays.gone(&peer_id);
                }
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

    fn on_messages(&mut self, event: request_response::Event<Packet, Ack>) {
        use request_response::{Event, Message as Half};
        match event {
            Event::Message { peer, connection_id, message } => match message {
                Half::Request { request, channel, .. } => {
                    self.carry(Input::Packet { peer, connection: connection_id, packet: request }, Some(channel));
                }
                Half::Response { request_id, response } => {
                    if let Some(stream) = self.take_stream(request_id) {
                        self.tell_machine(Input::Acknowledged { peer, stream, ack: response });
                    }
                }
            },
            Event::OutboundFailure { peer, request_id, error, .. } => {
                let failure = match error {
                    OutboundFailure::ConnectionClosed => Failure::Closed,
                    OutboundFailure::Timeout | OutboundFailure::UnsupportedProtocols => Failure::NoAnswer,
                    OutboundFailure::DialFailure | OutboundFailure::Io(_) => Failure::Other,
                };
                if let Some(stream) = self.take_stream(request_id) {
                    self.tell_machine(Input::Failed { peer, stream, failure });
                }
            }
            Event::InboundFailure { .. } | Event::ResponseSent { .. } => {}
        }
    }

    fn take_stream(&mut self, id: OutboundRequestId) -> Option<StreamId> {
        let at = self.streams.iter().position(|(known, _)| *known == id)?;
        Some(self.streams.swap_remove(at).1)
    }

    fn tell_machine(&mut self, input: Input) {
        self.carry(input, None);
    }

    /// Tells the machine, and does what it wants done; `channel` answers the packet that came in.
    fn carry(&mut self, input: Input, mut channel: Option<ResponseChannel<Ack>>) {
        let (now, date) = (Instant::now(), SystemTime::now());
        let (steady, before) = std::mem::replace(&mut self.clocks, (now, date));
        // This machine was suspended: the seat knows only now, and says whether what waits may still leave.
        if date.duration_since(before).is_ok_and(|passed| passed > now.saturating_duration_since(steady) + SUSPENDED) {
            self.machine.hold(true);
        }
        for effect in self.machine.apply(input, self.channels.events.capacity(), now) {
            match effect {
                Effect::Send { peer, stream, packet } => {
                    let id = self.swarm.behaviour_mut().messages.send_request(&peer, packet);
                    self.streams.push((id, stream));
                }
                Effect::Answer(ack) => {
                    if let Some(channel) = channel.take() {
                        // Fails only if the stream is gone; the peer will send again.
                        let _ = self.swarm.behaviour_mut().messages.send_response(channel, ack);
                    }
                }
                Effect::Disconnect(peer) => {
                    // Fails only if it has gone already.
                    let _ = self.swarm.disconnect_peer_id(peer);
                }
                Effect::Trust(peer) => {
                    let gate = &mut self.swarm.behaviour_mut().gate;
                    gate.trust(peer);
                    if self.punches {
                        gate.dials.punch(peer);
                    }
                }
                Effect::DialAnew => self.dialer.reset(now),
                Effect::Reached(address) => {
                    if let Some(address) = self.dialer.origin(&address).cloned() {
                        self.emit(LinkEvent::Reached(address));
                    }
                }
                Effect::Tell(event) => self.emit(event),
            }
        }
    }

    /// Tells the seat. Only a seat that has stopped listening loses news.
    pub(super) fn emit(&self, event: LinkEvent) {
        let _ = self.channels.events.try_send(event);
    }
}
