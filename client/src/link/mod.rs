//! The link: messages between the two players of a game, straight from one machine to the other.
//!
//! Protocol section 6 (what is sent, and when): the seat decides, the link
//! carries. TCP, Noise and Yamux; peers dial each other directly. A peer is believed to be the opponent only after a
//! signature has bound its network key to the opponent's address in this very game ([`Identity`]). Messages are kept
//! until they are acknowledged, in order, over any number of reconnections. Nothing that a peer sends is trusted or
//! can stop the link: what isn't a message is refused by name and reported ([`LinkEvent::Refused`]). Finding peers,
//! relays and hole punching are not here.

mod binding;
mod codec;
mod dialer;
mod frame;
mod handshake;
mod outbox;
mod task;
mod traffic;

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use alloy::primitives::Address;
use libp2p::futures::StreamExt as _;
use libp2p::multiaddr::Protocol as P;
use libp2p::swarm::{NetworkBehaviour, SwarmEvent};
use libp2p::{Multiaddr, PeerId, Swarm, connection_limits, noise, request_response, tcp, yamux};
use thiserror::Error;
use tokio::sync::{mpsc, watch};

pub use binding::Identity;
pub use codec::PROTOCOL;
pub use frame::Refusal;
use game::{Message, MessageId, WireError};

/// Longest that one message may take from its first byte to its acknowledgement.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(20);
/// Streams that one connection may have open; the link itself uses two or three.
const MAX_STREAMS: usize = 8;
/// Connections that others may have open to us; the opponent needs one.
const MAX_INCOMING: u32 = 8;
/// Connections with one peer: one each way when both dial at once, and one that is about to be found dead.
const MAX_PER_PEER: u32 = 3;
/// A connection is closed by us or by its end, not for being quiet: players think.
const IDLE_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);
/// Events that may wait for the seat.
const EVENT_CAPACITY: usize = 64;
/// Messages that may wait for the link.
const MESSAGE_CAPACITY: usize = 16;

/// Why a link can't start or can't take a message.
#[derive(Debug, Error)]
pub enum LinkError {
    /// The transport couldn't be set up.
    #[error("the network transport can't be set up: {0}")]
    Transport(String),
    /// The address can't be listened on.
    #[error("can't listen on {address}: {reason}")]
    Listen {
        /// The address.
        address: Multiaddr,
        /// Why.
        reason: String,
    },
    /// The address is none that this link can dial.
    #[error("can't dial {0}: give an address like /ip4/192.0.2.1/tcp/4040/p2p/12D3Koo…")]
    Dial(Multiaddr),
    /// The message is none that may be sent.
    #[error("the message can't be sent: {0}")]
    Message(#[from] WireError),
    /// The link has ended.
    #[error("the link has been closed")]
    Closed,
}

/// Why a peer was turned away, or something it sent was.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Offence {
    /// Bytes that are no message of this game.
    #[error("{0}")]
    Malformed(#[from] WireError),
    /// A hello that another address signed, or that was signed for another peer, game, contract or chain.
    #[error("the peer's signature is not the opponent's for this game and this peer")]
    Impostor,
    /// A hello whose signature is no signature.
    #[error("the peer's signature is malformed")]
    BadSignature,
    /// A message from a peer that hasn't said who it is.
    #[error("the peer sent a message before it said who it is")]
    NotIntroduced,
}

/// What happens on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEvent {
    /// The opponent is there, and each side knows the other.
    Connected(PeerId),
    /// The opponent is gone; messages wait, and known addresses are dialled again.
    Disconnected,
    /// A message of the opponent; the same one can come again after a reconnection.
    Received(Message),
    /// The opponent's client has the message.
    Delivered(MessageId),
    /// The opponent's client refuses the message and won't get it again.
    Rejected {
        /// The message.
        id: MessageId,
        /// Why.
        reason: Refusal,
    },
    /// A peer that we dialled doesn't take us for its opponent.
    Unwelcome {
        /// The peer.
        peer: PeerId,
        /// Its reason.
        reason: Refusal,
    },
    /// Someone sent what it shouldn't, and was refused.
    Refused {
        /// Who; with `opponent`, a peer that has proven to be the opponent.
        peer: PeerId,
        /// Whether it is the opponent.
        opponent: bool,
        /// What it did.
        offence: Offence,
    },
}

/// How to set up a link.
#[derive(Debug)]
pub struct LinkConfig {
    /// Who we are, in which game.
    pub identity: Identity,
    /// The opponent's address on the chain.
    pub opponent: Address,
    /// Where to listen, e.g. `/ip4/127.0.0.1/tcp/0`.
    pub listen: Multiaddr,
    /// Where the opponent may be, e.g. `/ip4/192.0.2.1/tcp/4040/p2p/12D3Koo…`; dialled until it answers, and again.
    pub dial: Vec<Multiaddr>,
}

/// The seat's end of a link. The link ends when all its handles, or its receiver, are dropped.
#[derive(Clone, Debug)]
pub struct LinkHandle {
    messages: mpsc::Sender<Message>,
    addresses: watch::Receiver<Vec<Multiaddr>>,
    peer: PeerId,
}

