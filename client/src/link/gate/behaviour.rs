//! The gate as a part of the swarm. It must be the first: what it denies no other part may have seen.

use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::Instant;

use fog::ensure;
use libp2p::core::Endpoint;
use libp2p::core::transport::PortUse;
use libp2p::swarm::behaviour::{ConnectionClosed, ListenFailure};
use libp2p::swarm::{
    CloseConnection, ConnectionDenied, ConnectionId, FromSwarm, NetworkBehaviour, THandler, THandlerInEvent,
    THandlerOutEvent, ToSwarm, dummy,
};
use libp2p::{Multiaddr, PeerId};

use super::{Denied, Gate, Guest, Source};

impl NetworkBehaviour for Gate {
    type ConnectionHandler = dummy::ConnectionHandler;
    type ToSwarm = Infallible;

    fn handle_pending_inbound_connection(
        &mut self,
        connection: ConnectionId,
        local: &Multiaddr,
        remote: &Multiaddr,
    ) -> Result<(), ConnectionDenied> {
        let source = Source::of(local, remote).ok_or(Denied::Nowhere)?;
        Ok(self.arrives(connection, source, Instant::now())?)
    }

    fn handle_established_inbound_connection(
        &mut self,
        connection: ConnectionId,
        peer: PeerId,
        local: &Multiaddr,
        remote: &Multiaddr,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        let source = Source::of(local, remote).ok_or(Denied::Nowhere)?;
        self.enters(Guest { connection, peer, source });
        Ok(dummy::ConnectionHandler)
    }

    fn handle_pending_outbound_connection(
        &mut self,
        _: ConnectionId,
        peer: Option<PeerId>,
        addresses: &[Multiaddr],
        _: Endpoint,
    ) -> Result<Vec<Multiaddr>, ConnectionDenied> {
        ensure!(self.dials.admit(peer, addresses), Denied::NotNamed.into());
        Ok(Vec::new())
    }

    fn handle_established_outbound_connection(
        &mut self,
        connection: ConnectionId,
        peer: PeerId,
        _: &Multiaddr,
        role: Endpoint,
        _: PortUse,
    ) -> Result<THandler<Self>, ConnectionDenied> {
        self.dialled(connection, peer, role);
        Ok(dummy::ConnectionHandler)
    }

    fn on_swarm_event(&mut self, event: FromSwarm<'_>) {
        match event {
            FromSwarm::ConnectionClosed(ConnectionClosed { connection_id, .. })
            | FromSwarm::ListenFailure(ListenFailure { connection_id, .. }) => self.forget(connection_id),
            _ => {}
        }
    }

    fn on_connection_handler_event(&mut self, _: PeerId, _: ConnectionId, event: THandlerOutEvent<Self>) {
        match event {}
    }

    fn poll(&mut self, _: &mut Context<'_>) -> Poll<ToSwarm<Infallible, THandlerInEvent<Self>>> {
        match self.next_to_close() {
            Some((peer_id, connection)) => {
                let connection = CloseConnection::One(connection);
                Poll::Ready(ToSwarm::CloseConnection { peer_id, connection })
            }
            // Whoever adds to the queue is the swarm's own task, which polls again.
            None => Poll::Pending,
        }
    }
}
