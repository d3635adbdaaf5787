//! What the gate lets in, with made-up connections.

use super::*;

fn from_host(n: u32) -> Source {
    Source::Host(std::net::Ipv4Addr::from_bits(0xc000_0200 + n).into())
}

fn connection(n: usize) -> ConnectionId {
    ConnectionId::new_unchecked(n)
}

#[test]
fn sources_are_told_apart_as_far_as_they_cost_something() {
    let address = |text: &str| text.parse::<Multiaddr>().unwrap();
    let here = address("/ip4/127.0.0.1/tcp/1");
    let source = |text: &str| Source::of(&here, &address(text));
    assert_ne!(source("/ip4/192.0.2.1/tcp/1"), source("/ip4/192.0.2.2/tcp/1"));
    assert_eq!(source("/ip4/192.0.2.1/tcp/1"), source("/ip4/192.0.2.1/udp/2/quic-v1"));
    assert_eq!(source("/ip6/2001:db8::1/tcp/1"), source("/ip6/2001:db8::ffff:0:1/tcp/1"));
    assert_ne!(source("/ip6/2001:db8::1/tcp/1"), source("/ip6/2001:db8:0:1::1/tcp/1"));
    assert_eq!(source("/ip6/::ffff:192.0.2.1/tcp/1"), source("/ip4/192.0.2.1/tcp/1"));
    let circuit = address("/ip4/127.0.0.1/tcp/1/p2p-circuit");
    let peer = PeerId::random();
    let relayed = Source::of(&circuit, &address(&format!("/p2p/{peer}")));
    assert_eq!(relayed, Some(Source::Relayed(peer)));
}

#[test]
fn handshakes_of_a_crowd_leave_the_known_opponent_its_own() {
    let now = Instant::now();
    let mut gate = Gate::default();
    gate.favour(from_host(0));
    let mut ids = (0..).map(connection);
    let mut arrive = |gate: &mut Gate, from| gate.arrives(ids.next().unwrap(), from_host(from), now);
    for _ in 0..MAX_PENDING_OF_SOURCE {
        assert_eq!(arrive(&mut gate, 1), Ok(()));
    }
    assert_eq!(arrive(&mut gate, 1), Err(Denied::TooMany), "one source");
    let crowd = (2..100).filter(|from| arrive(&mut gate, *from).is_ok()).count();
    assert_eq!(crowd, 98);
    let crowd = (2..100).filter(|from| arrive(&mut gate, *from).is_ok()).count();
    assert_eq!(crowd, MAX_PENDING - MAX_PENDING_OF_SOURCE - 98, "all sources");
    for _ in 0..MAX_PENDING_OF_SOURCE {
        assert_eq!(arrive(&mut gate, 0), Ok(()), "the opponent's last source");
    }
    assert_eq!(arrive(&mut gate, 0), Err(Denied::TooMany));
}

#[test]
fn handshakes_are_counted_in_time() {
    let now = Instant::now();
    let mut gate = Gate::default();
    let mut arrive = |from, now| {
        let arrived = gate.arrives(connection(0), from_host(from), now);
        gate.forget(connection(0));
        arrived
    };
    let of_one = (0..100).filter(|_| arrive(1, now).is_ok()).count();
    assert_eq!(of_one, HANDSHAKES_OF_SOURCE.burst as usize);
    let of_many = (0..400).filter(|n| arrive(2 + n, now).is_ok()).count();
    // What the first source was refused it had taken from all.
    assert_eq!(of_many, HANDSHAKES.burst as usize - 100);
    assert_eq!(arrive(1, now), Err(Denied::TooOften));
    assert_eq!(arrive(1, now + HANDSHAKES_OF_SOURCE.every * 2), Ok(()));
}

#[test]
fn a_relay_refuses_the_newest_of_a_source_and_closes_nobody() {
    let (most, now) = (2 * MAX_STRANGERS_OF_SOURCE, Instant::now());
    let mut gate = Gate::with_most(most);
    let mut ids = (0..).map(connection);
    let mut arrive = |gate: &mut Gate, from| {
        let connection = ids.next().unwrap();
        gate.arrives(connection, from_host(from), now).map(|()| connection)
    };
    let enter = |gate: &mut Gate, connection, from| {
        gate.enters(Guest { connection, peer: PeerId::random(), source: from_host(from) });
    };
    let first = arrive(&mut gate, 1).unwrap();
    enter(&mut gate, first, 1);
    for n in 1..most {
        let connection = arrive(&mut gate, 1).unwrap();
        if n % 2 == 0 {
            enter(&mut gate, connection, 1);
        }
    }
    assert_eq!(arrive(&mut gate, 1), Err(Denied::TooMany), "in the handshake or through it");
    // More than a link has, in the handshake, through it and in this time.
    for from in 2..2 + 2 * HANDSHAKES.burst {
        let connection = arrive(&mut gate, from).unwrap();
        if from % 2 == 0 {
            enter(&mut gate, connection, from);
        }
    }
    assert_eq!(gate.next_to_close(), None);
    assert!(gate.strangers.iter().any(|guest| guest.connection == first), "it keeps its place");
    gate.forget(first);
    assert!(arrive(&mut gate, 1).is_ok());
    assert_eq!(arrive(&mut gate, 1), Err(Denied::TooMany));
    assert!(!gate.dials.admit(None, &["/ip4/192.0.2.1/tcp/1".parse::<Multiaddr>().unwrap()]));
}

#[test]
fn strangers_give_way_to_strangers_and_all_to_the_opponent() {
    let mut gate = Gate::default();
    let mut ids = (0..).map(connection);
    let mut enter = |gate: &mut Gate, from, peer| {
        let connection = ids.next().unwrap();
        gate.enters(Guest { connection, peer, source: from_host(from) });
        connection
    };
    let first = enter(&mut gate, 1, PeerId::random());
    for _ in 1..MAX_STRANGERS_OF_SOURCE {
        enter(&mut gate, 1, PeerId::random());
    }
    assert!(gate.closing.is_empty());
    enter(&mut gate, 1, PeerId::random());
    assert_eq!(gate.closing.pop_front().map(|(_, id)| id), Some(first), "the oldest of its source");
    for from in 2..100 {
        enter(&mut gate, from, PeerId::random());
    }
    assert_eq!(gate.strangers.len(), MAX_STRANGERS);

    let opponent = PeerId::random();
    let (known, other) = (enter(&mut gate, 1, opponent), enter(&mut gate, 2, opponent));
    gate.closing.clear();
    gate.trust(opponent);
    assert_eq!(gate.closing.pop_front(), Some((opponent, known)), "the newer of two");
    for from in 2..100 {
        enter(&mut gate, from, PeerId::random());
    }
    assert!(gate.closing.drain(..).all(|(_, id)| id != other), "strangers don't move it");
    let newest = enter(&mut gate, 200, opponent);
    assert_eq!(gate.closing.pop_front(), Some((opponent, other)));
    // One that was dialled stays beside it: both may dial at once.
    gate.keep(connection(1_000_000), opponent, Endpoint::Dialer);
    assert!(gate.closing.is_empty());
    gate.forget(newest);
    assert_eq!(gate.connections, [(connection(1_000_000), Endpoint::Dialer)]);
    assert_eq!(Vec::from(gate.favoured), [from_host(200), from_host(2), from_host(1)]);
}
