//! Who may be connected: incoming connections by where they come from, outgoing ones by [`Dials`].
//!
//! Nobody is known before the handshake, so whoever calls is a stranger at first. Strangers can't keep the opponent out:
//! - a source (an address; of IPv6 a network of 64 bits; behind a relay a peer) has few connections in the handshake, and
//!   so many a minute; all sources together have more, but the opponent's last sources don't count among them;
//! - a stranger that is through the handshake takes the place of the oldest one, of its own source first. It is closed
//!   some seconds later if it hasn't said who it is (`machine`); the opponent says so at once;
//! - the opponent, once it has proven who it is, is no stranger; a new connection of it replaces its older one, which
//!   may be dead without our knowing.
//!
//! A relay has a gate of its own, before which all are strangers for good. There a source has so many connections, in the
//! handshake or through it, and a newer one is refused: no crowd moves whoever holds a place.

mod behaviour;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use fog::ensure;
use libp2p::core::Endpoint;
use libp2p::multiaddr::Protocol as P;
use libp2p::swarm::{ConnectionDenied, ConnectionId};
use libp2p::{Multiaddr, PeerId};
use thiserror::Error;

use super::address::{host, is_relayed};
use super::dials::Dials;
use super::meter::{Meter, Rate};

/// Connections of one source that are in the handshake; each takes a socket and some 10 kB for some seconds.
const MAX_PENDING_OF_SOURCE: usize = 16;
/// Connections of all sources that are in the handshake.
const MAX_PENDING: usize = 128;
/// Strangers of one source that are through the handshake.
const MAX_STRANGERS_OF_SOURCE: usize = 8;
/// Strangers of all sources.
const MAX_STRANGERS: usize = 32;
/// Handshakes of one source: each costs about half a millisecond of computing.
const HANDSHAKES_OF_SOURCE: Rate = Rate { burst: 60, every: Duration::from_millis(200) };
/// Handshakes of all sources.
const HANDSHAKES: Rate = Rate { burst: 300, every: Duration::from_millis(20) };
/// Sources of the opponent that are remembered.
const MAX_FAVOURED: usize = 4;
/// Meters that are kept without looking for idle ones.
const METERS: usize = 1024;

/// Where a connection comes from, as far as it can be told before the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A host, or a network of them.
    Host(IpAddr),
    /// A peer behind a relay.
    Relayed(PeerId),
}

impl Source {
    fn of(local: &Multiaddr, remote: &Multiaddr) -> Option<Self> {
        match remote.iter().next() {
            Some(P::P2p(peer)) if is_relayed(local) => Some(Self::Relayed(peer)),
            _ => host(remote).map(Self::Host),
        }
    }
}

/// Why a connection is not taken.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Denied {
    /// Nothing is known of its source.
    #[error("the address says nothing about where the connection comes from")]
    Nowhere,
    /// Its source, or all together, have too many connections.
    #[error("too many connections")]
    TooMany,
    /// Its source, or all together, have come too often.
    #[error("too many connections in this time")]
    TooOften,
    /// It would be dialled, and the user has not named it.
    #[error("nobody has named this address")]
    NotNamed,
}

impl From<Denied> for ConnectionDenied {
    fn from(denied: Denied) -> Self {
        Self::new(denied)
    }
}

/// A connection that is through the handshake.
#[derive(Clone, Copy, Debug)]
pub struct Guest {
    pub connection: ConnectionId,
    /// The peer, whose key the handshake has shown.
    pub peer: PeerId,
    /// Where it comes from.
    pub source: Source,
}

/// The limits. What they decide is pure: the time is given; `behaviour` makes them a part of the swarm.
#[derive(Debug, Default)]
pub struct Gate {
    pending: HashMap<ConnectionId, Source>,
    /// Incoming connections whose peers haven't shown that they are the opponent, oldest first.
    strangers: VecDeque<Guest>,
    /// Connections that we opened to peers who haven't shown that they are the opponent.
    outgoing: Vec<(ConnectionId, PeerId, Endpoint)>,
    opponent: Option<PeerId>,
    /// The connections of the opponent, with who opened them.
    connections: Vec<(ConnectionId, Endpoint)>,
    /// Where the opponent came from, latest first.
    favoured: VecDeque<Source>,
    /// The handshakes of each source; those of all sources together under `None`.
    meters: HashMap<Option<Source>, Meter>,
    closing: VecDeque<(PeerId, ConnectionId)>,
    pub(super) dials: Dials,
    /// A relay's: how many connections a source may have.
    most_of_source: Option<usize>,
}

impl Gate {
    /// A relay's, which lets each source have so many connections, closes none and dials nobody.
    pub fn with_most(most_of_source: usize) -> Self {
        Self { most_of_source: Some(most_of_source), ..Self::default() }
    }

