//! What a seat is told and what it wants done (architecture, "Seat"). The runtime turns link, chain, prover, clock and
//! keyboard into events, and carries out the effects **in their order**: an [`Effect::Journal`] is on disk before the
//! effect after it begins. Nothing here does I/O.

use super::chain_event::{ChainEvent, MoveFields, Outcome};
use super::fault::PeerFault;
use crate::journal::Entry;
use crate::link::{Message, Phase, WireError};
use alloy::primitives::B256;
use fog::statement::{
    answer::{AnswerPrivate, AnswerPublic},
    turn::{TurnPrivate, TurnPublic},
};
use halo2curves::bn256::Fr;
use rules::{Color, Move, Side, Sight, Square};
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

/// What a user can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play this move, perhaps with a draw offer.
    Move {
        /// The move.
        mv: Move,
        /// Whether to offer a draw with it.
        offer_draw: bool,
    },
    /// Don't wait for the points of the opponent's request; it will get no sight with this move.
    DontWait,
    /// Give up.
    Resign,
    /// Accept the draw that the opponent's last move offered.
    AcceptDraw,
    /// Claim the game, the opponent's time having run out.
    ClaimTimeout,
    /// After the game: let everybody see one's own side of it.
    PublishViewKey,
    /// After the game: fetch what is due.
    Withdraw,
    /// Show the board again.
    Show,
}

/// Why a command wasn't carried out. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// There is no board yet.
    #[error("the game has not begun")]
    NotBegun,
    /// There is no game any more.
    #[error("the game is over")]
    Over,
    /// The game goes on.
    #[error("the game is not over")]
    NotOver,
    /// The opponent is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// Protocol, section 6: nothing is sent on the strength of an unproven sight.
    #[error("your sight of this position is not proven yet; wait for the opponent's answer")]
    SightNotProven,
    /// A seat signs one move a ply.
    #[error("you have already chosen {mv} for this move")]
    AlreadyChosen {
        /// The chosen move.
        mv: Move,
    },
    /// Not among the legal moves.
    #[error("{mv} is not a legal move here")]
    Illegal {
        /// The move.
        mv: Move,
    },
    /// No draw offer stands.
    #[error("no draw is offered")]
    NoDrawOffered,
    /// The opponent's time has not run out.
    #[error("the opponent's time has not run out")]
    NotTimedOut,
    /// The move could not be put together; a defect of this program.
    #[error("the move could not be prepared: {0}")]
    Internal(String),
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
    /// Tell the user.
    Show(Update),
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
            Self::Show(update) => write!(f, "Show({update:?})"),
        }
    }
}

/// What a seat asks of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transaction {
    /// Open the creator's half of the coin toss.
    Reveal {
        /// The half.
        r1: B256,
    },
    /// Move.
    Move {
        /// The public fields.
        fields: MoveFields,
        /// The `ctx` that the answer in it is for.
        ctx_next: Fr,
        /// The turn proof.
        proof: Vec<u8>,
    },
    /// Give up.
    Resign,
    /// Accept a draw.
    AcceptDraw,
    /// Claim the win on time.
    ClaimTimeout,
    /// Publish the view key.
    PublishViewKey {
        /// The key.
        key: [u8; 32],
    },
    /// Fetch what is due.
    Withdraw,
}

/// A board to be shown: own pieces, and what they see of the opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The ply of the own move that this is the sight before or after.
    pub ply: u16,
    /// Before or after it; always proven.
    pub phase: Phase,
    /// Own pieces and rights.
    pub side: Side,
    /// What they see; nothing on a player's first move.
    pub sight: Option<Sight>,
    /// The moves to choose from, if it is one's turn.
    pub legal: Vec<Move>,
}

/// Something the user should know.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// The game begins, or goes on after a restart.
    Playing {
        /// One's colour.
        color: Color,
        /// The ply to come.
        ply: u16,
    },
    /// A board.
    View(Box<View>),
    /// The opponent's answer has come and its proof is being checked; nothing of it has been opened.
    CheckingSight {
        /// The receiver's ply.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
    },
    /// The opponent's move is in a block.
    OpponentSeen {
        /// Its ply.
        ply: u16,
    },
    /// The opponent's move is final.
    OpponentMoved {
        /// Its ply.
        ply: u16,
        /// On which square it captured.
        capture: Option<Square>,
        /// Whether it offers a draw.
        draw_offered: bool,
    },
    /// The opponent has moved without giving a sight. It has had one's request or says that it has not.
    NoSightPosted {
        /// The own ply that lacks it.
        ply: u16,
    },
    /// The move waits for the points of the opponent's request, without which no sight can be given.
    AwaitingRequest {
        /// The chosen move.
        mv: Move,
    },
    /// The points never came, time runs out: the move goes without a sight for the opponent.
    MovingWithoutAnswer {
        /// The chosen move.
        mv: Move,
    },
    /// The move is being proven.
    Proving {
        /// The ply.
        ply: u16,
        /// The chosen move.
        mv: Move,
    },
    /// The move is signed and on its way.
    Sent {
        /// The ply.
        ply: u16,
        /// The move.
        mv: Move,
    },
    /// One's own move is final.
    Moved {
        /// The ply.
        ply: u16,
        /// The move.
        mv: Move,
        /// On which square it captured.
        capture: Option<Square>,
    },
    /// A move that was in a block is not any more.
    Reorganised {
        /// Its ply.
        ply: u16,
    },
    /// The opponent's message was refused.
    Fault(PeerFault),
    /// The command wasn't carried out.
    Refused(CommandError),
    /// A proof or a transaction failed on this side.
    Failed(String),
    /// The opponent's time has run out and can be claimed.
    OpponentOutOfTime,
    /// Own moves on chain can't be found with this wallet: it isn't the one that played them.
    NotThisWallet {
        /// The ply that couldn't be found.
        ply: u16,
    },
    /// The chain told something that can't be; another contract, or a defect.
    ChainRefused(String),
    /// Something of the journal could not be used.
    JournalNote(String),
    /// The game has ended.
    Over(Outcome),
}
