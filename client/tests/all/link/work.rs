//! A true opponent that floods: what it can make this machine do is bounded by kind, and other kinds aren't hurt.

use std::time::Instant;

use client::link::LinkEvent;
use fogmate_test::{Rogue, header, with_body};
use game::message::{ELEMENTS, POINTS_BYTES};

use crate::link::peer::{LOOPBACK, TestPeer, game, request, wallet};

/// What the acknowledgement "busy" is on the wire.
const BUSY: u8 = 4;

/// An answer to a ply, of zeros.
fn answer(ply: u16) -> Vec<u8> {
    with_body(header(game().game_id, 2, ply, 0), ELEMENTS * 32 + 2)
}

#[tokio::test]
async fn a_flood_of_one_kind_is_cut_and_leaves_the_others() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let address = alice.handle.addresses().remove(0);
    let start = Instant::now();
    let mut rogue = Rogue::introduced(&wallet(2), &game(), &address).await;
    let mut taken = 0;
    for ply in 0..100 {
        match rogue.say(answer(ply)).await {
            Some(0) => taken += 1,
            other => assert_eq!(other, Some(BUSY)),
        }
        // The seat keeps up.
        while let Ok(event) = alice.events.try_recv() {
            assert!(!matches!(event, LinkEvent::Disconnected));
        }
    }
    // 32 at once and 30 a minute, as `work` says.
    let most = 32 + start.elapsed().as_secs() / 2 + 1;
    assert!((32..=most).contains(&taken), "{taken} of 100 answers in {:?}", start.elapsed());
    // Requests have an allowance of their own.
    let asks = with_body(header(game().game_id, 1, 3, 0), POINTS_BYTES);
    assert_eq!(rogue.say(asks).await, Some(0));
    // Whoever goes on is disconnected.
    let mut is_cut = false;
    for _ in 0..1000 {
        // After that nobody is there to say anything to.
        is_cut = is_cut || rogue.say(answer(7)).await.is_none();
    }
    assert!(is_cut, "1,000 frames were read");
    // And its allowance doesn't come back with a new connection; the wallet's true client waits and gets through.
    let mut bob = TestPeer::start(2, 1, LOOPBACK, vec![address]).await;
    bob.handle.send(request(9)).await.unwrap();
    assert_eq!(
        alice
            .until(|e| match e {
                LinkEvent::Received(message) if message == request(9) => Some(message),
                _ => None,
            })
            .await,
        request(9)
    );
    bob.delivered().await;
}
