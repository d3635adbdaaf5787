//! Streams: a packet that is sent arrives, in any order, and its acknowledgement comes back; or both are lost with their connection.

use super::super::chance::Chance as _;
use super::connection::Party;
use super::{End, Link, LinkWeather, Luck};
use client::link::machine::{Failure, Input, StreamId};
use client::link::{Ack, Frame, Packet, Refusal};
use libp2p::PeerId;
use libp2p::swarm::ConnectionId;
use rand::Rng;

/// Seconds after which what was sent on a stream counts as lost.
const TIME_OUT: u64 = 20;
/// What is carried at once, at most, when nothing goes wrong: more than there ever is.
const ALL: usize = 10_000;

/// A stream of one packet and its acknowledgement.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) from: Party,
    pub(super) id: StreamId,
    pub(super) connection: ConnectionId,
    leg: Leg,
    since: u64,
}

/// What is under way on a stream.
#[derive(Debug)]
enum Leg {
    Packet(Packet),
    Ack(Ack),
    /// The receiver has closed it without an answer.
    Unanswered,
    /// Nothing: it was lost.
    Lost,
}

impl Link {
    /// A player's machine sends a packet: on any of its connections with the peer.
    pub(super) fn open_stream(&mut self, i: usize, peer: PeerId, id: StreamId, packet: Packet, luck: &mut Luck) {
        self.check_receiver(i, peer, &packet, luck);
        let from = Party::Player(i);
        let usable = self.open_with(i, peer);
        if self.defect.leaks && !matches!(packet, Packet::Frame(Frame::Hello(_))) {
            let strangers = self.connections.iter().flat_map(|connection| connection.parties);
            let peers: Vec<PeerId> =
                strangers.filter(|party| matches!(party, Party::Stranger(_))).map(|p| self.peer(p)).collect();
            peers.first().inspect(|stranger| self.check_receiver(i, **stranger, &packet, luck));
        }
        if usable.is_empty() {
            return self.ends[i].inputs.push_back(Input::Failed { peer, stream: id, failure: Failure::Other });
        }
        let connection = usable[luck.rng.gen_range(0..usable.len())];
        self.send(from, id, connection, packet);
    }

    /// A packet is under way.
    pub(super) fn send(&mut self, from: Party, id: StreamId, connection: ConnectionId, packet: Packet) {
        self.streams.push(Stream { from, id, connection, leg: Leg::Packet(packet), since: self.now });
    }

    /// What was sent long ago counts as lost.
    pub(super) fn time_out(&mut self) {
        let now = self.now;
        let is_late = |stream: &mut Stream| now.saturating_sub(stream.since) > TIME_OUT;
        let late: Vec<Stream> = self.streams.extract_if(.., is_late).collect();
        for stream in late {
            if let Party::Player(i) = stream.from {
                let other = self.connection(stream.connection).and_then(|it| it.opposite(stream.from));
                let Some(other) = other else { continue };
                let peer = self.peer(other);
                let failure = Failure::NoAnswer;
                self.ends[i].inputs.push_back(Input::Failed { peer, stream: stream.id, failure });
            }
        }
    }

    /// Whether anything is under way.
    pub(in super::super) fn has_work(&self) -> bool {
        self.ends.iter().any(|end| !end.inputs.is_empty())
            || self.streams.iter().any(|stream| !matches!(stream.leg, Leg::Lost))
            || self.connections.iter().any(|connection| connection.unnoticed().is_some())
    }

    /// A player's machine hears what has happened to its connections and streams.
    pub(super) fn hear_of_network(&mut self, i: usize, luck: &mut Luck) {
        while let Some(input) = self.ends[i].inputs.pop_front() {
            self.apply(i, input, luck);
        }
    }

