//! Connections: they come up, are let in by the gates, break, die, and are closed by one side and then noticed by the other.

use super::super::chance::Chance as _;
use super::connection::{Connection, Party};
use super::streams::Stream;
use super::{Link, Luck, host};
use client::link::gate::{Guest, Source};
use client::link::machine::{Failure, Input};
use libp2p::core::Endpoint;
use libp2p::swarm::ConnectionId;
use libp2p::{Multiaddr, PeerId};
use rand::Rng;

/// Longest pause between two dials, in seconds.
const LONGEST_PAUSE: u64 = 4;

impl Link {
    pub(super) fn peer(&self, party: Party) -> PeerId {
        match party {
            Party::Player(i) => self.ends[i].peer,
            Party::Stranger(peer) => peer,
        }
    }

    pub(super) fn connection(&self, id: ConnectionId) -> Option<&Connection> {
        self.connections.iter().find(|connection| connection.id == id)
    }

    /// A connection comes up between two parties, if the gate lets it in.
    pub(super) fn connect(&mut self, from: Party, to: Party, source: Source, luck: &mut Luck) {
        self.next += 1;
        let (id, now) = (ConnectionId::new_unchecked(self.next), self.instant());
        let (peer, has_gate) = (self.peer(from), !self.defect.has_no_gate && !self.defect.lets_strangers_sit);
        if let Party::Player(j) = to
            && has_gate
        {
            if self.ends[j].gate.arrives(id, source, now).is_err() {
                luck.faults.add("connections refused");
                return;
            }
            self.ends[j].gate.enters(Guest { connection: id, peer, source });
        }
        if self.defect.lets_strangers_sit && self.connections.len() >= 8 {
            return;
        }
        luck.faults.add("connections");
        self.connections.push(Connection::new(id, [from, to]));
        if let Party::Player(i) = from {
            let peer = self.peer(to);
            self.ends[i].gate.dialled(id, peer, Endpoint::Dialer);
            self.ends[i].reached.push(peer);
            self.ends[i].inputs.push_back(Input::Connected { peer, dialled: Some(Multiaddr::empty()) });
            self.close_what_the_gate_closes(i);
        }
        if let Party::Player(j) = to {
            self.ends[j].inputs.push_back(Input::Connected { peer, dialled: None });
            self.close_what_the_gate_closes(j);
        }
    }

    /// A player dials the opponent when it is time: as the client, not while it takes itself for connected to it.
    pub(super) fn dial(&mut self, i: usize, luck: &mut Luck) {
        let opponent = Party::Player(1 - i);
        if self.is_cut
            || !self.weather.dials[i]
            || self.ends[i].machine.opponent().is_some()
            || self.is_linked(i, opponent)
        {
            return;
        }
        let end = &mut self.ends[i];
        if self.now < end.next_dial {
            return;
        }
        end.next_dial = self.now + end.pause;
        end.pause = (2 * end.pause).min(LONGEST_PAUSE);
        if luck.rng.percent(self.weather.unreachable) {
            luck.faults.add("dials that came to nothing");
        } else if self.weather.strangers > 0 && luck.rng.percent(5) {
            luck.faults.add("dials that reached a stranger");
            let stranger = self.stranger(luck);
            self.connect(Party::Player(i), stranger, host(i), luck);
        } else {
            self.connect(Party::Player(i), opponent, host(i), luck);
        }
    }

    /// Whether a player takes itself for connected to a party.
    fn is_linked(&self, i: usize, other: Party) -> bool {
        !self.open_with(i, self.peer(other)).is_empty()
    }

    /// A player's open connections with a peer.
    pub(super) fn open_with(&self, i: usize, peer: PeerId) -> Vec<ConnectionId> {
        let is_with = |connection: &&Connection| {
            let side = connection.side(Party::Player(i));
            side.is_some_and(|side| connection.is_open[side] && self.peer(connection.parties[1 - side]) == peer)
        };
        self.connections.iter().filter(is_with).map(|connection| connection.id).collect()
    }

    /// A second connection between players that are connected: a hole was punched, or both have dialled.
    pub(super) fn connect_again(&mut self, luck: &mut Luck) {
        let from = luck.rng.gen_range(0..2);
        if !self.is_cut && self.is_linked(from, Party::Player(1 - from)) {
            luck.faults.add("second connections");
            self.connect(Party::Player(from), Party::Player(1 - from), host(from), luck);
        }
    }

    /// A player closes all its connections with a peer.
    pub(super) fn disconnect(&mut self, i: usize, peer: PeerId) {
        let is_stranger = peer != self.ends[1 - i].peer;
        if is_stranger && (self.defect.lets_strangers_sit || self.defect.has_no_gate) {
            return;
        }
        self.open_with(i, peer).into_iter().for_each(|id| self.close(id, i));
    }

    pub(super) fn close_what_the_gate_closes(&mut self, i: usize) {
        while let Some((_, id)) = self.ends[i].gate.next_to_close() {
            self.close(id, i);
        }
    }

    /// A player closes a connection, or notices that it is closed: its machine hears of the peer first, and then of its streams.
    pub(super) fn close(&mut self, id: ConnectionId, i: usize) {
        let Some(connection) = self.connections.iter_mut().find(|connection| connection.id == id) else { return };
        let Some(side) = connection.side(Party::Player(i)).filter(|side| connection.is_open[*side]) else { return };
        connection.is_open[side] = false;
        let other = connection.parties[1 - side];
        if let Party::Stranger(_) = other {
            connection.is_open[1 - side] = false;
        }
        if connection.is_open == [false; 2] {
            self.connections.retain(|connection| connection.id != id);
        }
        let (peer, is_linked) = (self.peer(other), self.is_linked(i, other));
        let end = &mut self.ends[i];
        end.gate.forget(id);
        if !is_linked {
            end.inputs.push_back(Input::Disconnected(peer));
        }
        let is_lost = |stream: &mut Stream| stream.connection == id && stream.from == Party::Player(i);
        let failed = self.streams.extract_if(.., is_lost);
        let failed = failed.map(|stream| Input::Failed { peer, stream: stream.id, failure: Failure::Closed });
        let sends_once = self.defect.sends_once;
        end.inputs.extend(failed.filter(|_| !sends_once));
        self.streams.retain(|stream| stream.connection != id || matches!(stream.from, Party::Player(_)));
    }

    /// A player's process is gone, and with it its connections; the others notice later.
    pub(super) fn drop_connections(&mut self, i: usize) {
        let party = Party::Player(i);
        let ids: Vec<ConnectionId> =
            self.connections.iter().filter(|connection| connection.side(party).is_some()).map(|c| c.id).collect();
        ids.into_iter().for_each(|id| self.close(id, i));
        // Nobody is left to hear of them.
        self.streams.retain(|stream| stream.from != party);
    }

    /// Whether a player has ever opened a connection with a peer, perhaps one that is gone while another stays.
    pub(super) fn has_dialled(&self, i: usize, peer: PeerId) -> bool {
        self.ends[i].reached.contains(&peer)
    }
}
