//! What goes into a link's machine and what comes out of it.

use libp2p::Multiaddr;
use libp2p::PeerId;
use libp2p::swarm::ConnectionId;

use crate::link::LinkEvent;
use crate::link::codec::Packet;
use crate::link::frame::Ack;
use game::Message;

/// Numbers the streams that a machine has asked for.
pub type StreamId = u64;

/// What happens to a link.
#[derive(Clone, Debug)]
pub enum Input {
    /// A connection with a peer is up; opened by us if there is an address that we dialled.
    Connected {
        /// The peer, whose key the transport has checked.
        peer: PeerId,
        /// The address that we dialled.
        dialled: Option<Multiaddr>,
    },
    /// The last connection with a peer is gone.
    Disconnected(PeerId),
    /// A peer has opened a stream and sent this; [`Effect::Answer`] answers it, and without one it is closed unanswered.
    Packet {
        peer: PeerId,
        /// The connection that the stream belongs to.
        connection: ConnectionId,
        packet: Packet,
    },
    /// A peer has answered what was sent on a stream.
    Acknowledged { peer: PeerId, stream: StreamId, ack: Ack },
    /// What was sent on a stream may not have come, and no answer will.
    Failed { peer: PeerId, stream: StreamId, failure: Failure },
    /// A message of the seat, to be sent.
    Send(Message),
    /// Messages wait until it is said otherwise, or don't any more.
    Hold(bool),
    /// No message is sent again, nor for the first time.
    Forget,
    /// Time passes. Comes at least every [`TICK`](super::TICK).
    Tick,
}

/// Why a stream came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Its connection was closed.
    Closed,
    /// The peer didn't answer in time, or doesn't speak the link's protocol.
    NoAnswer,
    Other,
}

/// What a link wants done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a packet to a peer, on a stream of its own. It is answered by [`Input::Acknowledged`] or [`Input::Failed`].
    Send {
        peer: PeerId,
        stream: StreamId,
        packet: Packet,
    },
    /// Answer the packet that has just come in.
    Answer(Ack),
    /// Close all connections with a peer.
    Disconnect(PeerId),
    /// This peer is the opponent: the gate favours it, and it may name places for a direct connection.
    Trust(PeerId),
    /// The opponent came or went: addresses are dialled with the shortest pause, if there is need.
    DialAnew,
    /// The opponent was reached by dialling this address. If it is one that the user gave, or stands for one, the seat is told that.
    Reached(Multiaddr),
    Tell(LinkEvent),
}
