//! Honest players: every message arrives, once and in order, whoever dials whom.

use std::net::TcpListener;

use game::message::MAX_PROOF_BYTES;
use game::{Message, MessageKind, Phase};

use crate::link::peer::{LOOPBACK, TestPeer, answer, request};

#[tokio::test]
async fn two_players_exchange_every_message() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let mut bob = TestPeer::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    alice.connected().await;
    bob.connected().await;

    let messages = [
        Message::Want { ply: 3, phase: Phase::Post },
        request(3),
        answer(4, Phase::Pre, 0),
        answer(4, Phase::Post, 3_000),
        answer(5, Phase::Pre, MAX_PROOF_BYTES),
    ];
    for message in &messages {
        alice.handle.send(message.clone()).await.unwrap();
        bob.handle.send(message.clone()).await.unwrap();
    }
    for message in &messages {
        assert_eq!(&bob.received().await, message);
        assert_eq!(&alice.received().await, message);
    }
}

#[tokio::test]
async fn acknowledged_messages_are_announced_in_order() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    // Sent before anyone is there: they wait.
    for ply in 0..5 {
        alice.handle.send(request(ply)).await.unwrap();
    }
    let _bob = TestPeer::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    for ply in 0..5 {
        let id = alice.delivered().await;
        assert_eq!((id.ply, id.kind), (ply, MessageKind::Request));
    }
}

#[tokio::test]
async fn a_repeated_message_is_acknowledged_again_and_handed_on_once() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let mut bob = TestPeer::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    for _ in 0..2 {
        alice.handle.send(request(1)).await.unwrap();
        alice.delivered().await;
    }
    alice.handle.send(request(2)).await.unwrap();
    alice.delivered().await;
    assert_eq!(bob.received().await, request(1));
    assert_eq!(bob.received().await, request(2));
    // Unless it was asked for.
    let want = Message::Want { ply: 1, phase: Phase::Pre };
    bob.handle.send(want.clone()).await.unwrap();
    assert_eq!(alice.received().await, want);
    alice.handle.send(request(1)).await.unwrap();
    assert_eq!(bob.received().await, request(1));
}

#[tokio::test]
async fn both_may_dial_at_once() {
    let free = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let ports = free.map(|listener| listener.local_addr().unwrap().port());
    let [a, b] = ports.map(|port| format!("/ip4/127.0.0.1/tcp/{port}"));
    let mut alice = TestPeer::start(1, 2, &a, vec![b.parse().unwrap()]).await;
    let mut bob = TestPeer::start(2, 1, &b, vec![a.parse().unwrap()]).await;
    for ply in 0..3 {
        alice.handle.send(request(ply)).await.unwrap();
        bob.handle.send(request(ply)).await.unwrap();
        assert_eq!(bob.received().await, request(ply));
        assert_eq!(alice.received().await, request(ply));
    }
}