impl LinkHandle {
    /// Hands a message over. It will reach the opponent as long as the link lives; [`LinkEvent::Delivered`] tells when.
    pub async fn send(&self, message: Message) -> Result<(), LinkError> {
        message.check()?;
        let sent = self.messages.send(message).await;
        sent.map_err(|_| LinkError::Closed)
    }

    /// The addresses that we listen on, with our peer id: what an opponent dials.
    pub fn addresses(&self) -> Vec<Multiaddr> {
        let peer = self.peer;
        let addresses = self.addresses.borrow();
        addresses.iter().map(|a| a.clone().with(P::P2p(peer))).collect()
    }
}

#[derive(NetworkBehaviour)]
struct Behaviour {
    limits: connection_limits::Behaviour,
    messages: request_response::Behaviour<codec::Codec>,
}

/// Starts a link on the current tokio runtime; returns once it listens.
pub async fn spawn(config: LinkConfig) -> Result<(LinkHandle, mpsc::Receiver<LinkEvent>), LinkError> {
    if let Some(wrong) = config.dial.iter().find(|address| socket(address).is_none()) {
        return Err(LinkError::Dial(wrong.clone()));
    }
    let mut swarm = swarm(&config.identity)?;
    let address = listen(&mut swarm, config.listen).await?;
    let (message_sender, messages) = mpsc::channel(MESSAGE_CAPACITY);
    let (events, event_receiver) = mpsc::channel(EVENT_CAPACITY);
    let (address_sender, addresses) = watch::channel(vec![address]);
    let handle = LinkHandle { messages: message_sender, addresses, peer: *swarm.local_peer_id() };
    let channels = task::Channels { messages, events, addresses: address_sender };
    let task = task::Task::new(swarm, &config.identity, config.opponent, config.dial, channels);
    tokio::spawn(task.run());
    Ok((handle, event_receiver))
}

/// The socket of an address: an IP address, a TCP port and perhaps a peer. Names are resolved by whoever has them.
fn socket(address: &Multiaddr) -> Option<SocketAddr> {
    let parts: Vec<_> = address.iter().collect();
    let (ip, port) = match parts[..] {
        [P::Ip4(ip), P::Tcp(port)] | [P::Ip4(ip), P::Tcp(port), P::P2p(_)] => (IpAddr::V4(ip), port),
        [P::Ip6(ip), P::Tcp(port)] | [P::Ip6(ip), P::Tcp(port), P::P2p(_)] => (IpAddr::V6(ip), port),
        _ => return None,
    };
    Some(SocketAddr::new(ip, port))
}

fn swarm(identity: &Identity) -> Result<Swarm<Behaviour>, LinkError> {
    let codec = codec::Codec { game: identity.game.game_id };
    let config = request_response::Config::default()
        .with_request_timeout(MESSAGE_TIMEOUT)
        .with_max_concurrent_streams(MAX_STREAMS);
    let protocols = [(PROTOCOL, request_response::ProtocolSupport::Full)];
    let limits = connection_limits::ConnectionLimits::default()
        .with_max_pending_incoming(Some(MAX_INCOMING))
        .with_max_established_incoming(Some(MAX_INCOMING))
        .with_max_established_per_peer(Some(MAX_PER_PEER));
    let behaviour = Behaviour {
        limits: connection_limits::Behaviour::new(limits),
        messages: request_response::Behaviour::with_codec(codec, protocols, config),
    };
    let transport = |e: &dyn std::fmt::Display| LinkError::Transport(e.to_string());
    let builder = libp2p::SwarmBuilder::with_existing_identity(identity.keypair.clone())
        .with_tokio()
        .with_tcp(tcp::Config::default().nodelay(true), noise::Config::new, yamux::Config::default)
        .map_err(|e| transport(&e))?
        .with_behaviour(|_| behaviour)
        .map_err(|e| transport(&e))?;
    Ok(builder.with_swarm_config(|config| config.with_idle_connection_timeout(IDLE_TIMEOUT)).build())
}

/// Listens, and waits for the address that it became.
async fn listen(swarm: &mut Swarm<Behaviour>, address: Multiaddr) -> Result<Multiaddr, LinkError> {
    let failed = |reason: String| LinkError::Listen { address: address.clone(), reason };
    let socket = socket(&address).ok_or_else(|| failed("it is no IP address with a TCP port".to_owned()))?;
    // libp2p would share a port that another process listens on, and each would get some of the connections.
    std::net::TcpListener::bind(socket).map_err(|e| failed(e.to_string()))?;
    swarm.listen_on(address.clone()).map_err(|e| failed(e.to_string()))?;
    loop {
        match swarm.select_next_some().await {
            SwarmEvent::NewListenAddr { address, .. } => return Ok(address),
            SwarmEvent::ListenerClosed { reason: Err(e), .. } => return Err(failed(e.to_string())),
            SwarmEvent::ListenerError { error, .. } => return Err(failed(error.to_string())),
            _ => {}
        }
    }
}