    /// A peer has proven to be the opponent. It is the only one from now on.
    pub fn trust(&mut self, peer: PeerId) {
        if self.opponent.replace(peer) != Some(peer) {
            self.connections.clear();
        }
        let (known, strangers): (VecDeque<_>, VecDeque<_>) = self.strangers.drain(..).partition(|g| g.peer == peer);
        self.strangers = strangers;
        for (connection, _, role) in self.outgoing.extract_if(.., |(_, to, _)| *to == peer).collect::<Vec<_>>() {
            self.keep(connection, peer, role);
        }
        for guest in known {
            self.favour(guest.source);
            self.keep(guest.connection, peer, Endpoint::Listener);
        }
    }

    fn favour(&mut self, source: Source) {
        self.favoured.retain(|known| *known != source);
        self.favoured.push_front(source);
        self.favoured.truncate(MAX_FAVOURED);
    }

    /// A connection of the opponent replaces the one before that was opened by the same side.
    fn keep(&mut self, connection: ConnectionId, peer: PeerId, role: Endpoint) {
        self.connections.retain(|(known, their_role)| {
            let is_replaced = *their_role == role && *known != connection;
            if is_replaced {
                self.closing.push_back((peer, *known));
            }
            !is_replaced && *known != connection
        });
        self.connections.push((connection, role));
    }

    /// An incoming connection begins its handshake.
    ///
    /// # Errors
    /// Why it is not taken.
    pub fn arrives(&mut self, connection: ConnectionId, source: Source, now: Instant) -> Result<(), Denied> {
        // A relay favours nobody, so one source could use up there what all have together.
        let is_spared = self.most_of_source.is_some() || self.favoured.contains(&source);
        let pending = self.pending.values().filter(|known| **known == source).count();
        let through = || self.strangers.iter().filter(|guest| guest.source == source).count();
        let has_room = match self.most_of_source {
            Some(most) => pending + through() < most,
            None => pending < MAX_PENDING_OF_SOURCE,
        };
        ensure!(has_room, Denied::TooMany);
        ensure!(is_spared || self.pending.len() < MAX_PENDING, Denied::TooMany);
        if self.meters.len() > METERS {
            self.meters.retain(|_, meter| !meter.is_idle(now));
        }
        let mut may = |of, rate| self.meters.entry(of).or_insert(Meter::new(rate)).take(now);
        ensure!(is_spared || may(None, HANDSHAKES), Denied::TooOften);
        ensure!(may(Some(source), HANDSHAKES_OF_SOURCE), Denied::TooOften);
        self.pending.insert(connection, source);
        Ok(())
    }

    /// A connection is through the handshake: the opponent's is kept, a stranger's takes the oldest one's place, but for a
    /// relay's gate.
    pub fn enters(&mut self, guest: Guest) {
        self.pending.remove(&guest.connection);
        if self.opponent == Some(guest.peer) {
            self.favour(guest.source);
            return self.keep(guest.connection, guest.peer, Endpoint::Listener);
        }
        self.strangers.push_back(guest);
        if self.most_of_source.is_some() {
            return;
        }
        let same = |known: &Guest| known.source == guest.source;
        if self.strangers.iter().filter(|known| same(known)).count() > MAX_STRANGERS_OF_SOURCE {
            self.evict(same);
        }
        if self.strangers.len() > MAX_STRANGERS {
            let favoured: Vec<Source> = self.favoured.iter().copied().collect();
            self.evict(|known| !favoured.contains(&known.source));
        }
    }

    /// A connection that was opened to a peer, by us or by both at once, is through the handshake.
    pub fn dialled(&mut self, connection: ConnectionId, peer: PeerId, role: Endpoint) {
        match self.opponent == Some(peer) {
            true => self.keep(connection, peer, role),
            false => self.outgoing.push((connection, peer, role)),
        }
    }

    /// The next connection to close.
    pub fn next_to_close(&mut self) -> Option<(PeerId, ConnectionId)> {
        self.closing.pop_front()
    }

    fn evict(&mut self, which: impl Fn(&Guest) -> bool) {
        if let Some(at) = self.strangers.iter().position(which)
            && let Some(guest) = self.strangers.remove(at)
        {
            self.closing.push_back((guest.peer, guest.connection));
        }
    }

    /// A connection is closed, or came to nothing.
    pub fn forget(&mut self, connection: ConnectionId) {
        self.pending.remove(&connection);
        self.strangers.retain(|guest| guest.connection != connection);
        self.outgoing.retain(|(known, ..)| *known != connection);
        self.connections.retain(|(known, _)| *known != connection);
    }
}
