//! A player that goes away and comes back is found again.

use std::time::Duration;

use client::link::{self, Identity, LinkConfig, LinkEvent};
use game::Phase;
use libp2p::Multiaddr;

use crate::peer::{LOOPBACK, TestPeer, answer, game, request, wallet};

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

/// A link that has been dropped ends within a tick, and its port is free after that.
async fn listen_again(listen: &str) -> TestPeer {
    for _ in 0..100 {
        let config = LinkConfig {
            identity: Identity::new(&wallet(1), game()).unwrap(),
            opponent: wallet(2).address(),
            listen: listen.parse().unwrap(),
            dial: vec![],
        };
        if let Ok((handle, events)) = link::spawn(config).await {
            return TestPeer { handle, events };
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the port never became free");
}
