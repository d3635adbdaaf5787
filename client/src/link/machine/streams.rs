//! What comes and goes on a link's streams: frames are judged, acknowledged and handed on; messages are sent, and sent
//! again.
//!
//! Protocol section 6. The other half of [`Machine`], whose connections and introductions are in its module.

use std::time::{Duration, Instant};

use libp2p::PeerId;
use libp2p::swarm::ConnectionId;

use super::inbox::NotTaken;
use super::outbox::Next;
use super::{Effect, Failure, Machine, StreamId, TICK};
use crate::link::codec::Packet;
use crate::link::frame::{Ack, Frame, Refusal};
use crate::link::{LinkEvent, Offence};
use game::Message;

/// Pause before a message that failed, or that the peer was too busy for, goes out again.
const RESEND: Duration = Duration::from_millis(400);

/// What a stream carries that waits for its acknowledgement.
#[derive(Debug)]
pub(super) enum Outbound {
    Hello,
    /// One frame of a message, and whether it is its last.
    Message {
        serial: u64,
        is_last: bool,
    },
}

impl Machine {
    /// Something came in: judge it and acknowledge or refuse it.
    pub(super) fn on_packet(&mut self, peer: PeerId, connection: ConnectionId, packet: Packet, now: Instant) {
        if !self.peers.frame(&peer, now) || self.peers.is_opponent(&peer) && !self.inbox.admits_frame(now) {
            // More than any honest peer sends. Without an acknowledgement it loses nothing by coming again later.
            return self.effects.push(Effect::Disconnect(peer));
        }
        let ack = match packet {
            Packet::Malformed(e) => self.refuse(peer, Offence::Malformed(e), now),
            Packet::Frame(Frame::Hello(signature)) => match self.peers.hello(&peer, connection, &signature) {
                Ok(hello) => {
                    self.introduced(peer, hello);
                    Ok(())
                }
                Err(offence) => self.refuse(peer, offence, now),
            },
            Packet::Frame(_) if !self.peers.is_opponent(&peer) => self.refuse(peer, Offence::NotIntroduced, now),
            Packet::Frame(Frame::Message(message)) => {
                let taken = self.inbox.take(message, self.has_room(), now);
                self.hand_on(peer, taken, now)
            }
            Packet::Frame(Frame::Piece(piece)) => {
                let taken = self.inbox.take_piece(piece, self.has_room(), now);
                self.hand_on(peer, taken, now)
            }
        };
        self.effects.push(Effect::Answer(ack));
    }

    /// Refuses what a peer sent, tells the seat, and lets a stranger go.
    fn refuse(&mut self, peer: PeerId, offence: Offence, now: Instant) -> Ack {
        let refusal = match offence {
            Offence::Malformed(_) => Refusal::Malformed,
            Offence::Impostor | Offence::BadSignature => Refusal::NotTheOpponent,
            Offence::NotIntroduced => Refusal::NotIntroduced,
        };
        let opponent = self.peers.is_opponent(&peer);
        // An opponent that reconnects may be in the middle of its introduction.
        if !opponent && offence != Offence::NotIntroduced && self.dismissed.iter().all(|(known, _)| *known != peer) {
            self.dismissed.push((peer, now + TICK));
        }
        let is_news = opponent || self.strangers.take(now);
        if is_news && self.has_room() {
            self.tell(LinkEvent::Refused { peer, opponent, offence });
        }
        Err(refusal)
    }

    /// What the opponent sent goes to the seat, unless it is a repeat; it is acknowledged every time.
    fn hand_on(&mut self, peer: PeerId, taken: Result<Option<Message>, NotTaken>, now: Instant) -> Ack {
        match taken {
            Ok(Some(message)) => self.tell(LinkEvent::Received(message)),
            Ok(None) => {}
            Err(NotTaken::Busy) => return Err(Refusal::Busy),
            Err(NotTaken::Malformed(error)) => return self.refuse(peer, Offence::Malformed(error), now),
        }
        Ok(())
    }

    fn take_pending(&mut self, stream: StreamId) -> Option<Outbound> {
        let at = self.pending.iter().position(|(pending, _)| *pending == stream)?;
        Some(self.pending.swap_remove(at).1)
    }

    pub(super) fn on_ack(&mut self, peer: PeerId, stream: StreamId, ack: Ack, now: Instant) {
        match (self.take_pending(stream), ack) {
            (Some(Outbound::Hello), ack) => self.on_hello_ack(peer, ack),
            (Some(Outbound::Message { .. }), Err(Refusal::Busy)) => self.next_send = now + RESEND,
            (Some(Outbound::Message { .. }), Err(Refusal::NotIntroduced)) => {
                if let Some(state) = self.peers.get_mut(&peer) {
                    state.accepted = false;
                }
                self.greet(peer);
            }
            (Some(Outbound::Message { serial, is_last: false }), Ok(())) => self.outbox.arrived(serial),
            (Some(Outbound::Message { serial, .. }), ack) => {
                if let Some(id) = self.outbox.acknowledge(serial) {
                    let rejected = |reason| LinkEvent::Rejected { id, reason };
                    self.tell(ack.map_or_else(rejected, |()| LinkEvent::Delivered(id)));
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
            if self.has_room() {
                self.tell(LinkEvent::Unwelcome { peer, reason });
            }
            self.effects.push(Effect::Disconnect(peer));
        }
    }

    pub(super) fn on_failure(&mut self, peer: PeerId, stream: StreamId, failure: Failure, now: Instant) {
        self.next_send = now + RESEND;
        let greeting = matches!(self.take_pending(stream), Some(Outbound::Hello));
        if let Some(state) = self.peers.get_mut(&peer) {
            state.greeting &= !greeting;
        }
        // Another connection has replaced this one.
        if greeting && failure == Failure::Closed && self.peers.contains(&peer) {
            return self.greet(peer);
        }
        // Silence, another protocol, or no introduction: the connection is of no use. One side or the other will dial
        // a new one.
        if greeting || failure == Failure::NoAnswer {
            self.effects.push(Effect::Disconnect(peer));
        }
    }

    /// Sends the next frame, if the opponent is there and no other is on its way.
    pub(super) fn pump(&mut self, now: Instant) {
        let is_busy = self.pending.iter().any(|(_, what)| matches!(what, Outbound::Message { .. }));
        if is_busy || self.is_held || now < self.next_send {
            return;
        }
        let Some(peer) = self.peers.opponent() else {
            return;
        };
        if let Some(Next { serial, frame, is_last }) = self.outbox.next() {
            self.send(peer, frame, Outbound::Message { serial, is_last });
        }
    }
}
