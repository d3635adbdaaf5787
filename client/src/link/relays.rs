//! The relays that the user named: a place at each is asked for, and again when it is lost (Circuit Relay v2).
//!
//! A relay carries bytes of a connection that the players encrypt and authenticate end to end, so it need not be trusted
//! with more than being there. Pure bookkeeping: the network is `task`'s.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use libp2p::core::transport::ListenerId;
use libp2p::multiaddr::Protocol;
use libp2p::{Multiaddr, PeerId};

use super::address::{peer, relay_of, relay_peer};

/// First and longest pause before a relay is asked again.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// How long the look-up of a relay's name may take.
const LOOK_UP: Duration = Duration::from_secs(30);
/// How long a relay may take to give a place.
const PATIENCE: Duration = Duration::from_secs(15);
/// Relays that are used at once.
pub(super) const CAPACITY: usize = 4;

#[derive(Debug)]
struct Relay {
    address: Multiaddr,
    listener: Option<ListenerId>,
    has_place: bool,
    pause: Duration,
    /// Without a listener, when it is asked; with one, when it must have answered.
    next: Instant,
}

/// The relays of one link.
#[derive(Debug)]
pub(super) struct Relays {
    relays: Vec<Relay>,
    /// All that are used, those on the way to the opponent too: no hello is due to them.
    peers: HashSet<PeerId>,
    /// Those that are connected and have told us how we are seen from outside, without which no hole can be punched.
    seers: HashSet<PeerId>,
}

impl Relays {
    pub(super) fn new(addresses: Vec<Multiaddr>, now: Instant) -> Self {
        let peers = addresses.iter().filter_map(relay_peer).collect();
        let relay = |address| Relay { address, listener: None, has_place: false, pause: PAUSE.0, next: now };
        Self { relays: addresses.into_iter().take(CAPACITY).map(relay).collect(), peers, seers: HashSet::new() }
    }

    /// An address to dial may lead through a relay.
    pub(super) fn note(&mut self, address: &Multiaddr) {
        self.peers.extend(relay_of(address).and_then(|relay| peer(&relay)));
    }

    /// Where a player can be met that has a place at the same relays.
    pub(super) fn ways_to(&self, player: PeerId) -> Vec<Multiaddr> {
        let way = |relay: &Relay| relay.address.clone().with(Protocol::P2pCircuit).with(Protocol::P2p(player));
        self.relays.iter().map(way).collect()
    }

    /// A peer has told us how we are seen from outside; says whether it is a relay.
    pub(super) fn has_seen_us(&mut self, peer: PeerId) -> bool {
        self.contains(&peer) && self.seers.insert(peer)
    }

    /// A relay's last connection is closed.
    pub(super) fn gone(&mut self, peer: &PeerId) {
        self.seers.remove(peer);
    }

    /// Whether a way through a relay is ready for hole punching; any other is.
    pub(super) fn is_ready(&self, address: &Multiaddr) -> bool {
        relay_of(address).and_then(|relay| peer(&relay)).is_none_or(|relay| self.seers.contains(&relay))
    }

    /// Whether a peer is a relay, and no player.
    pub(super) fn contains(&self, peer: &PeerId) -> bool {
        self.peers.contains(peer)
    }

    /// The relays to look up and ask now, by number.
    pub(super) fn due(&mut self, now: Instant) -> Vec<(usize, Multiaddr)> {
        let mut due = Vec::new();
        for (number, relay) in self.relays.iter_mut().enumerate() {
            if relay.listener.is_none() && now >= relay.next {
                relay.next = now + LOOK_UP;
                due.push((number, relay.address.clone()));
            }
        }
        due
    }

    /// A relay has been asked; without a listener it couldn't be.
    pub(super) fn asked(&mut self, number: usize, listener: Option<ListenerId>, now: Instant) {
        let relay = &mut self.relays[number];
        relay.listener = listener;
        match listener {
            Some(_) => relay.next = now + PATIENCE,
            None => relay.wait(now),
        }
    }

    /// A relay has given us a place.
    pub(super) fn accepted(&mut self, listener: ListenerId) {
        for relay in self.relays.iter_mut().filter(|relay| relay.listener == Some(listener)) {
            relay.has_place = true;
            relay.pause = PAUSE.0;
        }
    }

