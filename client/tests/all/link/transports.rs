//! Every kind of address that a player can name leads to the opponent: numbers and names, TCP and QUIC.

use client::link::LinkEvent;
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;

use crate::link::peer::{LOOPBACK, TestPeer, request};

/// The address with a name in place of its number.
fn by_name(address: &Multiaddr, name: Protocol<'static>) -> Multiaddr {
    std::iter::once(name).chain(address.iter().skip(1)).collect()
}

#[tokio::test]
async fn numbers_and_names_tcp_and_quic_lead_to_the_opponent() {
    for listen in [LOOPBACK, "/ip4/127.0.0.1/udp/0/quic-v1", "/dns4/localhost/udp/0/quic-v1"] {
        let mut alice = TestPeer::start(1, 2, listen, vec![]).await;
        let address = alice.handle.addresses().remove(0);
        let named = [
            address.clone(),
            by_name(&address, Protocol::Dns4("localhost".into())),
            by_name(&address, Protocol::Dns("localhost".into())),
        ];
        for (ply, named) in (1..).zip(named) {
            let mut bob = TestPeer::start(2, 1, LOOPBACK, vec![named.clone()]).await;
            bob.handle.send(request(ply)).await.unwrap();
            let reached = bob.until(|e| matches!(e, LinkEvent::Reached(_)).then_some(e)).await;
            assert_eq!(reached, LinkEvent::Reached(named), "as it was given");
            assert_eq!(alice.received().await, request(ply));
            bob.delivered().await;
            drop(bob);
            alice.until(|e| (e == LinkEvent::Disconnected).then_some(())).await;
        }
    }
}

#[tokio::test]
async fn one_address_that_leads_nowhere_does_not_hide_another() {
    let mut alice = TestPeer::start(1, 2, LOOPBACK, vec![]).await;
    let good = alice.handle.addresses().remove(0);
    let peer = good.iter().last().expect("a peer");
    // Nobody listens at the first, and the second is no name.
    let dead = ["/ip4/127.0.0.1/tcp/1", "/dns4/nowhere.invalid/tcp/1"];
    let mut dial: Vec<Multiaddr> = dead.map(|text| text.parse::<Multiaddr>().unwrap().with(peer.clone())).into();
    dial.push(good);
    let bob = TestPeer::start(2, 1, LOOPBACK, dial).await;
    bob.handle.send(request(1)).await.unwrap();
    assert_eq!(alice.received().await, request(1));
}
