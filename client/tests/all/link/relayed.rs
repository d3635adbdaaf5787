//! Players who find each other through a relay, and whom a link calls at all.

use std::future::pending;
use std::io;
use std::time::Duration;

use client::link::LinkEvent;
use client::relay::{LIMITS, Limits, Relay};
use libp2p::futures::StreamExt as _;
use libp2p::identity::Keypair;
use libp2p::multiaddr::Protocol;
use libp2p::request_response::{self, ProtocolSupport};
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, StreamProtocol, SwarmBuilder, noise, tcp, yamux};

use crate::link::peer::{LOOPBACK, TestPeer, game, request};

async fn relay(limits: Limits) -> (Relay, Multiaddr) {
    let listen: Multiaddr = LOOPBACK.parse().unwrap();
    let relay = Relay::start(Keypair::generate_ed25519(), &[listen], &[], limits).await.unwrap();
    let address = relay.addresses()[0].clone();
    (relay, address)
}

fn without_peer(mut address: Multiaddr) -> Multiaddr {
    address.pop();
    address
}

/// A player with a place at a relay, and the address there.
async fn placed(own: u8, other: u8, relay: &Multiaddr) -> (TestPeer, Multiaddr) {
    let mut player = TestPeer::start_with(game(), own, other, LOOPBACK, vec![], vec![relay.clone()]).await;
    let is_circuit = |address: &Multiaddr| address.iter().any(|part| part == Protocol::P2pCircuit);
    loop {
        if let Some(circuit) = player.handle.addresses().into_iter().find(is_circuit) {
            return (player, circuit);
        }
        player.until(|e| (e == LinkEvent::Listening).then_some(())).await;
    }
}

#[tokio::test]
async fn players_meet_at_a_relay_and_go_on_without_it() {
    let (relay, address) = relay(LIMITS).await;
    let (mut alice, circuit) = placed(1, 2, &address).await;
    let mut bob = TestPeer::start(2, 1, LOOPBACK, vec![circuit.clone()]).await;
    bob.handle.send(request(1)).await.unwrap();
    let mut ways = Vec::new();
    let first = alice.until(|e| match e {
        LinkEvent::Path { relayed } => {
            ways.push(relayed);
            None
        }
        LinkEvent::Received(message) => Some(message),
        _ => None,
    });
    assert_eq!(first.await, request(1));
    assert_eq!(ways.first(), Some(&true), "the first way leads through the relay");
    bob.delivered().await;

    // A hole is punched: one of them has dialled the other's place. Without the relay nothing else would carry.
    let relayed = [without_peer(address.clone()), without_peer(circuit)];
    let direct = |player: &TestPeer| player.handle.dialled().into_iter().any(|place| !relayed.contains(&place));
    while !direct(&alice) && !direct(&bob) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    drop(relay);
    tokio::time::sleep(Duration::from_secs(1)).await;
    for ply in 2..5 {
        alice.handle.send(request(ply)).await.unwrap();
        bob.handle.send(request(ply)).await.unwrap();
    }
    for (player, name) in [(&mut alice, "Alice"), (&mut bob, "Bob")] {
        let last = player.until(|e| match e {
            LinkEvent::Disconnected => panic!("{name} has lost the other with the relay"),
            LinkEvent::Path { relayed } => {
                ways.push(relayed);
                None
            }
            LinkEvent::Received(message) if message == request(4) => Some(message),
            _ => None,
        });
        last.await;
    }
    assert_eq!(ways.last(), Some(&false), "the last one doesn't");
}

/// The invitation's address leads nowhere any more; both have named the same relay.
#[tokio::test]
async fn players_who_name_the_same_relay_find_each_other_there() {
    let (_relay, address) = relay(LIMITS).await;
    let (alice, circuit) = placed(1, 2, &address).await;
    let Some(peer @ Protocol::P2p(_)) = circuit.iter().last() else { panic!("no peer in {circuit}") };
    let gone: Multiaddr = "/ip4/127.0.0.1/tcp/9".parse().unwrap();
    let mut bob = TestPeer::start_with(game(), 2, 1, LOOPBACK, vec![gone.with(peer)], vec![address]).await;
    bob.connected().await;
    drop(alice);
}

