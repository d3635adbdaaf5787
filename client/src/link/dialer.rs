//! Where the opponent may be, and when to try again.
//!
//! Part of the link (protocol section 6): a player that dialled goes on dialling, with growing pauses, whenever the
//! opponent is not there. Pure bookkeeping: the network is `task`'s.

use std::time::{Duration, Instant};

use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::dial_opts::DialOpts;

/// First and longest pause before the addresses are dialled again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(4));
/// Addresses that are kept.
const CAPACITY: usize = 8;

/// The addresses to dial.
#[derive(Debug)]
pub(super) struct Dialer {
    addresses: Vec<Multiaddr>,
    pause: Duration,
    next: Instant,
}

impl Dialer {
    pub(super) fn new(mut addresses: Vec<Multiaddr>, now: Instant) -> Self {
        addresses.truncate(CAPACITY);
        Self { addresses, pause: PAUSE.0, next: now }
    }

    /// The opponent came or went: begin again with the shortest pause.
    pub(super) fn reset(&mut self, now: Instant) {
        self.pause = PAUSE.0;
        self.next = now;
    }

    /// What to dial now, if it is time. The address goes into each dial: libp2p forgets addresses that failed once.
    pub(super) fn due(&mut self, now: Instant) -> Vec<DialOpts> {
        if now < self.next {
            return Vec::new();
        }
        self.next = now + self.pause;
        self.pause = (self.pause * 2).min(PAUSE.1);
        self.addresses.iter().map(dial).collect()
    }
}

/// Dials from a port of its own: a connection that just died may still hold the listening port's pair of addresses.
fn dial(address: &Multiaddr) -> DialOpts {
    match address.iter().last() {
        // With the default condition: not while connected to this peer or dialling it.
        Some(Protocol::P2p(peer)) => {
            DialOpts::peer_id(peer).addresses(vec![address.clone()]).allocate_new_port().build()
        }
        _ => DialOpts::unknown_peer_id().address(address.clone()).allocate_new_port().build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_until_the_opponent_comes_and_goes() {
        let start = Instant::now();
        let address = |port: u16| format!("/ip4/127.0.0.1/tcp/{port}").parse::<Multiaddr>().unwrap();
        let mut dialer = Dialer::new(vec![address(1)], start);
        let mut now = start;
        let mut pauses = Vec::new();
        for _ in 0..8 {
            assert_eq!(dialer.due(now).len(), 1);
            assert!(dialer.due(now).is_empty());
            pauses.push(dialer.next - now);
            now = dialer.next;
        }
        assert!(pauses.is_sorted() && pauses[0] == PAUSE.0 && pauses[7] == PAUSE.1);
        dialer.reset(now);
        dialer.due(now);
        assert_eq!(dialer.next - now, PAUSE.0);
    }

    #[test]
    fn only_so_many_addresses_are_kept() {
        let now = Instant::now();
        let ports = 0..CAPACITY as u16 * 2;
        let addresses = ports.map(|port| format!("/ip4/127.0.0.1/tcp/{port}").parse().unwrap());
        let mut dialer = Dialer::new(addresses.collect(), now);
        assert_eq!(dialer.due(now).len(), CAPACITY);
    }
}
