//! Addresses that the link can't use are refused before anything is tried with them.

use client::link::{self, Identity, LinkConfig, LinkError};
use libp2p::Multiaddr;

use crate::player::{LOOPBACK, Player, scope, wallet};

#[tokio::test]
async fn addresses_that_can_not_be_dialled_or_listened_on_are_refused() {
    let alice = Player::start(1, 2, LOOPBACK, vec![]).await;
    for address in [
        "/dns4/example.org/tcp/1",
        "/ip4/127.0.0.1/udp/1/quic-v1",
        "/ip4/127.0.0.1",
    ] {
        let refused = alice.handle.dial(address.parse().unwrap()).await;
        assert!(matches!(refused, Err(LinkError::Dial(_))), "{address}");
    }
    let taken = alice.handle.addresses()[0].to_string();
    let taken = taken.split("/p2p/").next().unwrap().parse().unwrap();
    for listen in [taken, "/ip4/192.0.2.1/tcp/0".parse::<Multiaddr>().unwrap()] {
        let config = LinkConfig {
            identity: Identity::new(&wallet(1), scope()).unwrap(),
            opponent: wallet(2).address(),
            listen,
            dial: vec![],
        };
        assert!(matches!(
            link::spawn(config).await,
            Err(LinkError::Listen { .. })
        ));
    }
}
