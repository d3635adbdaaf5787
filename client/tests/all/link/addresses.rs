//! Addresses that the link can't use are refused before anything is tried with them.

use client::link::{self, Identity, LinkConfig, LinkError};
use libp2p::Multiaddr;

use crate::link::peer::{LOOPBACK, TestPeer, game, wallet};

fn config(listen: Multiaddr, dial: Vec<Multiaddr>) -> LinkConfig {
    LinkConfig {
        identity: Identity::new(&wallet(1), game()).unwrap(),
        opponent: wallet(2).address(),
        listen,
        dial,
        relays: vec![],
        patient: false,
        frames: link::Frames::Answers,
    }
}

#[tokio::test]
async fn addresses_that_can_not_be_dialled_or_listened_on_are_refused() {
    let alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    for address in ["/dnsaddr/a.example/tcp/1", "/ip4/127.0.0.1/udp/1", "/ip4/127.0.0.1", "/ip4/127.0.0.1/tcp/1/ws"] {
        let dial = vec![address.parse().unwrap()];
        let refused = link::spawn(config(LOOPBACK.parse().unwrap(), dial)).await;
        assert!(matches!(refused, Err(LinkError::Dial(_))), "{address}");
    }
    let taken = alice.handle.addresses()[0].to_string();
    let taken = taken.split("/p2p/").next().unwrap().parse().unwrap();
    for listen in [taken, "/ip4/192.0.2.1/tcp/0".parse::<Multiaddr>().unwrap()] {
        let refused = link::spawn(config(listen, vec![])).await;
        assert!(matches!(refused, Err(LinkError::Listen { .. })));
    }
}
