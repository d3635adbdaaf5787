//! What a link decides about peers and messages, as a pure machine: who is the opponent, what goes out next and again, what is refused, whom to
//! disconnect, and what the seat is told. No I/O, no clock, no channels.
//!
//! Protocol section 6. What happens goes in as an [`Input`] with the time, and [`Effect`]s come out; `task` carries them on sockets, and the
//! simulator in a world of its own. Where to listen and whom to dial is no business of the machine.
//!
//! It holds no state that the seat would miss after a restart, and its memory is bounded ([`Machine::size`]): so many kept messages, one message
//! that isn't whole, and something small for each connected peer, of whom the gate lets in so many.

mod facts;
mod inbox;
mod outbox;
mod peers;
mod streams;
#[cfg(test)]
mod tests;
mod work;

use std::time::{Duration, Instant};

use alloy::primitives::Address;
use libp2p::PeerId;

use super::LinkEvent;
use super::binding::Identity;
use super::codec::Packet;
use super::frame::{Frame, Frames};
use super::meter::{Meter, Rate};
use game::message::HELLO_BYTES;
use inbox::Inbox;
use outbox::Outbox;
use peers::{Hello, Peers};
use streams::Outbound;

pub use facts::{Effect, Failure, Input, StreamId};

/// How often time-outs are looked at.
pub const TICK: Duration = Duration::from_millis(200);
/// Room among the events that wait for the seat which only news of the link itself may use, so that no sender can crowd it out.
pub const RESERVED_EVENTS: usize = 24;
/// How often the side that dialled shows that it is there, and so finds out when the other isn't.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// News of strangers for the user: so many at once, and then ten a minute.
const STRANGERS: Rate = Rate { burst: 32, every: Duration::from_secs(6) };

/// The decisions of one link.
#[derive(Debug)]
pub struct Machine {
    peers: Peers,
    hello: Box<[u8; HELLO_BYTES]>,
    outbox: Outbox,
    /// Whether messages wait until the seat says otherwise.
    is_held: bool,
    inbox: Inbox,
    /// Streams that wait for their acknowledgement: one message, and a hello a peer.
    pending: Vec<(StreamId, Outbound)>,
    next_stream: StreamId,
    /// Peers to disconnect once they have had the time to read why.
    dismissed: Vec<(PeerId, Instant)>,
    strangers: Meter,
    /// Whether the seat has been told that the opponent is there.
    is_connected: bool,
    next_send: Instant,
    next_heartbeat: Instant,
    /// How many events the seat can still take.
    room: usize,
    effects: Vec<Effect>,
}

/// What a machine keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Messages, delivered ones too.
    pub kept: usize,
    /// Messages that wait for their delivery.
    pub waiting: usize,
    /// Streams that wait for their acknowledgement.
    pub streams: usize,
    /// Hashes of messages that have come.
    pub remembered: usize,
    /// Bytes of a message that isn't whole.
    pub bytes: usize,
    pub peers: usize,
    /// Peers that are about to be disconnected.
    pub dismissed: usize,
}

impl Machine {
    /// Nobody is there yet. `opponent` is its address on the chain.
    pub fn new(identity: &Identity, opponent: Address, frames: Frames, now: Instant) -> Self {
        Self {
            peers: Peers::new(identity.game, opponent),
            hello: Box::new(identity.signature),
            outbox: Outbox::default(),
            is_held: false,
            inbox: Inbox::new(frames),
            pending: Vec::new(),
            next_stream: 0,
            dismissed: Vec::new(),
            strangers: Meter::new(STRANGERS),
            is_connected: false,
            next_send: now,
            next_heartbeat: now + HEARTBEAT,
            room: 0,
            effects: Vec::new(),
        }
    }

    /// The opponent's peer, when each side knows the other.
    pub fn opponent(&self) -> Option<PeerId> {
        self.peers.opponent()
    }

    /// What it keeps at the moment.
    pub fn size(&self) -> Size {
        let ((kept, waiting), (remembered, bytes)) = (self.outbox.size(), self.inbox.size());
        let (peers, dismissed, streams) = (self.peers.len(), self.dismissed.len(), self.pending.len());
        Size { kept, waiting, streams, remembered, bytes, peers, dismissed }
    }

