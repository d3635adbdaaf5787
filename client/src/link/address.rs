//! Addresses of the link: which can be listened on, dialled and used as a relay, and what a name in them stands for.
//!
//! ```text
//! HOST       /ip4/…  /ip6/…  /dns/…  /dns4/…  /dns6/…
//! PLACE      HOST/tcp/PORT   HOST/udp/PORT/quic-v1
//! to listen  PLACE
//! to dial    PLACE   PLACE/p2p/PEER   RELAY/p2p-circuit/p2p/PEER
//! RELAY      PLACE/p2p/RELAY'S PEER
//! ```
//! Names are looked up by the operating system, at every dial anew, and only those that the user gave.

use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use libp2p::multiaddr::Protocol as P;
use libp2p::{Multiaddr, PeerId};

/// The port of a place and what comes after it.
fn place<'a, 'b>(parts: &'a [P<'b>]) -> Option<(u16, &'a [P<'b>])> {
    match parts {
        [P::Ip4(_) | P::Ip6(_) | P::Dns(_) | P::Dns4(_) | P::Dns6(_), rest @ ..] => match rest {
            [P::Tcp(port), rest @ ..] | [P::Udp(port), P::QuicV1, rest @ ..] => Some((*port, rest)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether it is a place and nothing more; its port may be 0, which stands for any.
pub fn is_place(address: &Multiaddr) -> bool {
    matches!(place(&address.iter().collect::<Vec<_>>()), Some((_, [])))
}

/// Whether the link can dial it.
pub fn is_dialable(address: &Multiaddr) -> bool {
    let parts: Vec<_> = address.iter().collect();
    place(&parts).is_some_and(|(port, rest)| {
        port != 0 && matches!(rest, [] | [P::P2p(_)] | [P::P2p(_), P::P2pCircuit, P::P2p(_)])
    })
}

/// The peer of a relay's address, if it is one.
pub fn relay_peer(address: &Multiaddr) -> Option<PeerId> {
    let parts: Vec<_> = address.iter().collect();
    match place(&parts)? {
        (port, [P::P2p(peer)]) if port != 0 => Some(*peer),
        _ => None,
    }
}

/// Whether it leads through a relay.
pub fn is_relayed(address: &Multiaddr) -> bool {
    address.iter().any(|part| part == P::P2pCircuit)
}

/// The relay's address in one that leads through a relay.
pub(super) fn relay_of(address: &Multiaddr) -> Option<Multiaddr> {
    is_relayed(address).then(|| address.iter().take_while(|part| *part != P::P2pCircuit).collect())
}

/// The peer at the end of an address.
pub(super) fn peer(address: &Multiaddr) -> Option<PeerId> {
    match address.iter().last() {
        Some(P::P2p(peer)) => Some(peer),
        _ => None,
    }
}

/// Without the peer at its end.
pub(super) fn without_peer(address: &Multiaddr) -> Multiaddr {
    let mut address = address.clone();
    if let Some(last) = address.pop()
        && !matches!(last, P::P2p(_))
    {
        address.push(last);
    }
    address
}

/// The addresses that stand one after the other in one, each ending with the same peer; none if there is no peer.
pub fn split(all: &Multiaddr) -> Option<Vec<Multiaddr>> {
    let parts: Vec<_> = all.iter().collect();
    let Some(end @ P::P2p(_)) = parts.last() else {
        return None;
    };
    let each = parts.split_inclusive(|part| part == end);
    Some(each.map(|parts| parts.iter().cloned().collect()).collect())
}

/// The IP address that a multiaddress begins with; none if it begins with a name.
pub fn ip(address: &Multiaddr) -> Option<IpAddr> {
    match address.iter().next()? {
        P::Ip4(ip) => Some(ip.into()),
        P::Ip6(ip) => Some(ip.into()),
        _ => None,
    }
}

/// The host of a socket's address, as far as hosts are told apart: one customer has a network of 64 bits of IPv6, and all
/// addresses in it.
pub(super) fn host(address: &Multiaddr) -> Option<IpAddr> {
    Some(match ip(address)?.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64).into(),
        ip => ip,
    })
}

/// The address with numbers in place of its name: one for each that the system knows; itself if it has no name.
///
/// # Errors
///
/// If the name isn't known, or not for the kind of address that is asked for.
pub(super) async fn resolve(address: &Multiaddr) -> io::Result<Vec<Multiaddr>> {
    let mut parts = address.iter();
    let (name, wanted): (_, fn(&IpAddr) -> bool) = match parts.next() {
        Some(P::Dns(name)) => (name, |_| true),
        Some(P::Dns4(name)) => (name, IpAddr::is_ipv4),
        Some(P::Dns6(name)) => (name, IpAddr::is_ipv6),
        _ => return Ok(vec![address.clone()]),
    };
    let rest: Multiaddr = parts.collect();
    let found = tokio::net::lookup_host((&*name, 0)).await?;
    let mut places: Vec<IpAddr> = Vec::new();
    for ip in found.map(|socket| socket.ip()).filter(wanted) {
        if !places.contains(&ip) {
            places.push(ip);
        }
    }
    if places.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("{name} has no such address")));
    }
    Ok(places.into_iter().map(|ip| Multiaddr::from(ip).into_iter().chain(rest.iter()).collect()).collect())
}

