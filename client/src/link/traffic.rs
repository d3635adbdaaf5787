//! What comes and goes on a link's streams: frames are judged, acknowledged and handed on; messages are sent, and sent
//! again.
//!
//! Protocol section 6. The other half of [`Task`], whose loop, connections and introductions are in `task`.

use fog::ensure;
use std::time::{Duration, Instant};

use alloy::primitives::{B256, keccak256};
use libp2p::PeerId;
use libp2p::request_response::{self, OutboundFailure, OutboundRequestId, ResponseChannel};
use libp2p::swarm::ConnectionId;

use super::codec::{Packet, to_wire};
use super::frame::Refusal;
use super::frame::{Ack, Frame};
use super::pieces::Piece;
use super::task::{Outbound, TICK, Task};
use super::{LinkEvent, Offence};
use game::{Message, MessageKind};

/// Pause before a message that failed, or that the peer was too busy for, goes out again.
const RESEND: Duration = Duration::from_millis(400);
/// Messages remembered to recognise repeats.
const REMEMBERED: usize = 32;
/// Room in the event channel that only news of the link itself may use, so that no sender can crowd it out.
pub(super) const RESERVED_EVENTS: usize = 24;

impl Task {
    pub(super) fn on_messages(&mut self, event: request_response::Event<Packet, Ack>) {
        use request_response::{Event, Message as Half};
        match event {
            Event::Message { peer, connection_id, message } => match message {
                Half::Request { request, channel, .. } => self.on_packet(peer, connection_id, request, channel),
                Half::Response { request_id, response } => self.on_ack(peer, request_id, response),
            },
            Event::OutboundFailure { peer, request_id, error, .. } => self.on_failure(peer, request_id, &error),
            Event::InboundFailure { .. } | Event::ResponseSent { .. } => {}
        }
    }

    /// Something came in: judge it and acknowledge or refuse it.
    fn on_packet(&mut self, peer: PeerId, connection: ConnectionId, packet: Packet, channel: ResponseChannel<Ack>) {
        let now = Instant::now();
        if !self.peers.frame(&peer, now) || self.peers.is_opponent(&peer) && !self.work.frame(now) {
            // More than any honest peer sends. Without an acknowledgement it loses nothing by coming again later.
            let _ = self.swarm.disconnect_peer_id(peer);
            return;
        }
        let ack = match packet {
            Packet::Malformed(e) => self.refuse(peer, Offence::Malformed(e)),
            Packet::Frame(Frame::Hello(signature)) => match self.peers.hello(&peer, connection, &signature) {
                Ok(hello) => {
                    self.introduced(peer, hello);
                    Ok(())
                }
                Err(offence) => self.refuse(peer, offence),
            },
            Packet::Frame(Frame::Message(message)) if self.peers.is_opponent(&peer) => self.receive(message),
            Packet::Frame(Frame::Piece(piece)) if self.peers.is_opponent(&peer) => self.receive_piece(peer, piece),
            Packet::Frame(Frame::Message(_) | Frame::Piece(_)) => self.refuse(peer, Offence::NotIntroduced),
        };
        // Fails only if the stream is gone; the peer will send again.
        let _ = self.swarm.behaviour_mut().messages.send_response(channel, ack);
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
        if !opponent && offence != Offence::NotIntroduced && self.dismissed.iter().all(|(known, _)| *known != peer) {
            self.dismissed.push((peer, Instant::now() + TICK));
        }
        let is_news = opponent || self.strangers.take(Instant::now());
        if is_news && self.channels.events.capacity() > RESERVED_EVENTS {
            self.emit(LinkEvent::Refused { peer, opponent, offence });
        }
        Err(refusal)
    }

    /// A message of the opponent: hand it on once, acknowledge it every time.
    fn receive(&mut self, message: Message) -> Ack {
        let hash = keccak256(to_wire(&message, B256::ZERO));
        // A wish says "again": each one counts.
        if !message.id().kind.is_wish() && self.seen.contains(&hash) {
            return Ok(());
        }
        self.admit(message.id().kind)?;
        self.hand_on(message, hash);
        Ok(())
    }

