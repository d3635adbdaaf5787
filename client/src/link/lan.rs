//! The opponent on the local network, found by multicast DNS (RFC 6762, libp2p's `mdns`), where the user wants that.
//!
//! It tells everybody on that network that a peer with this game's network key listens here. What it finds is believed of one peer alone: one that
//! the user has named. So an address in an invitation, wherever it leads, is enough to find who made it in the same room.

use std::net::IpAddr;
use std::task::{Context, Poll};

use libp2p::core::Endpoint;
use libp2p::core::transport::PortUse;
use libp2p::mdns::{self, tokio::Behaviour};
use libp2p::swarm::{
    ConnectionDenied, ConnectionId, FromSwarm, NetworkBehaviour, THandler, THandlerInEvent, THandlerOutEvent, ToSwarm,
    dummy,
};
use libp2p::{Multiaddr, PeerId};

use super::LinkError;
use super::address::socket;

/// Places that were heard of, with their peers.
#[derive(Debug)]
pub(super) struct Heard(pub Vec<(PeerId, Multiaddr)>);

/// Asks and answers on the local network. Unlike the library's, it adds nothing to anybody's dials.
pub(super) struct Lan(Behaviour);

impl Lan {
    /// Begins to listen to the local network.
    pub(super) fn new(own: PeerId) -> Result<Self, LinkError> {
        let failed = |error| LinkError::Transport(format!("the local network can't be asked: {error}"));
        Ok(Self(Behaviour::new(mdns::Config::default(), own).map_err(failed)?))
    }
}

/// Whether an address is one of a local network, which alone may be told there.
pub(super) fn is_local(address: &Multiaddr) -> bool {
    match socket(address).map(|(socket, _)| socket.ip()) {
        Some(IpAddr::V4(ip)) => ip.is_private() || ip.is_link_local(),
        Some(IpAddr::V6(ip)) => ip.is_unique_local() || ip.is_unicast_link_local(),
        None => false,
    }
}

impl NetworkBehaviour for Lan {
    type ConnectionHandler = dummy::ConnectionHandler;
    type ToSwarm = Heard;

    fn handle_established_inbound_connection(
        &mut self,
        _: ConnectionId,
        _: PeerId,
        _: &Multiaddr,
        _: &Multiaddr,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        Ok(dummy::ConnectionHandler)
    }

    fn handle_established_outbound_connection(
        &mut self,
        _: ConnectionId,
        _: PeerId,
        _: &Multiaddr,
        _: Endpoint,
        _: PortUse,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        Ok(dummy::ConnectionHandler)
    }

    fn on_swarm_event(&mut self, event: FromSwarm<'_>) {
        self.0.on_swarm_event(event);
    }

    fn on_connection_handler_event(&mut self, _: PeerId, _: ConnectionId, event: THandlerOutEvent<Self>) {
        match event {}
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<ToSwarm<Heard, THandlerInEvent<Self>>> {
        loop {
            let heard = match std::task::ready!(self.0.poll(cx)) {
                ToSwarm::GenerateEvent(mdns::Event::Discovered(found)) => Heard(found),
                // What has expired is dialled in vain, no more.
                _ => continue,
            };
            return Poll::Ready(ToSwarm::GenerateEvent(heard));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_local_network_s_addresses_count() {
        let address = |text: &str| text.parse::<Multiaddr>().unwrap();
        for local in
            ["/ip4/192.168.1.2/tcp/1", "/ip4/10.0.0.1/udp/1/quic-v1", "/ip4/169.254.0.1/tcp/1", "/ip6/fe80::1/tcp/1"]
        {
            assert!(is_local(&address(local)), "{local}");
        }
        for other in [
            "/ip4/192.0.2.1/tcp/1",
            "/ip4/127.0.0.1/tcp/1",
            "/ip6/2001:db8::1/tcp/1",
            "/dns4/a.local/tcp/1",
            "/ip4/10.0.0.1",
        ] {
            assert!(!is_local(&address(other)), "{other}");
        }
    }
}
