//! What a seat is told and what it wants done (architecture, "Seat"). The runtime turns link, chain, prover, clock and
//! keyboard into events, and carries out the effects **in their order**: an [`Effect::Journal`] is on disk before the
//! effect after it begins. Nothing here does I/O.

use crate::journal::Entry;
use fog::statement::{
    answer::{AnswerPrivate, AnswerPublic},
    turn::{TurnPrivate, TurnPublic},
};
use game::{ChainEvent, Command, Message, MoveFields, Notice, Phase, Transaction, WireError};
use std::fmt;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The chain tells something that is **final** (N blocks deep, per chain). In order; repeats are ignored.
    Final(ChainEvent),
    /// A move is in a block that isn't final yet. Only shown, and remembered if it is one's own.
    Seen(MoveFields),
    /// A move told by [`Event::Seen`] is no longer on the chain.
    Dropped {
        /// Its ply.
        ply: u16,
    },
    /// The link is up (again).
    Connected,
    /// A message of the opponent's seat.
    Received(Message),
    /// Bytes of the opponent that are no message.
    Unreadable(WireError),
    /// The turn proof is made.
    TurnProved {
        /// Of which ply.
        ply: u16,
        /// The proof.
        proof: Vec<u8>,
    },
    /// The turn proof could not be made.
    TurnFailed {
        /// Of which ply.
        ply: u16,
        /// Why.
        reason: String,
    },
    /// An answer proof is made.
    AnswerProved {
        /// The receiver's ply.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
        /// The proof.
        proof: Vec<u8>,
    },
    /// An answer proof could not be made; it is asked for again at the next tick.
    AnswerFailed {
        /// The receiver's ply.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
        /// Why.
        reason: String,
    },
    /// The result of [`Effect::VerifyAnswer`].
    AnswerChecked {
        /// The number of the check.
        check: u64,
        /// Whether the proof verified.
        valid: bool,
    },
    /// A transaction was refused or lost. It is sent again later unless the chain moves on.
    TransactionFailed {
        /// Why.
        reason: String,
    },
    /// The user wants something.
    Command(Command),
    /// Time passes.
    Tick {
        /// Unix time in seconds.
        now: u64,
        /// When the time of the player to act runs out, by the contract's clock.
        deadline: Option<u64>,
    },
}

/// Something to be done.
#[derive(Clone)]
pub enum Effect {
    /// Write this down before anything after it.
    Journal(Entry),
    /// Make a turn proof; tell [`Event::TurnProved`] or [`Event::TurnFailed`].
    ProveTurn {
        /// Of which ply.
        ply: u16,
        /// The statement.
        public: Box<TurnPublic>,
        /// Its witness.
        private: Box<TurnPrivate>,
    },
    /// Make an answer proof; tell [`Event::AnswerProved`] or [`Event::AnswerFailed`].
    ProveAnswer {
        /// The receiver's ply.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
        /// The statement.
        public: Box<AnswerPublic>,
        /// Its witness.
        private: Box<AnswerPrivate>,
    },
    /// Verify the opponent's answer proof; tell [`Event::AnswerChecked`].
    VerifyAnswer {
        /// To be told back.
        check: u64,
        /// The statement.
        public: Box<AnswerPublic>,
        /// The proof.
        proof: Vec<u8>,
    },
    /// Send a transaction. Repeats carry the same content: one that is already on its way need not be sent twice.
    SendTransaction(Transaction),
    /// Send this to the opponent's seat; it may get lost.
    SendMessage(Message),
    /// Tell the player.
    Notify(Notice),
}

/// In a word or two, for logs: the statements and messages themselves run to thousands of numbers.
impl fmt::Debug for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(entry) => write!(f, "Journal(ply {})", entry.ply()),
            Self::ProveTurn { ply, .. } => write!(f, "ProveTurn(ply {ply})"),
            Self::ProveAnswer { ply, phase, .. } => write!(f, "ProveAnswer({phase:?}, ply {ply})"),
            Self::VerifyAnswer { check, .. } => write!(f, "VerifyAnswer(check {check})"),
            Self::SendTransaction(Transaction::Move { fields, .. }) => {
                write!(f, "SendTransaction(move {})", fields.ply)
            }
            Self::SendTransaction(transaction) => write!(f, "SendTransaction({transaction:?})"),
            Self::SendMessage(message) => write!(f, "SendMessage({})", message.id()),
            Self::Notify(notice) => write!(f, "Notify({notice:?})"),
        }
    }
}