    /// A piece of a message of the opponent: the same, once the message is whole.
    fn receive_piece(&mut self, peer: PeerId, piece: Piece) -> Ack {
        self.admit(MessageKind::Exchange)?;
        match self.assembly.take(piece) {
            Ok(Some(message)) => {
                let hash = keccak256(to_wire(&message, B256::ZERO));
                if !self.seen.contains(&hash) {
                    self.hand_on(message, hash);
                }
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(error) => self.refuse(peer, Offence::Malformed(error)),
        }
    }

    /// Whether there is room and work left for something of a kind.
    fn admit(&mut self, kind: MessageKind) -> Ack {
        ensure!(self.channels.events.capacity() > RESERVED_EVENTS, Refusal::Busy);
        ensure!(self.work.message(kind, Instant::now()), Refusal::Busy);
        Ok(())
    }

    fn hand_on(&mut self, message: Message, hash: B256) {
        self.seen.truncate(REMEMBERED - 1);
        self.seen.push_front(hash);
        self.emit(LinkEvent::Received(message));
    }

    fn take_pending(&mut self, id: OutboundRequestId) -> Option<Outbound> {
        let at = self.pending.iter().position(|(pending, _)| *pending == id)?;
        Some(self.pending.swap_remove(at).1)
    }

    fn on_ack(&mut self, peer: PeerId, id: OutboundRequestId, ack: Ack) {
        match (self.take_pending(id), ack) {
            (Some(Outbound::Hello), ack) => self.on_hello_ack(peer, ack),
            (Some(Outbound::Message { .. }), Err(Refusal::Busy)) => self.next_send = Instant::now() + RESEND,
            (Some(Outbound::Message { .. }), Err(Refusal::NotIntroduced)) => {
                if let Some(state) = self.peers.get_mut(&peer) {
                    state.accepted = false;
                }
                self.greet(peer);
            }
            (Some(Outbound::Message { serial, is_last: false }), Ok(())) => {
                if let Some((_, arrived)) = self.progress.as_mut().filter(|(known, _)| *known == serial) {
                    *arrived += 1;
                }
            }
            (Some(Outbound::Message { serial, .. }), ack) => {
                self.progress = None;
                if let Some(id) = self.outbox.acknowledge(serial) {
                    let rejected = |reason| LinkEvent::Rejected { id, reason };
                    self.emit(ack.map_or_else(rejected, |()| LinkEvent::Delivered(id)));
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
        // Another connection has replaced this one.
        if greeting && matches!(error, OutboundFailure::ConnectionClosed) && self.swarm.is_connected(&peer) {
            self.greet(peer);
            return;
        }
        // Silence, another protocol, or no introduction: the connection is of no use. One side or the other will dial
        // a new one.
        if greeting || matches!(error, OutboundFailure::Timeout | OutboundFailure::UnsupportedProtocols) {
            let _ = self.swarm.disconnect_peer_id(peer);
        }
    }

    /// Sends the next message, if the opponent is there and no other is on its way.
    pub(super) fn pump(&mut self) {
        let busy = self.pending.iter().any(|(_, what)| matches!(what, Outbound::Message { .. }));
        if busy || Instant::now() < self.next_send {
            return;
        }
        let (Some(peer), Some((serial, message))) = (self.peers.opponent(), self.outbox.next()) else {
            return;
        };
        let arrived = self.progress.filter(|(known, _)| *known == serial).map_or(0, |(_, arrived)| arrived);
        self.progress = Some((serial, arrived));
        let (packet, frames) = (Packet::Frame(Frame::of(message, arrived)), message.frames());
        let is_last = usize::from(arrived) + 1 >= frames;
        let id = self.swarm.behaviour_mut().messages.send_request(&peer, packet);
        self.pending.push((id, Outbound::Message { serial, is_last }));
    }
}
