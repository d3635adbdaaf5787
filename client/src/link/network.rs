//! The parts of libp2p that a link is made of, and what it listens at.
//!
//! TCP with Noise and Yamux, QUIC, and connections through relays. Hole punching (DCUtR, with identify for the address
//! that others see) is switched on only where a relay is in use: without one there is nothing to punch.

use std::io;
use std::net::{TcpListener, UdpSocket};
use std::time::Duration;

use libp2p::core::transport::ListenerId;
use libp2p::futures::StreamExt as _;
use libp2p::multiaddr::Protocol as P;
use libp2p::swarm::behaviour::toggle::Toggle;
use libp2p::swarm::{NetworkBehaviour, SwarmEvent};
use libp2p::{Multiaddr, Swarm, dcutr, identify, noise, relay, request_response, tcp, yamux};

use super::address::{is_place, resolve, socket};
use super::codec::{Codec, PROTOCOL};
use super::frame::Frames;
use super::gate::Gate;
use super::{Identity, LinkError};

/// Longest that one message may take from its first byte to its acknowledgement.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest that a connection may take to be encrypted and authenticated.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(8);
/// Streams that one connection may have open; the link itself uses two or three.
const MAX_STREAMS: usize = 8;
/// A connection is closed by us or by its end, not for being quiet: players think.
const IDLE_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);
/// What identify says of us: nothing that tells one client from another.
const NAME: &str = "fogmate/1";

/// What runs on every connection.
#[derive(NetworkBehaviour)]
pub(super) struct Behaviour {
    /// First: what it denies the others never see.
    pub(super) gate: Gate,
    pub(super) messages: request_response::Behaviour<Codec>,
    pub(super) relay: relay::client::Behaviour,
    pub(super) punching: Toggle<Punching>,
}

#[derive(NetworkBehaviour)]
pub(super) struct Punching {
    identify: identify::Behaviour,
    dcutr: dcutr::Behaviour,
}

impl Punching {
    fn new(identity: &Identity) -> Self {
        let config = identify::Config::new(NAME.to_owned(), identity.keypair.public())
            .with_agent_version(NAME.to_owned())
            .with_hide_listen_addrs(true)
            .with_cache_size(0);
        Self { identify: identify::Behaviour::new(config), dcutr: dcutr::Behaviour::new(identity.peer_id()) }
    }
}

/// A swarm with the identity's key that hasn't begun anything.
pub(super) fn swarm(identity: &Identity, frames: Frames, punching: bool) -> Result<Swarm<Behaviour>, LinkError> {
    let codec = Codec { game: identity.game.game_id, frames };
    let config = request_response::Config::default()
        .with_request_timeout(MESSAGE_TIMEOUT)
        .with_max_concurrent_streams(MAX_STREAMS);
    let protocols = [(PROTOCOL, request_response::ProtocolSupport::Full)];
    let transport = |e: &dyn std::fmt::Display| LinkError::Transport(e.to_string());
    let builder = libp2p::SwarmBuilder::with_existing_identity(identity.keypair.clone())
        .with_tokio()
        .with_tcp(tcp::Config::default().nodelay(true), noise::Config::new, yamux::Config::default)
        .map_err(|e| transport(&e))?
        .with_quic()
        .with_relay_client(noise::Config::new, yamux::Config::default)
        .map_err(|e| transport(&e))?
        .with_behaviour(|_, relay| Behaviour {
            gate: Gate::default(),
            messages: request_response::Behaviour::with_codec(codec, protocols, config),
            relay,
            punching: punching.then(|| Punching::new(identity)).into(),
        })
        .map_err(|e| transport(&e))?;
    let builder = builder.with_swarm_config(|config| {
        config.with_idle_connection_timeout(IDLE_TIMEOUT).with_max_negotiating_inbound_streams(MAX_STREAMS)
    });
    Ok(builder.with_connection_timeout(HANDSHAKE_TIMEOUT).build())
}

/// The address of a place to listen at, in numbers, after it has been tried: nobody else listens there.
///
/// # Errors
///
/// [`LinkError::Listen`] with the reason.
pub async fn free(address: &Multiaddr) -> Result<Multiaddr, LinkError> {
    let failed = |reason: String| LinkError::Listen { address: address.clone(), reason };
    if !is_place(address) {
        return Err(failed(
            "say an address and a port, like /ip4/0.0.0.0/tcp/4040 or /ip4/0.0.0.0/udp/4040/quic-v1".into(),
        ));
    }
    let resolved = resolve(address).await.map_err(|e| failed(e.to_string()))?.into_iter().next();
    let place = resolved.ok_or_else(|| failed("the name has no address".into()))?;
    try_place(&place).map_err(|e| failed(reason(&e)))?;
    Ok(place)
}

/// Binds the socket of a place, and lets it go. libp2p would share a port that another process listens on, and each would
/// get some of the connections.
pub(super) fn try_place(place: &Multiaddr) -> io::Result<()> {
    match socket(place) {
        Some((socket, true)) => UdpSocket::bind(socket).map(drop),
        Some((socket, false)) => TcpListener::bind(socket).map(drop),
        None => Err(io::ErrorKind::AddrNotAvailable.into()),
    }
}

/// A system's error in words that say what to do, where there are such.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "another program listens there (perhaps another `fogmate play`)".to_owned(),
        io::ErrorKind::AddrNotAvailable => "this machine has no such address".to_owned(),
        _ => error.to_string(),
    }
}

/// Where a link listens.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The address that was asked for, a name being a name still, with the port that it became.
    pub(super) address: Multiaddr,
    /// None while the system doesn't let us listen.
    pub(super) listener: Option<ListenerId>,
}

/// Listens, and waits for the first address that it becomes.
pub(super) async fn listen(swarm: &mut Swarm<Behaviour>, address: Multiaddr) -> Result<Place, LinkError> {
    let failed = |reason: String| LinkError::Listen { address: address.clone(), reason };
    let place = free(&address).await?;
    let listener = swarm.listen_on(place.clone()).map_err(|e| failed(e.to_string()))?;
    loop {
        match swarm.select_next_some().await {
            SwarmEvent::NewListenAddr { address: found, .. } => {
                return Ok(Place { address: with_port_of(&address, &found), listener: Some(listener) });
            }
            SwarmEvent::ListenerClosed { reason: Err(e), .. } => return Err(failed(e.to_string())),
            SwarmEvent::ListenerError { error, .. } => return Err(failed(error.to_string())),
            _ => {}
        }
    }
}

/// A place with the port of another address.
fn with_port_of(place: &Multiaddr, other: &Multiaddr) -> Multiaddr {
    let port = other.iter().find(|part| matches!(part, P::Tcp(_) | P::Udp(_)));
    let with = |part| match part {
        P::Tcp(_) | P::Udp(_) => port.clone().unwrap_or(part),
        other => other,
    };
    place.iter().map(with).collect()
}
