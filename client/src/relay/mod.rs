//! A relay (libp2p's Circuit Relay v2) that anyone can run for players who can't reach each other: behind routers that let
//! nobody in, or with addresses that change.
//!
//! A player takes a place here and is reached through it. The relay carries bytes that the players have encrypted for each
//! other, tells each how it is seen from outside (identify), which hole punching needs, and dials nobody itself. Its
//! resources are bounded: [`LIMITS`]. It belongs to no game and knows none.

use std::num::NonZeroU32;
use std::time::Duration;

use libp2p::core::transport::ListenerId;
use libp2p::futures::StreamExt as _;
use libp2p::identity::Keypair;
use libp2p::multiaddr::Protocol as P;
use libp2p::swarm::{NetworkBehaviour, SwarmEvent};
use libp2p::{Multiaddr, Swarm, connection_limits, identify, noise, relay, tcp, yamux};
use tokio::task::JoinHandle;

use crate::link::gate::Gate;
use crate::link::{LinkError, free, is_dialable, is_place};

/// What a relay gives at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections, with those that are only being made.
    pub connections: u32,
    /// Connections of one host.
    pub connections_of_host: usize,
    /// Places, of one peer one.
    pub places: usize,
    /// Connections through the relay at once.
    pub circuits: usize,
    /// Connections through the relay of one caller at once.
    pub circuits_of_peer: usize,
    /// How long one of those lasts; players then make another.
    pub circuit_time: Duration,
    /// Bytes that one of those carries each way: a ply takes about 100,000.
    pub circuit_bytes: u64,
    /// Places and circuits that one host may ask for at once; then as many an hour.
    pub asked_of_host: u32,
}

/// The limits of `fogmate relay`. A connection takes some 100 kB of memory and a circuit two of its connections' streams.
pub const LIMITS: Limits = Limits {
    connections: 512,
    connections_of_host: 32,
    places: 128,
    circuits: 64,
    circuits_of_peer: 4,
    circuit_time: Duration::from_secs(4 * 60 * 60),
    circuit_bytes: 64 << 20,
    asked_of_host: 120,
};

/// How long a place is kept before its holder has to ask again, which its client does by itself.
const PLACE_TIME: Duration = Duration::from_secs(60 * 60);
/// Longest that a connection may take to be encrypted and authenticated.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(8);
/// A connection without place and circuit is closed after this.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);
/// What identify says of a relay.
const NAME: &str = "fogmate-relay/1";

#[derive(NetworkBehaviour)]
struct Behaviour {
    /// First: what it denies the others never see.
    gate: Gate,
    limits: connection_limits::Behaviour,
    relay: relay::Behaviour,
    identify: identify::Behaviour,
}

/// A running relay; it ends when it is dropped.
#[derive(Debug)]
pub struct Relay {
    addresses: Vec<Multiaddr>,
    task: JoinHandle<()>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Relay {
    /// Starts a relay with a key that makes its peer id, on the current tokio runtime; returns once it listens. Players are
    /// told to dial `announce`, or, if there is none, where it listens.
    ///
    /// # Errors
    ///
    /// If nobody can listen or dial at such an address.
    pub async fn start(
        key: Keypair,
        listen: &[Multiaddr],
        announce: &[Multiaddr],
        limits: Limits,
    ) -> Result<Self, LinkError> {
        if let Some(wrong) = announce.iter().find(|address| !is_place(address) || !is_dialable(address)) {
            return Err(LinkError::Dial(wrong.clone()));
        }
        let peer = key.public().to_peer_id();
        let mut swarm = swarm(key, limits)?;
        let mut addresses = Vec::new();
        for address in listen {
            addresses.extend(listen_at(&mut swarm, address).await?);
        }
        if !announce.is_empty() {
            addresses = announce.to_vec();
        }
        for address in &addresses {
            swarm.add_external_address(address.clone());
        }
        let addresses = addresses.into_iter().map(|address| address.with(P::P2p(peer))).collect();
        Ok(Self { addresses, task: tokio::spawn(swarm.for_each(|_| std::future::ready(()))) })
    }

    /// What players name to use this relay.
    pub fn addresses(&self) -> &[Multiaddr] {
        &self.addresses
    }

    /// Waits until the relay has ended, as it does by a defect alone.
    pub async fn ended(&mut self) {
        let _ = (&mut self.task).await;
    }
}

fn swarm(key: Keypair, limits: Limits) -> Result<Swarm<Behaviour>, LinkError> {
    let transport = |e: &dyn std::fmt::Display| LinkError::Transport(e.to_string());
    let connections = connection_limits::ConnectionLimits::default()
        .with_max_pending_incoming(Some(limits.connections / 2))
        .with_max_established(Some(limits.connections));
    let identify = identify::Config::new(NAME.to_owned(), key.public())
        .with_agent_version(NAME.to_owned())
        .with_hide_listen_addrs(true)
        .with_cache_size(0);
    let builder = libp2p::SwarmBuilder::with_existing_identity(key)
        .with_tokio()
        .with_tcp(tcp::Config::default().nodelay(true), noise::Config::new, yamux::Config::default)
        .map_err(|e| transport(&e))?
        .with_quic()
        .with_behaviour(|key| Behaviour {
            gate: Gate::with_most(limits.connections_of_host),
            limits: connection_limits::Behaviour::new(connections),
            relay: relay::Behaviour::new(key.public().to_peer_id(), config(limits)),
            identify: identify::Behaviour::new(identify),
        })
        .map_err(|e| transport(&e))?;
    let builder = builder.with_swarm_config(|config| config.with_idle_connection_timeout(IDLE_TIMEOUT));
    Ok(builder.with_connection_timeout(HANDSHAKE_TIMEOUT).build())
}

fn config(limits: Limits) -> relay::Config {
    let asked = NonZeroU32::new(limits.asked_of_host).unwrap_or(NonZeroU32::MIN);
    let every = Duration::from_secs(60 * 60) / asked.get();
    let config = relay::Config {
        max_reservations: limits.places,
        max_reservations_per_peer: 1,
        reservation_duration: PLACE_TIME,
        reservation_rate_limiters: Vec::new(),
        max_circuits: limits.circuits,
        max_circuits_per_peer: limits.circuits_of_peer,
        max_circuit_duration: limits.circuit_time,
        max_circuit_bytes: limits.circuit_bytes,
        circuit_src_rate_limiters: Vec::new(),
    };
    config.reservation_rate_per_ip(asked, every).circuit_src_per_ip(asked, every)
}

/// Listens, and gives the addresses that it became.
async fn listen_at(swarm: &mut Swarm<Behaviour>, address: &Multiaddr) -> Result<Vec<Multiaddr>, LinkError> {
    let failed = |reason: String| LinkError::Listen { address: address.clone(), reason };
    let place = free(address).await?;
    let wanted: ListenerId = swarm.listen_on(place).map_err(|e| failed(e.to_string()))?;
    let mut found = Vec::new();
    loop {
        // The addresses of all interfaces come one after the other, at once.
        let event = match found.is_empty() {
            true => Some(swarm.select_next_some().await),
            false => tokio::time::timeout(Duration::from_millis(200), swarm.select_next_some()).await.ok(),
        };
        match event {
            None => return Ok(found),
            Some(SwarmEvent::NewListenAddr { address, listener_id }) if listener_id == wanted => found.push(address),
            Some(SwarmEvent::ListenerClosed { reason: Err(e), .. }) => return Err(failed(e.to_string())),
            Some(SwarmEvent::ListenerError { error, .. }) => return Err(failed(error.to_string())),
            Some(_) => {}
        }
    }
}
