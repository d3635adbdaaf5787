//! The link: messages between the two players of a game, straight from one machine to the other.
//!
//! Protocol section 6 (what is sent, and when): the seat decides, the link
//! carries. What the link itself decides about peers and messages is a pure [`machine`]; the rest here carries that out. TCP with Noise and Yamux, or QUIC; peers dial each other directly, or through a relay that a player has
//! named, and then punch a hole for a direct connection. Nobody else is ever called (`dials`). A peer is believed to be the opponent only after a
//! signature has bound its network key to the opponent's address in this very game ([`Identity`]). Messages are kept
//! until they are acknowledged, in order, over any number of reconnections. Nothing that a peer sends is trusted or
//! can stop the link: what isn't a message is refused by name and reported ([`LinkEvent::Refused`]), connections are
//! limited by where they come from (`gate`), and what the opponent can make us do by kind of message ([`machine`]).

mod address;
mod binding;
mod codec;
mod dialer;
mod dials;
mod frame;
pub mod gate;
pub mod machine;
mod meter;
mod network;
mod pieces;
mod places;
mod record;
mod relays;
mod task;

use alloy::primitives::Address;
use libp2p::multiaddr::Protocol as P;
use libp2p::{Multiaddr, PeerId};
use thiserror::Error;
use tokio::sync::{mpsc, watch};

pub use address::{ip, is_dialable, is_place, is_relayed, relay_peer, socket, sockets, split};
pub use binding::Identity;
pub use codec::{PROTOCOL, Packet, from_wire, to_wire};
pub use frame::{Ack, Frame, Frames, Refusal};
use game::{Message, MessageId, WireError};
use machine::Input;
pub use network::free;
pub use record::{AddressRecord, RecordError};

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
    Listen { address: Multiaddr, reason: String },
    /// The address is none that this link can dial.
    #[error("can't dial {0}: give an address like /ip4/192.0.2.1/tcp/4040/p2p/12D3Koo…")]
    Dial(Multiaddr),
    /// The address is no relay's.
    #[error("{0} is no relay's address: it has a place and a peer, as `fogmate relay` prints it")]
    Relay(Multiaddr),
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
    /// The opponent was reached at this address of those that were given; [`Self::Connected`] follows.
    Reached(Multiaddr),
    /// The addresses that we listen on have changed.
    Listening,
    /// Whether what goes to the opponent goes through a relay; after [`Self::Connected`], and whenever that changes.
    Path { relayed: bool },
    /// The opponent is gone; messages wait, and known addresses are dialled again.
    Disconnected,
    /// The opponent's addresses were dialled so often since it was there: told for the first time, the second, the fourth, the eighth and so on.
    Dialled(u32),
    /// A message of the opponent; the same one can come again after a reconnection.
    Received(Message),
    /// The opponent's client has the message.
    Delivered(MessageId),
    /// The opponent's client refuses the message and won't get it again.
    Rejected { id: MessageId, reason: Refusal },
    /// A peer that we dialled doesn't take us for its opponent.
    Unwelcome { peer: PeerId, reason: Refusal },
    /// Someone sent what it shouldn't, and was refused.
    Refused {
        /// Who; with `opponent`, a peer that has proven to be the opponent.
        peer: PeerId,
        /// Whether it is the opponent.
        opponent: bool,
        offence: Offence,
    },
}

/// How to set up a link.
#[derive(Clone, Debug)]
pub struct LinkConfig {
    /// Who we are, in which game.
    pub identity: Identity,
    /// The opponent's address on the chain.
    pub opponent: Address,
    /// Where to listen, e.g. `/ip4/127.0.0.1/tcp/0` or `/ip4/0.0.0.0/udp/4040/quic-v1`.
    pub listen: Multiaddr,
    /// Where the opponent may be, e.g. `/ip4/192.0.2.1/tcp/4040/p2p/12D3Koo…`; dialled until it answers, and again.
    pub dial: Vec<Multiaddr>,
    /// Relays at which the opponent can reach us, e.g. `/ip4/192.0.2.9/tcp/4041/p2p/12D3Koo…`.
    pub relays: Vec<Multiaddr>,
    /// Whether to start although nobody can listen there now: it is tried again every few seconds.
    pub patient: bool,
    /// Which frames the game has, by its engine.
    pub frames: Frames,
}

