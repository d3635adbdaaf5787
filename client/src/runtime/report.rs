//! What a runtime tells its user: the seat's updates, what was measured, and the state of chain and link. Plain values;
//! words and JSON belong to `cli`.

use crate::chain::{Clocks, Receipt};
use crate::link::{MessageId, Phase};
use crate::seat::{Transaction, Update};
use libp2p::Multiaddr;
use std::fmt;

/// Something to tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// Nobody has joined the game yet.
    Waiting,
    /// The link listens here.
    Listening(Vec<Multiaddr>),
    /// The opponent is there, and has proven who it is.
    Connected,
    /// The opponent's machine is gone; it is dialled again or may dial.
    Disconnected,
    /// A peer was turned away, or turned this side away.
    LinkTrouble(String),
    /// The node can't be asked; it is asked again.
    ChainTrouble(String),
    /// The clocks, by the chain.
    Clocks {
        /// As of the latest block.
        clocks: Clocks,
        /// The chain's time now, in seconds since 1970.
        now: u64,
    },
    /// A transaction of one's own is in a block.
    Mined {
        /// What it does.
        action: Action,
        /// Its receipt.
        receipt: Receipt,
    },
    /// Something was measured.
    Measured(Measurement),
    /// The seat tells something.
    Seat(Update),
}

/// What a transaction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Opens the coin toss.
    Reveal,
    /// Moves.
    Move {
        /// The ply.
        ply: u16,
    },
    /// Gives up.
    Resign,
    /// Accepts a draw.
    AcceptDraw,
    /// Claims the win on time.
    ClaimTimeout,
    /// Publishes the view key.
    PublishViewKey,
    /// Fetches what is due.
    Withdraw,
}

impl Action {
    /// What a transaction does.
    pub fn of(transaction: &Transaction) -> Self {
        match transaction {
            Transaction::Reveal { .. } => Self::Reveal,
            Transaction::Move { fields, .. } => Self::Move { ply: fields.ply },
            Transaction::Resign => Self::Resign,
            Transaction::AcceptDraw => Self::AcceptDraw,
            Transaction::ClaimTimeout => Self::ClaimTimeout,
            Transaction::PublishViewKey { .. } => Self::PublishViewKey,
            Transaction::Withdraw => Self::Withdraw,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reveal => f.write_str("opening the coin toss"),
            Self::Move { ply } => write!(f, "the move of ply {ply}"),
            Self::Resign => f.write_str("resigning"),
            Self::AcceptDraw => f.write_str("accepting the draw"),
            Self::ClaimTimeout => f.write_str("claiming the win on time"),
            Self::PublishViewKey => f.write_str("publishing the view key"),
            Self::Withdraw => f.write_str("withdrawing"),
        }
    }
}

/// Something measured on this side of the game. Seconds and milliseconds are of the work itself, without the waiting for
/// the prover to be free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measurement {
    /// A turn proof was made and verified.
    TurnProved {
        /// The ply.
        ply: u16,
        /// Seconds to prove.
        prove_s: f64,
        /// Milliseconds to verify.
        verify_ms: f64,
    },
    /// An answer proof was made.
    AnswerProved {
        /// The receiver's ply.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
        /// Seconds to prove.
        prove_s: f64,
    },
    /// The opponent's answer proof was verified, rightly or not.
    AnswerVerified {
        /// The receiver's ply.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
        /// Milliseconds to verify.
        verify_ms: f64,
    },
    /// A message was handed to the link.
    MessageSent {
        /// Which.
        id: MessageId,
        /// Its bytes on the wire.
        bytes: usize,
    },
    /// A message came.
    MessageReceived {
        /// Which.
        id: MessageId,
        /// Its bytes on the wire.
        bytes: usize,
    },
}