    /// Something happens, while the seat can take `room` more events: what is to be done.
    pub fn apply(&mut self, input: Input, room: usize, now: Instant) -> Vec<Effect> {
        self.room = room;
        match input {
            Input::Connected { peer, dialled } => {
                self.peers.connected(peer, dialled.as_ref(), now);
                if dialled.is_some() {
                    self.greet(peer);
                }
            }
            Input::Disconnected(peer) => self.peers.disconnected(&peer),
            Input::Packet { peer, connection, packet } => self.on_packet(peer, connection, packet, now),
            Input::Acknowledged { peer, stream, ack } => self.on_ack(peer, stream, ack, now),
            Input::Failed { peer, stream, failure } => self.on_failure(peer, stream, failure, now),
            Input::Send(message) => {
                if message.id().kind.is_wish() {
                    self.inbox.forget_repeats();
                }
                self.outbox.push(message);
            }
            Input::Hold(is_held) => self.hold(is_held),
            Input::Forget => self.outbox.forget(),
            Input::Tick => self.on_tick(now),
        }
        self.note_connection(now);
        self.pump(now);
        std::mem::take(&mut self.effects)
    }

    /// Has messages wait, or not any more.
    pub fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    fn on_tick(&mut self, now: Instant) {
        for peer in self.peers.overdue(now).into_iter().chain(self.peers.silent(now)) {
            self.effects.push(Effect::Disconnect(peer));
        }
        let due = self.dismissed.extract_if(.., |(_, at)| now >= *at);
        self.effects.extend(due.map(|(peer, _)| Effect::Disconnect(peer)));
        if let Some(peer) = self.peers.opponent().filter(|_| now >= self.next_heartbeat) {
            self.next_heartbeat = now + HEARTBEAT;
            if self.peers.get_mut(&peer).is_some_and(|peer| peer.dialled) {
                self.greet(peer);
            }
        }
    }

    /// The opponent has proven who it is.
    fn introduced(&mut self, peer: PeerId, hello: Hello) {
        if hello == Hello::New {
            self.outbox.rewind();
            self.effects.push(Effect::Trust(peer));
            self.effects.extend(self.peers.replaced_by(&peer).into_iter().map(Effect::Disconnect));
        }
        if self.peers.get_mut(&peer).is_some_and(|state| !state.accepted) {
            self.greet(peer);
        }
    }

    /// Tells the seat when the opponent comes and goes.
    fn note_connection(&mut self, now: Instant) {
        let opponent = self.peers.opponent();
        if std::mem::replace(&mut self.is_connected, opponent.is_some()) == opponent.is_some() {
            return;
        }
        self.next_heartbeat = now + HEARTBEAT;
        self.effects.push(Effect::DialAnew);
        let via = opponent.and_then(|peer| self.peers.get_mut(&peer)?.via.clone());
        self.effects.extend(via.map(Effect::Reached));
        self.tell(opponent.map_or(LinkEvent::Disconnected, LinkEvent::Connected));
    }

    /// Says hello, unless a hello is on its way.
    fn greet(&mut self, peer: PeerId) {
        let is_new = |state: &mut peers::Peer| !std::mem::replace(&mut state.greeting, true);
        if self.peers.get_mut(&peer).is_some_and(is_new) {
            self.send(peer, Frame::Hello(self.hello.clone()), Outbound::Hello);
        }
    }

    fn send(&mut self, peer: PeerId, frame: Frame, what: Outbound) {
        let stream = self.next_stream;
        self.next_stream += 1;
        self.pending.push((stream, what));
        self.effects.push(Effect::Send { peer, stream, packet: Packet::Frame(frame) });
    }

    /// Whether the seat has room for more than news of the link itself.
    fn has_room(&self) -> bool {
        self.room > RESERVED_EVENTS
    }

    fn tell(&mut self, event: LinkEvent) {
        self.room = self.room.saturating_sub(1);
        self.effects.push(Effect::Tell(event));
    }
}