/// The seat's end of a link. The link ends when all its handles, or its receiver, are dropped.
#[derive(Clone, Debug)]
pub struct LinkHandle {
    inputs: mpsc::Sender<Input>,
    places: mpsc::Sender<Vec<Multiaddr>>,
    addresses: watch::Receiver<Vec<Multiaddr>>,
    dialled: watch::Receiver<Vec<Multiaddr>>,
    peer: PeerId,
}

impl LinkHandle {
    /// Hands a message over. It will reach the opponent as long as the link lives; [`LinkEvent::Delivered`] tells when.
    pub async fn send(&self, message: Message) -> Result<(), LinkError> {
        message.check()?;
        self.tell(Input::Send(message)).await
    }

    /// Has messages wait in the link, or sends them again.
    pub async fn hold(&self, is_held: bool) -> Result<(), LinkError> {
        self.tell(Input::Hold(is_held)).await
    }

    /// Has the link forget what was handed over: nothing of it will be sent, or sent again.
    pub async fn forget(&self) -> Result<(), LinkError> {
        self.tell(Input::Forget).await
    }

    async fn tell(&self, input: Input) -> Result<(), LinkError> {
        self.inputs.send(input).await.map_err(|_| LinkError::Closed)
    }

    /// The opponent may be at these addresses too. Those that can't be dialled are left out.
    pub async fn look_at(&self, mut places: Vec<Multiaddr>) -> Result<(), LinkError> {
        places.retain(is_dialable);
        self.places.send(places).await.map_err(|_| LinkError::Closed)
    }

    /// The addresses that we listen on, relays' too, with our peer id: what an opponent dials.
    pub fn addresses(&self) -> Vec<Multiaddr> {
        let peer = P::P2p(self.peer);
        let addresses = self.addresses.borrow();
        addresses.iter().map(|a| address::without_peer(a).with(peer.clone())).collect()
    }

    /// Every address that this link has dialled (the first 64), without peers.
    pub fn dialled(&self) -> Vec<Multiaddr> {
        self.dialled.borrow().clone()
    }
}

/// Starts a link on the current tokio runtime; returns once it listens.
///
/// # Errors
///
/// If an address is none that the link can use, or nobody can listen there.
pub async fn spawn(config: LinkConfig) -> Result<(LinkHandle, mpsc::Receiver<LinkEvent>), LinkError> {
    if let Some(wrong) = config.dial.iter().find(|address| !is_dialable(address)) {
        return Err(LinkError::Dial(wrong.clone()));
    }
    if let Some(wrong) = config.relays.iter().find(|address| relay_peer(address).is_none()) {
        return Err(LinkError::Relay(wrong.clone()));
    }
    let punching = !config.relays.is_empty() || config.dial.iter().any(is_relayed);
    let mut swarm = network::swarm(&config.identity, config.frames, punching)?;
    let place = match network::listen(&mut swarm, config.listen.clone()).await {
        Ok(place) => place,
        Err(LinkError::Listen { address, .. }) if config.patient => network::Place { address, listener: None },
        Err(error) => return Err(error),
    };
    let (input_sender, inputs) = mpsc::channel(MESSAGE_CAPACITY);
    let (place_sender, places) = mpsc::channel(MESSAGE_CAPACITY);
    let (events, event_receiver) = mpsc::channel(EVENT_CAPACITY);
    let (address_sender, addresses) = watch::channel(swarm.listeners().cloned().collect());
    let (dialled_sender, dialled) = watch::channel(Vec::new());
    let peer = *swarm.local_peer_id();
    let handle = LinkHandle { inputs: input_sender, places: place_sender, addresses, dialled, peer };
    let channels = task::Channels { inputs, places, events, addresses: address_sender, dialled: dialled_sender };
    tokio::spawn(task::Task::new(swarm, config, place, channels).run());
    Ok((handle, event_receiver))
}
