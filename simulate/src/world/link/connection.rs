//! A connection and its two ends.

use libp2p::PeerId;
use libp2p::swarm::ConnectionId;

/// One end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Party {
    Player(usize),
    Stranger(PeerId),
}

/// A connection, as each of its ends sees it.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) id: ConnectionId,
    /// Who opened it, and to whom.
    pub(super) parties: [Party; 2],
    /// Whether the ends take it for open. One that has closed it the other notices some time.
    pub(super) is_open: [bool; 2],
    /// Nothing comes through any more, and nobody is told.
    is_dead: bool,
    /// Broken: each end that takes it for open notices some time.
    is_broken: bool,
}

impl Connection {
    pub(super) fn new(id: ConnectionId, parties: [Party; 2]) -> Self {
        Self { id, parties, is_open: [true; 2], is_dead: false, is_broken: false }
    }

    /// It breaks; with `is_dead` only time-outs tell.
    pub(super) fn breaks(&mut self, is_dead: bool) {
        (self.is_dead, self.is_broken) = (is_dead, !is_dead);
    }

    pub(super) fn carries(&self) -> bool {
        !self.is_dead && !self.is_broken && self.is_open == [true; 2]
    }

    /// The end of a party, and the other one.
    pub(super) fn side(&self, party: Party) -> Option<usize> {
        self.parties.iter().position(|known| *known == party)
    }

    /// Who sits opposite a party.
    pub(super) fn opposite(&self, party: Party) -> Option<Party> {
        self.side(party).map(|side| self.parties[1 - side])
    }

    /// A player that has yet to notice that it is closed.
    pub(super) fn unnoticed(&self) -> Option<usize> {
        let is_over = self.is_broken || self.is_open != [true; 2];
        let player = |side: usize| match self.parties[side] {
            Party::Player(i) if self.is_open[side] => Some(i),
            _ => None,
        };
        (is_over && !self.is_dead).then(|| player(0).or_else(|| player(1))).flatten()
    }
}
