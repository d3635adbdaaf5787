//! A crowd that only takes places: connections that say nothing, or nothing after the handshake, and come again whenever
//! they are closed.

use std::net::Ipv4Addr;
use std::time::Duration;

use client::link::LinkEvent;
use libp2p::futures::StreamExt as _;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::{SwarmEvent, dummy};
use libp2p::{Multiaddr, noise, tcp, yamux};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpSocket;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::link::peer::{LOOPBACK, TestPeer, request};

/// How soon one of the crowd comes again.
const AGAIN: Duration = Duration::from_secs(1);

fn port(address: &Multiaddr) -> u16 {
    let port = address.iter().find_map(|part| match part {
        Protocol::Tcp(port) => Some(port),
        _ => None,
    });
    port.expect("an address of TCP")
}

/// Holds a connection without a byte, from an address of loopback.
async fn silent(host: Ipv4Addr, port: u16) {
    loop {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((host, 0).into()).expect("an address of loopback");
        if let Ok(mut stream) = socket.connect((Ipv4Addr::LOCALHOST, port).into()).await {
            // Multistream's first line comes; then nothing until the other side hangs up.
            let mut bytes = [0; 64];
            while stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {}
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Holds a connection that is through the handshake, from an address of loopback, and tells whenever it has got one.
async fn idle(host: Ipv4Addr, target: Multiaddr, arrived: mpsc::UnboundedSender<()>) {
    let mut swarm = libp2p::SwarmBuilder::with_new_identity()
        .with_tokio()
        .with_tcp(tcp::Config::default(), noise::Config::new, yamux::Config::default)
        .expect("a transport")
        .with_behaviour(|_| dummy::Behaviour)
        .expect("a behaviour")
        .with_swarm_config(|config| config.with_idle_connection_timeout(Duration::from_secs(3600)))
        .build();
    // One dials from where it listens.
    swarm.listen_on(Multiaddr::from(host).with(Protocol::Tcp(0))).expect("an address of loopback");
    while !matches!(swarm.select_next_some().await, SwarmEvent::NewListenAddr { .. }) {}
    loop {
        swarm.dial(target.clone()).expect("an address to dial");
        loop {
            match swarm.select_next_some().await {
                SwarmEvent::ConnectionEstablished { .. } => drop(arrived.send(())),
                SwarmEvent::ConnectionClosed { .. } | SwarmEvent::OutgoingConnectionError { .. } => break,
                _ => {}
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

#[tokio::test]
async fn a_crowd_that_takes_every_place_does_not_keep_the_opponent_out() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let address = alice.handle.addresses().remove(0);
    let mut crowd = JoinSet::new();
    let (sender, mut arrived) = mpsc::unbounded_channel();
    let elsewhere = |n| Ipv4Addr::new(127, 0, 1, n);
    for n in 1..=40 {
        crowd.spawn(silent(elsewhere(n), port(&address)));
        crowd.spawn(idle(elsewhere(n), address.clone(), sender.clone()));
    }
    // Some sit where the opponent sits.
    for _ in 0..10 {
        crowd.spawn(silent(Ipv4Addr::LOCALHOST, port(&address)));
        crowd.spawn(idle(Ipv4Addr::LOCALHOST, address.clone(), sender.clone()));
    }
    // All that find a place have one.
    tokio::time::sleep(AGAIN).await;
    assert!(arrived.try_recv().is_ok(), "none of the crowd has come in");
    let mut bob = TestPeer::start(2, 1, LOOPBACK, vec![address.clone()]).await;
    bob.handle.send(request(1)).await.unwrap();
    assert_eq!(alice.received().await, request(1));
    bob.delivered().await;
    // Nor does it when the opponent comes again.
    drop(bob);
    alice.until(|e| (e == LinkEvent::Disconnected).then_some(())).await;
    let mut bob = TestPeer::start(2, 1, LOOPBACK, vec![address]).await;
    bob.handle.send(request(2)).await.unwrap();
    assert_eq!(alice.received().await, request(2));
    bob.delivered().await;
}
