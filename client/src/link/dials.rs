//! Whom this machine calls: the one list that every dial of every part of the link is held against.
//!
//! Only what the user named may be dialled (the opponent's addresses, relays, and what their names stand for), and, once
//! a relay is in use, the places for a direct connection that the opponent gives: the peer that has proven to be it, or
//! that the user named. So no stranger and no library makes this machine call anybody. Pure bookkeeping.

use std::collections::HashSet;

use libp2p::{Multiaddr, PeerId};

use super::address::{relay_of, socket, without_peer};

/// Dialled addresses that are remembered.
const LOGGED: usize = 64;
/// Places of the opponent that one dial may try.
const MAX_PLACES: usize = 8;

/// What may be dialled, and what was.
#[derive(Debug, Default)]
pub(super) struct Dials {
    allowed: HashSet<Multiaddr>,
    /// Peers that may name places for a direct connection.
    punching: HashSet<PeerId>,
    log: Vec<Multiaddr>,
}

impl Dials {
    /// The user has named an address, or its name stands for it.
    pub(super) fn allow(&mut self, address: &Multiaddr) {
        if let Some(relay) = relay_of(address) {
            self.allowed.insert(without_peer(&relay));
        }
        self.allowed.insert(without_peer(address));
    }

    /// The opponent may name places for a direct connection.
    pub(super) fn punch(&mut self, opponent: PeerId) {
        self.punching.insert(opponent);
    }

    /// Whether all of these may be dialled, to find `peer` there; if so they are remembered.
    pub(super) fn admit(&mut self, peer: Option<PeerId>, addresses: &[Multiaddr]) -> bool {
        let places: Vec<Multiaddr> = addresses.iter().map(without_peer).collect();
        let is_named = places.iter().all(|place| self.allowed.contains(place));
        let is_punched = peer.is_some_and(|peer| self.punching.contains(&peer))
            && places.len() <= MAX_PLACES
            && places.iter().all(|place| socket(place).is_some());
        let admitted = !places.is_empty() && (is_named || is_punched);
        for place in places.into_iter().filter(|_| admitted) {
            if self.log.len() < LOGGED && !self.log.contains(&place) {
                self.log.push(place);
            }
        }
        admitted
    }

    /// All that was dialled, in the order of the first time, without peers.
    pub(super) fn log(&self) -> &[Multiaddr] {
        &self.log
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    #[test]
    fn only_what_was_named_is_dialled() {
        let address = |text: &str| text.parse::<Multiaddr>().unwrap();
        let (opponent, stranger) = (PeerId::random(), PeerId::random());
        let relay = format!("/ip4/192.0.2.9/tcp/9/p2p/{}", PeerId::random());
        let [near, far] = ["/ip4/192.0.2.1/tcp/1", "/ip4/192.0.2.2/tcp/2"].map(address);
        let mut dials = Dials::default();
        dials.allow(&address(&format!("{near}/p2p/{opponent}")));
        dials.allow(&address(&format!("{relay}/p2p-circuit/p2p/{opponent}")));

        assert!(dials.admit(None, from_ref(&near)) && dials.admit(Some(opponent), from_ref(&near)));
        assert!(dials.admit(Some(opponent), &[address(&format!("{relay}/p2p-circuit"))]));
        assert!(dials.admit(None, &[address("/ip4/192.0.2.9/tcp/9")]), "the relay itself");
        assert!(!dials.admit(Some(opponent), &[]), "nowhere in particular");
        assert!(!dials.admit(Some(opponent), &[near.clone(), far.clone()]), "one of them was not named");
        dials.punch(opponent);
        assert!(dials.admit(Some(opponent), from_ref(&far)));
        assert!(!dials.admit(Some(stranger), &[address("/ip4/192.0.2.3/tcp/3")]));
        assert!(!dials.admit(Some(opponent), &[address("/dns4/a.example/tcp/1")]), "no name of a peer is looked up");
        let relayed = format!("/ip4/192.0.2.3/tcp/3/p2p/{stranger}/p2p-circuit/p2p/{opponent}");
        assert!(!dials.admit(Some(opponent), &[address(&relayed)]));
        assert_eq!(dials.log().len(), 4);
        assert_eq!(dials.log().last(), Some(&far));
    }
}
