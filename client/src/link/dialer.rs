//! Where the opponent may be, and when to try again.
//!
//! Part of the link (protocol section 6): a player that dialled goes on dialling, with growing pauses, whenever the
//! opponent is not there. Pure bookkeeping: the network is `task`'s.

use std::time::{Duration, Instant};

use libp2p::futures::future::join_all;
use libp2p::swarm::dial_opts::DialOpts;
use libp2p::{Multiaddr, PeerId};

use super::address::{peer, resolve, without_peer};

/// First and longest pause before the addresses are dialled again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(4));
/// Addresses that are kept.
pub(super) const CAPACITY: usize = 8;
/// Rounds in which a way through a relay waits for what hole punching needs.
const PATIENT_ROUNDS: u32 = 4;

/// An address, and what its name stands for now.
pub(super) type Resolved = (Multiaddr, Vec<Multiaddr>);

/// Names that were looked up.
#[derive(Debug)]
pub(super) enum LookUp {
    Opponent(Vec<Resolved>),
    Relay(usize, Vec<Resolved>),
    /// The own place, to listen at again.
    Own(Vec<Resolved>),
}

/// The addresses to dial.
#[derive(Debug)]
pub(super) struct Dialer {
    addresses: Vec<Multiaddr>,
    /// What they were resolved to the last time.
    resolved: Vec<Resolved>,
    pause: Duration,
    next: Instant,
    /// How often they were dialled since the opponent came or went.
    pub(super) rounds: u32,
}

impl Dialer {
    /// Of too many addresses the last ones: those that were added latest.
    pub(super) fn new(addresses: Vec<Multiaddr>, now: Instant) -> Self {
        let mut dialer = Self { addresses: Vec::new(), resolved: Vec::new(), pause: PAUSE.0, next: now, rounds: 0 };
        dialer.add(addresses, now);
        dialer
    }

    /// More addresses, to be dialled at once; the oldest go if there are too many.
    pub(super) fn add(&mut self, addresses: Vec<Multiaddr>, now: Instant) {
        for address in addresses {
            self.addresses.retain(|known| *known != address);
            self.addresses.push(address);
        }
        let excess = self.addresses.len().saturating_sub(CAPACITY);
        self.addresses.drain(..excess);
        self.reset(now);
    }

    /// The opponent came or went: begin again with the shortest pause.
    pub(super) fn reset(&mut self, now: Instant) {
        self.pause = PAUSE.0;
        self.next = now;
        self.rounds = 0;
    }

    /// The addresses are worth another try now.
    pub(super) fn hurry(&mut self, now: Instant) {
        self.next = now;
    }

    /// Whether there is time yet for a relay to tell how we are seen: some 3 seconds.
    pub(super) fn can_wait(&self) -> bool {
        self.rounds <= PATIENT_ROUNDS
    }

    /// What to resolve and dial now, if it is time.
    pub(super) fn due(&mut self, now: Instant) -> Vec<Multiaddr> {
        if now < self.next {
            return Vec::new();
        }
        self.next = now + self.pause;
        self.pause = (self.pause * 2).min(PAUSE.1);
        self.rounds = self.rounds.saturating_add(1);
        self.addresses.clone()
    }

    /// How to dial what was resolved: all addresses of a peer at once, and the first that answers is taken.
    ///
    /// Dials from a port of its own: a connection that just died may still hold the listening port's pair of addresses.
    /// The address goes into each dial: libp2p forgets addresses that failed once.
    pub(super) fn opts(&mut self, resolved: Vec<Resolved>) -> Vec<DialOpts> {
        self.resolved = resolved;
        let mut opts = Vec::new();
        let mut groups: Vec<(PeerId, Vec<Multiaddr>)> = Vec::new();
        for address in self.resolved.iter().flat_map(|(_, found)| found).cloned() {
            let Some(peer) = peer(&address) else {
                opts.push(DialOpts::unknown_peer_id().address(address).allocate_new_port().build());
                continue;
            };
            match groups.iter_mut().find(|(known, _)| *known == peer) {
                Some((_, group)) => group.push(address),
                None => groups.push((peer, vec![address])),
            }
        }
        // With the default condition: not while connected to this peer or dialling it.
        let dial = |(peer, addresses)| DialOpts::peer_id(peer).addresses(addresses).allocate_new_port().build();
        opts.extend(groups.into_iter().map(dial));
        opts
    }

    /// The address, as it was given, behind one that was dialled.
    pub(super) fn origin(&self, dialled: &Multiaddr) -> Option<&Multiaddr> {
        let same = |found: &Multiaddr| without_peer(found) == without_peer(dialled);
        self.resolved.iter().find(|(_, found)| found.iter().any(same)).map(|(origin, _)| origin)
    }
}

/// Looks the names of addresses up, all at once; what can't be resolved is left out until the next time.
pub(super) async fn resolve_all(addresses: Vec<Multiaddr>) -> Vec<Resolved> {
    let lookups = addresses.into_iter().map(|address| async move {
        let found = resolve(&address).await.ok()?;
        Some((address, found))
    });
    join_all(lookups).await.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(port: u16) -> Multiaddr {
        format!("/ip4/127.0.0.1/tcp/{port}").parse().unwrap()
    }

    #[test]
    fn pauses_grow_until_the_opponent_comes_and_goes() {
        let start = Instant::now();
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
        let mut dialer = Dialer::new(ports.map(address).collect(), now);
        assert_eq!(dialer.due(now).len(), CAPACITY);
        dialer.add(vec![address(99), address(9)], now);
        let due = dialer.due(now);
        assert_eq!((due.len(), &due[CAPACITY - 2..]), (CAPACITY, &[address(99), address(9)][..]));
    }

    #[test]
    fn all_addresses_of_a_peer_are_dialled_at_once() {
        let now = Instant::now();
        let mut dialer = Dialer::new(Vec::new(), now);
        let peer = PeerId::random();
        let at = |port| address(port).with(libp2p::multiaddr::Protocol::P2p(peer));
        let name: Multiaddr = "/dns/localhost/tcp/2".parse().unwrap();
        let resolved = vec![(at(1), vec![at(1)]), (name.clone(), vec![at(2)]), (address(3), vec![address(3)])];
        let opts = dialer.opts(resolved);
        assert_eq!(opts.iter().map(DialOpts::get_peer_id).collect::<Vec<_>>(), [None, Some(peer)]);
        assert_eq!(dialer.origin(&address(2)), Some(&name));
        assert_eq!(dialer.origin(&address(4)), None);
    }
}
