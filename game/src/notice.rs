//! What happens in a game as one player is told it: the one vocabulary of seat, runtime, terminal, bot, page, `--json` and
//! tests. Plain values; words belong to whoever shows them.

use crate::{Action, Clocks, CommandError, Ending, MessageId, PeerFault, Phase, View};
use alloy_primitives::B256;
use rules::{Color, Move, Square};

/// Something that happened. Times are in seconds since 1970 unless said otherwise, plies count from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// Nobody has joined the game yet.
    Waiting,
    /// The link listens here.
    Listening(Vec<String>),
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
    /// A transaction of this player is in a block.
    Mined {
        /// What it does.
        action: Action,
        /// Its hash.
        transaction: B256,
        /// Gas used.
        gas: u64,
        /// Bytes of its calldata.
        calldata_bytes: usize,
        /// What it cost, in wei.
        fee_wei: u128,
    },
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
    Over(Ending),
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