#[tokio::test]
async fn a_relay_that_is_not_there_is_asked_again() {
    let key = Keypair::generate_ed25519();
    let listen: Multiaddr = LOOPBACK.parse().unwrap();
    let first = Relay::start(key.clone(), &[listen], &[], LIMITS).await.unwrap();
    let address = first.addresses()[0].clone();
    let (mut alice, circuit) = placed(1, 2, &address).await;
    drop(first);
    alice.until(|e| (e == LinkEvent::Listening).then_some(())).await;
    assert!(!alice.handle.addresses().contains(&circuit));
    // Another that has never seen it: it asks at once, and there is nobody.
    let late = TestPeer::start_with(game(), 2, 1, LOOPBACK, vec![], vec![address.clone()]).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let place = without_peer(address);
    let _relay = loop {
        // The port may take a moment to be free.
        match Relay::start(key.clone(), std::slice::from_ref(&place), &[], LIMITS).await {
            Ok(relay) => break relay,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    for mut player in [alice, late] {
        let is_circuit = |address: &Multiaddr| address.iter().any(|part| part == Protocol::P2pCircuit);
        while !player.handle.addresses().iter().any(is_circuit) {
            player.until(|e| (e == LinkEvent::Listening).then_some(())).await;
        }
    }
}

/// Reads no request and answers none.
#[derive(Clone)]
struct Silence;

impl request_response::Codec for Silence {
    type Protocol = StreamProtocol;
    type Request = ();
    type Response = ();

    async fn read_request<T: Send>(&mut self, _: &StreamProtocol, _: &mut T) -> io::Result<()> {
        pending().await
    }

    async fn read_response<T: Send>(&mut self, _: &StreamProtocol, _: &mut T) -> io::Result<()> {
        pending().await
    }

    async fn write_request<T: Send>(&mut self, _: &StreamProtocol, _: &mut T, (): ()) -> io::Result<()> {
        pending().await
    }

    async fn write_response<T: Send>(&mut self, _: &StreamProtocol, _: &mut T, (): ()) -> io::Result<()> {
        pending().await
    }
}

/// It takes connections and requests for a place, and is silent. Alice calls it anew; Carol, whom her opponent has reached, keeps her connection.
#[tokio::test]
async fn a_relay_that_does_not_answer_is_asked_again_on_another_connection() {
    let hop = (StreamProtocol::new("/libp2p/circuit/relay/0.2.0/hop"), ProtocolSupport::Full);
    let for_ever = request_response::Config::default().with_request_timeout(Duration::from_secs(3600));
    let builder = SwarmBuilder::with_new_identity().with_tokio();
    let builder = builder.with_tcp(tcp::Config::default(), noise::Config::new, yamux::Config::default).unwrap();
    let silent = request_response::Behaviour::with_codec(Silence, [hop], for_ever);
    let mut relay = builder.with_behaviour(|_| silent).unwrap().build();
    relay.listen_on(LOOPBACK.parse().unwrap()).unwrap();
    let SwarmEvent::NewListenAddr { address, .. } = relay.select_next_some().await else { panic!("it doesn't listen") };
    let address = address.with(Protocol::P2p(*relay.local_peer_id()));
    let carol = TestPeer::start_with(game(), 3, 4, LOOPBACK, vec![], vec![address.clone()]).await;
    let mut dave = TestPeer::start(4, 3, LOOPBACK, carol.handle.addresses()).await;
    dave.connected().await;
    let caller = loop {
        if let SwarmEvent::ConnectionEstablished { peer_id, .. } = relay.select_next_some().await {
            break peer_id;
        }
    };
    let _alice = TestPeer::start_with(game(), 1, 2, LOOPBACK, vec![], vec![address]).await;
    // The library alone would ask on the same connection, after a minute.
    let asked_again = async {
        let mut connections = 0;
        while connections < 2 {
            match relay.select_next_some().await {
                SwarmEvent::ConnectionEstablished { .. } => connections += 1,
                SwarmEvent::ConnectionClosed { peer_id, .. } => assert_ne!(peer_id, caller, "Carol has an opponent"),
                _ => {}
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(45), asked_again).await.expect("another connection");
}

#[tokio::test]
async fn a_full_relay_gives_no_place() {
    for full in [Limits { places: 1, ..LIMITS }, Limits { connections_of_host: 1, ..LIMITS }] {
        let (_relay, address) = relay(full).await;
        let (alice, circuit) = placed(1, 2, &address).await;
        let late = TestPeer::start_with(game(), 2, 1, LOOPBACK, vec![], vec![address]).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(late.handle.addresses().len(), 1, "where it listens itself");
        assert!(alice.handle.addresses().contains(&circuit), "who has a place keeps it");
    }
}

#[tokio::test]
async fn nobody_is_called_whom_the_user_has_not_named() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let address = alice.handle.addresses().remove(0);
    let bob = TestPeer::start(2, 1, LOOPBACK, vec![address.clone()]).await;
    bob.handle.send(request(1)).await.unwrap();
    alice.received().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(alice.handle.dialled(), []);
    assert_eq!(bob.handle.dialled(), [without_peer(address)]);

    // With a relay: that relay, and, from the opponent alone, places for a direct connection.
    let (_relay, address) = relay(LIMITS).await;
    let (mut alice, circuit) = placed(1, 2, &address).await;
    assert_eq!(alice.handle.dialled(), [without_peer(address.clone())]);
    // A stranger's connection, with places of its own, makes nobody call.
    let mut stranger = TestPeer::start(3, 1, LOOPBACK, vec![circuit.clone()]).await;
    stranger.until(|e| matches!(e, LinkEvent::Unwelcome { .. }).then_some(())).await;
    alice.offence().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(alice.handle.dialled(), [without_peer(address.clone())]);
    let named = [without_peer(address), without_peer(circuit)];
    assert!(stranger.handle.dialled().iter().all(|place| named.contains(place)), "{:?}", stranger.handle.dialled());
}