    /// The peers of relays that were asked and have given no place in time.
    pub(super) fn silent(&self, now: Instant) -> Vec<PeerId> {
        let is_silent = |relay: &&Relay| relay.listener.is_some() && !relay.has_place && now >= relay.next;
        self.relays.iter().filter(is_silent).filter_map(|relay| relay_peer(&relay.address)).collect()
    }

    /// A place is lost, or wasn't given; says whether it was a relay's.
    pub(super) fn lost(&mut self, listener: ListenerId, now: Instant) -> bool {
        let relay = self.relays.iter_mut().find(|relay| relay.listener == Some(listener));
        let is_relay = relay.is_some();
        if let Some(relay) = relay {
            (relay.listener, relay.has_place) = (None, false);
            relay.wait(now);
        }
        is_relay
    }
}

impl Relay {
    fn wait(&mut self, now: Instant) {
        self.next = now + self.pause;
        self.pause = (self.pause * 2).min(PAUSE.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relay_that_is_lost_is_asked_again_with_growing_pauses() {
        let start = Instant::now();
        let peer = PeerId::random();
        let relay: Multiaddr = format!("/ip4/127.0.0.1/tcp/1/p2p/{peer}").parse().unwrap();
        let mut relays = Relays::new(vec![relay.clone()], start);
        let mut now = start;
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            assert_eq!(relays.due(now), [(0, relay.clone())]);
            assert_eq!(relays.due(now), [], "it is being looked up");
            let listener = ListenerId::next();
            relays.asked(0, Some(listener), now);
            assert_eq!(relays.due(now + LOOK_UP), []);
            assert!(relays.lost(listener, now) && !relays.lost(listener, now));
            now += Duration::from_secs(seconds);
            assert_eq!(relays.due(now - Duration::from_millis(1)), []);
        }
        let listener = ListenerId::next();
        relays.asked(0, Some(listener), now);
        relays.accepted(listener);
        relays.lost(listener, now);
        assert_eq!(relays.due(now + PAUSE.0).len(), 1);
    }

    #[test]
    fn a_relay_is_silent_that_gives_no_place_in_time() {
        let start = Instant::now();
        let late = start + PATIENCE;
        let peer = PeerId::random();
        let address: Multiaddr = format!("/ip4/127.0.0.1/tcp/1/p2p/{peer}").parse().unwrap();
        let mut relays = Relays::new(vec![address], start);
        assert_eq!(relays.silent(late), [], "nobody has asked it");
        let listener = ListenerId::next();
        relays.asked(0, Some(listener), start);
        assert_eq!(relays.silent(late - Duration::from_millis(1)), []);
        assert_eq!(relays.silent(late), [peer]);
        relays.accepted(listener);
        assert_eq!(relays.silent(late), []);
        relays.lost(listener, late);
        assert_eq!(relays.silent(late + PATIENCE), []);
        relays.asked(0, Some(listener), late);
        assert_eq!(relays.silent(late + PATIENCE), [peer], "the place that it gave before is lost");
    }

    #[test]
    fn relays_are_told_from_players() {
        let [relay, far, player] = [(); 3].map(|()| PeerId::random());
        let address = |text: String| text.parse::<Multiaddr>().unwrap();
        let mut relays = Relays::new(vec![address(format!("/ip4/127.0.0.1/tcp/1/p2p/{relay}"))], Instant::now());
        relays.note(&address(format!("/ip4/127.0.0.1/tcp/2/p2p/{far}/p2p-circuit/p2p/{player}")));
        relays.note(&address(format!("/ip4/127.0.0.1/tcp/3/p2p/{player}")));
        assert_eq!([relay, far, player].map(|peer| relays.contains(&peer)), [true, true, false]);
        let circuit = address(format!("/ip4/127.0.0.1/tcp/2/p2p/{far}/p2p-circuit/p2p/{player}"));
        assert!(!relays.is_ready(&circuit) && relays.is_ready(&address("/ip4/127.0.0.1/tcp/3".to_owned())));
        assert!(relays.has_seen_us(far) && !relays.has_seen_us(player) && relays.is_ready(&circuit));
        relays.gone(&far);
        assert!(!relays.is_ready(&circuit));
    }
}