/// The sockets that are dialled for an address, names looked up; for one through a relay, the relay's.
///
/// # Errors
///
/// If a name isn't known.
pub async fn sockets(address: &Multiaddr) -> io::Result<Vec<(SocketAddr, bool)>> {
    let place = without_peer(&relay_of(address).unwrap_or_else(|| address.clone()));
    Ok(resolve(&place).await?.iter().filter_map(socket).collect())
}

/// What a place is to the operating system: its socket, and whether that is of UDP. Names are not looked up.
pub fn socket(address: &Multiaddr) -> Option<(SocketAddr, bool)> {
    let parts: Vec<_> = address.iter().collect();
    let (port, rest) = place(&parts)?;
    let socket = SocketAddr::new(ip(address)?, port);
    rest.is_empty().then_some((socket, matches!(parts[1], P::Udp(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: &str = "12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp";

    fn address(text: &str) -> Multiaddr {
        text.replace("PEER", PEER).parse().expect("a multiaddress")
    }

    #[test]
    fn addresses_are_of_use_for_what_they_say() {
        for place in ["/ip4/192.0.2.1/tcp/1", "/ip6/2001:db8::1/udp/1/quic-v1", "/dns/a.example/tcp/1"] {
            let [place, at, relayed] =
                ["", "/p2p/PEER", "/p2p/PEER/p2p-circuit/p2p/PEER"].map(|rest| address(&format!("{place}{rest}")));
            assert_eq!([&place, &at, &relayed].map(is_place), [true, false, false]);
            assert_eq!([&place, &at, &relayed].map(is_dialable), [true; 3]);
            assert_eq!([&place, &at, &relayed].map(|a| relay_peer(a).is_some()), [false, true, false]);
            assert_eq!([&place, &at, &relayed].map(is_relayed), [false, false, true]);
            assert_eq!(without_peer(&at), place);
            assert_eq!(without_peer(&place), place);
        }
        let wrong = [
            "/ip4/192.0.2.1",
            "/ip4/192.0.2.1/udp/1",
            "/ip4/192.0.2.1/tcp/0",
            "/unix/a",
            "/p2p/PEER",
            "/ip4/192.0.2.1/tcp/1/ws",
            "/ip4/192.0.2.1/tcp/1/p2p/PEER/p2p-circuit",
            "/dnsaddr/a.example/tcp/1",
            "/ip4/192.0.2.1/tcp/1/p2p-circuit/p2p/PEER",
        ];
        for text in wrong {
            assert!(!is_dialable(&address(text)), "{text}");
        }
        assert!(is_place(&address("/ip4/127.0.0.1/tcp/0")));
    }

    #[test]
    fn addresses_of_one_peer_are_told_apart() {
        let other = PeerId::random();
        let one = address("/ip4/192.0.2.1/tcp/1/p2p/PEER");
        let two = address(&format!("/dns/a.example/tcp/1/p2p/{other}/p2p-circuit/p2p/PEER"));
        let both: Multiaddr = one.iter().chain(two.iter()).collect();
        assert_eq!(split(&both), Some(vec![one.clone(), two]));
        assert_eq!(split(&one), Some(vec![one]));
        assert_eq!((split(&Multiaddr::empty()), split(&address("/ip4/192.0.2.1/tcp/1"))), (None, None));
    }

    #[tokio::test]
    async fn names_become_numbers_of_the_kind_that_was_asked_for() {
        let numbers =
            resolve(&address("/dns4/localhost/udp/7/quic-v1/p2p/PEER")).await.expect("a name of every machine");
        assert_eq!(numbers, [address("/ip4/127.0.0.1/udp/7/quic-v1/p2p/PEER")]);
        let number = address("/ip6/2001:db8::1/tcp/1");
        assert_eq!(resolve(&number).await.expect("nothing to look up"), [number]);
    }
}
