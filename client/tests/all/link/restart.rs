//! A player that goes away and comes back is found again.

use std::time::Duration;

use client::link::{self, AddressRecord, Identity, LinkConfig, LinkError, LinkEvent};
use game::Phase;
use libp2p::Multiaddr;

use crate::link::peer::{LOOPBACK, TestPeer, answer, game, request, wallet};

#[tokio::test]
async fn a_player_that_restarts_is_found_again_and_gets_what_it_lost() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let addresses = alice.handle.addresses();
    let mut bob = TestPeer::start(2, 1, LOOPBACK, addresses.clone()).await;
    alice.handle.send(request(7)).await.unwrap();
    assert_eq!(bob.received().await, request(7));
    alice.delivered().await;

    // The dialling side dies and comes back without memory: the latest message comes again.
    drop(bob);
    alice.until(|e| (e == LinkEvent::Disconnected).then_some(())).await;
    alice.handle.send(answer(8, Phase::Pre, 10)).await.unwrap();
    let mut bob = TestPeer::start(2, 1, LOOPBACK, addresses.clone()).await;
    assert_eq!(bob.received().await, request(7));
    assert_eq!(bob.received().await, answer(8, Phase::Pre, 10));

    // The listening side dies and comes back at its address: the other dials it again, as often as need be.
    let listen = addresses[0].iter().filter(|p| !matches!(p, libp2p::multiaddr::Protocol::P2p(_)));
    let listen = listen.collect::<Multiaddr>().to_string();
    drop(alice);
    bob.until(|e| (e == LinkEvent::Disconnected).then_some(())).await;
    bob.handle.send(request(8)).await.unwrap();
    let mut alice = listen_again(&listen).await;
    assert_eq!(alice.received().await, request(8));
    bob.connected().await;
}

#[tokio::test]
async fn a_player_at_a_new_address_is_found_by_its_record() {
    let alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let mut bob = TestPeer::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    bob.connected().await;
    drop(alice);
    bob.until(|e| (e == LinkEvent::Disconnected).then_some(())).await;
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let identity = Identity::new(&wallet(1), game()).unwrap();
    let record = AddressRecord::new(&identity, 1, &alice.handle.addresses()).unwrap().to_string();
    let record: AddressRecord = record.parse().unwrap();
    assert_eq!(record.check(&game(), wallet(1).address(), 0), Ok(()));
    bob.handle.look_at(record.addresses).await.unwrap();
    bob.handle.send(request(3)).await.unwrap();
    assert_eq!(alice.received().await, request(3));
}

#[tokio::test]
async fn a_port_that_is_taken_is_listened_on_once_it_is_free() {
    listened_on_once_it_is_free("/ip4/127.0.0.1").await;
}

#[tokio::test]
async fn a_name_is_looked_up_again_whenever_listening_is_tried_again() {
    listened_on_once_it_is_free("/dns4/localhost").await;
}

async fn listened_on_once_it_is_free(host: &str) {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen: Multiaddr = format!("{host}/tcp/{}", taken.local_addr().unwrap().port()).parse().unwrap();
    let config = |patient| LinkConfig {
        identity: Identity::new(&wallet(1), game()).unwrap(),
        opponent: wallet(2).address(),
        listen: listen.clone(),
        dial: vec![],
        relays: vec![],
        patient,
        frames: link::Frames::Answers,
    };
    assert!(matches!(link::spawn(config(false)).await, Err(LinkError::Listen { .. })));
    let (handle, events) = link::spawn(config(true)).await.unwrap();
    let mut alice = TestPeer { handle, events };
    assert_eq!(alice.handle.addresses(), []);
    drop(taken);
    alice.until(|e| (e == LinkEvent::Listening).then_some(())).await;
    let bob = TestPeer::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    bob.handle.send(request(1)).await.unwrap();
    assert_eq!(alice.received().await, request(1));
}

/// A link that has been dropped ends within a tick, and its port is free after that.
async fn listen_again(listen: &str) -> TestPeer {
    for _ in 0..100 {
        let config = LinkConfig {
            identity: Identity::new(&wallet(1), game()).unwrap(),
            opponent: wallet(2).address(),
            listen: listen.parse().unwrap(),
            dial: vec![],
            relays: vec![],
            patient: false,
            frames: link::Frames::Answers,
        };
        if let Ok((handle, events)) = link::spawn(config).await {
            return TestPeer { handle, events };
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the port never became free");
}
