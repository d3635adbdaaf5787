//! Peers that aren't the opponent, or can't show it, are refused by name and disturb nobody.

use alloy::primitives::B256;
use client::link::{LinkEvent, Offence, Refusal};
use fogmate_test::{Listener, Rogue, header, with_body};
use game::message::{ELEMENTS, HELLO_BYTES, POINTS_BYTES, VERSION};
use game::{GameRef, WireError};

use crate::link::peer::{LOOPBACK, TestPeer, game, request};

#[tokio::test]
async fn an_impostor_is_refused_and_disturbs_nobody() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    // Wallet 3 says that it is the opponent.
    let mut mallory = TestPeer::start(3, 1, LOOPBACK, alice.handle.addresses()).await;
    assert_eq!(alice.offence().await, (false, Offence::Impostor));
    let unwelcome = |e| match e {
        LinkEvent::Unwelcome { reason, .. } => Some(reason),
        _ => None,
    };
    assert_eq!(mallory.until(unwelcome).await, Refusal::NotTheOpponent);
    // The true opponent in another game.
    let elsewhere = GameRef { game_id: B256::ZERO, ..game() };
    let mut stray = TestPeer::start_in(elsewhere, 2, 1, LOOPBACK, alice.handle.addresses()).await;
    let stray_offence = Offence::Malformed(WireError::WrongGame(B256::ZERO));
    alice.until(|e| matches!(e, LinkEvent::Refused { offence, .. } if offence == stray_offence).then_some(())).await;
    assert_eq!(stray.until(unwelcome).await, Refusal::Malformed);
    // The same game id on another chain: the bytes are well-formed, the signature isn't for this chain.
    let forked = GameRef { chain_id: 1, ..game() };
    let mut fork = TestPeer::start_in(forked, 2, 1, LOOPBACK, alice.handle.addresses()).await;
    assert_eq!(fork.until(unwelcome).await, Refusal::NotTheOpponent);
    // Meanwhile the true opponent connects and plays.
    let mut bob = TestPeer::start(2, 1, LOOPBACK, alice.handle.addresses()).await;
    bob.handle.send(request(1)).await.unwrap();
    assert_eq!(alice.received().await, request(1));
    bob.delivered().await;
}

/// Bytes that a peer may send, each with the offence that it is.
fn hostile_bytes() -> Vec<(Vec<u8>, Offence)> {
    let header = |kind, ply, phase| header(game().game_id, kind, ply, phase);
    let request = |len| with_body(header(1, 3, 0), len);
    let elements = ELEMENTS * 32;
    let mut long_proof = with_body(header(2, 1, 0), elements);
    long_proof.extend([0xff, 0xff]);
    let mut above_modulus = with_body(header(2, 1, 0), elements + 2);
    above_modulus[37 + 32 * 5] = 0xff;
    let http = b"GET / HTTP/1.1\r\nHost: fogmate.example\r\n\r\n".to_vec();
    let next_version = [&[VERSION + 1], &header(0, 0, 0)[1..]].concat();
    let bad_phase = with_body(header(1, 3, 1), POINTS_BYTES);
    let malformed = [
        (vec![], WireError::Truncated),
        (http, WireError::Version(b'G')),
        (next_version, WireError::Version(VERSION + 1)),
        (with_body(header(9, 0, 0), 65), WireError::Kind(9)),
        (bad_phase, WireError::Phase(1)),
        (request(POINTS_BYTES - 1), WireError::Truncated),
        (request(POINTS_BYTES + 1), WireError::Oversized),
        (request(500_000), WireError::Oversized),
        (long_proof, WireError::ProofTooLong(0xffff)),
        (above_modulus, WireError::Element(5)),
    ];
    let malformed = malformed.map(|(bytes, error)| (bytes, Offence::Malformed(error)));
    let mut cases = Vec::from(malformed);
    cases.push((with_body(header(0, 0, 0), 65), Offence::BadSignature));
    cases.push((request(POINTS_BYTES), Offence::NotIntroduced));
    cases
}

#[tokio::test]
async fn hostile_bytes_are_refused_by_name() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let address = alice.handle.addresses().remove(0);
    for (bytes, offence) in hostile_bytes() {
        let mut rogue = Rogue::dial(&address).await;
        let ack = rogue.say(bytes).await;
        assert_ne!(ack, Some(0), "{offence:?} was accepted");
        assert_eq!(alice.offence().await, (false, offence));
    }
    // The link is as good as before.
    let mut bob = TestPeer::start(2, 1, LOOPBACK, vec![address]).await;
    bob.handle.send(request(1)).await.unwrap();
    assert_eq!(alice.received().await, request(1));
    bob.delivered().await;
}

#[tokio::test]
async fn a_hello_replayed_by_another_peer_is_refused() {
    // Bob's true hello, as anyone who was once his opponent's impostor may have kept it.
    let (mut listener, address) = Listener::open().await;
    let _bob = TestPeer::start(2, 1, LOOPBACK, vec![address]).await;
    let hello = listener.heard().await;
    assert_eq!(hello.len(), 37 + HELLO_BYTES);

    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let mut rogue = Rogue::dial(&alice.handle.addresses()[0]).await;
    assert_ne!(rogue.say(hello).await, Some(0));
    assert_eq!(alice.offence().await, (false, Offence::Impostor));
}