    /// The next thing: a machine hears of its connections, somebody notices a closed one, or something arrives, or breaks its connection.
    pub(super) fn carry(&mut self, luck: &mut Luck) {
        let first = luck.rng.gen_range(0..2);
        let waits = |end: &End| !end.inputs.is_empty();
        if let Some(i) = [first, 1 - first].into_iter().find(|i| waits(&self.ends[*i])) {
            return self.hear_of_network(i, luck);
        }
        let unnoticed = self.connections.iter().find_map(|connection| Some((connection.id, connection.unnoticed()?)));
        let under_way = self.streams.iter().filter(|stream| !matches!(stream.leg, Leg::Lost)).count();
        if let Some((id, i)) = unnoticed
            && (under_way == 0 || luck.rng.gen_range(0..4) == 0)
        {
            return self.close(id, i);
        }
        if under_way > 0 {
            let place = if self.weather.reorder { luck.rng.gen_range(0..under_way) } else { 0 };
            self.arrive(place, luck);
        }
    }

    /// All that is under way arrives, and nothing breaks.
    pub(super) fn settle(&mut self, luck: &mut Luck) {
        let weather = self.weather;
        self.weather = LinkWeather { breaks: 0, reorder: false, ..weather };
        for _ in 0..ALL {
            if !self.has_work() {
                break;
            }
            self.carry(luck);
        }
        self.weather = weather;
    }

    /// The packet or acknowledgement at this place of those under way arrives.
    fn arrive(&mut self, place: usize, luck: &mut Luck) {
        let mut under_way = self.streams.iter().enumerate().filter(|(_, stream)| !matches!(stream.leg, Leg::Lost));
        let Some((at, _)) = under_way.nth(place) else { return };
        let mut stream = self.streams.remove(at);
        if place > 0 {
            luck.faults.add("packets overtaken");
        }
        let breaks = luck.rng.percent(self.weather.breaks);
        let is_dead = breaks && luck.rng.percent(self.weather.dead);
        let Some(connection) = self.connections.iter_mut().find(|connection| connection.id == stream.connection) else {
            return;
        };
        if breaks {
            luck.faults.add(if is_dead { "connections gone dead" } else { "connections broken" });
            connection.breaks(is_dead);
        }
        match (connection.carries(), connection.opposite(stream.from)) {
            (true, Some(to)) => self.deliver(stream, to, luck),
            _ => {
                luck.faults.add("packets lost");
                stream.leg = Leg::Lost;
                self.streams.push(stream);
            }
        }
    }

    fn deliver(&mut self, mut stream: Stream, to: Party, luck: &mut Luck) {
        let (from, connection) = (stream.from, stream.connection);
        match (std::mem::replace(&mut stream.leg, Leg::Lost), from, to) {
            (Leg::Packet(packet), _, Party::Player(j)) => {
                self.hear_of_network(j, luck);
                let packet = self.on_the_way(from, packet, luck);
                let ack = match self.is_swallowed(&packet, luck) {
                    true => Some(Ok(())),
                    false => {
                        let peer = self.peer(from);
                        self.apply(j, Input::Packet { peer, connection, packet }, luck)
                    }
                };
                stream.leg = ack.map_or(Leg::Unanswered, Leg::Ack);
            }
            (Leg::Packet(_), _, Party::Stranger(_)) => {
                stream.leg = Leg::Ack(if luck.rng.percent(50) { Ok(()) } else { Err(Refusal::NotTheOpponent) });
            }
            (Leg::Ack(ack), Party::Player(i), _) => {
                let input = Input::Acknowledged { peer: self.peer(to), stream: stream.id, ack };
                self.ends[i].inputs.push_back(input);
                return self.hear_of_network(i, luck);
            }
            (Leg::Unanswered, Party::Player(i), _) => {
                let input = Input::Failed { peer: self.peer(to), stream: stream.id, failure: Failure::Other };
                self.ends[i].inputs.push_back(input);
                return self.hear_of_network(i, luck);
            }
            _ => return,
        }
        // A stranger has no use for its acknowledgements; and what was closed meanwhile carries none.
        if let Party::Player(_) = from
            && self.connection(connection).is_some()
        {
            self.streams.push(stream);
        }
    }
}
