//! What happens in a game, for one player: the one vocabulary of seat, runtime, terminal, bot, page, `--json` and
//! tests. Plain values; the sentences for a player are made by whoever shows them. The JSON form is in `json.rs`.

mod json;

pub use json::EXCHANGE_GAS;
pub(crate) use json::{When, text};

use crate::{Action, Awaiting, CommandError, Ending, Introduction, MessageKind, Past, PeerFault, Phase, View};
use alloy_primitives::B256;
use rules::{Color, Move, PieceType, Square};
use serde::{Deserialize, Serialize};

/// Why a player is asked before a move is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// The journal can't be written: a restart would forget the move.
    Unwritten,
    /// The wallet has sent something that this machine doesn't remember, perhaps another move of this ply.
    Sent,
}

/// Something that happened. Times are in seconds since 1970 unless said otherwise, plies count from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Nobody has joined the game yet.
    Waiting,
    /// The game goes on once a block is final.
    AwaitingFinality {
        block: u64,
        /// The chain's last final block.
        last_final: Option<u64>,
    },
    /// The link listens at these multiaddresses.
    #[serde(with = "json::addresses")]
    Listening(Vec<String>),
    /// The opponent is there, and has proven who it is.
    Connected,
    /// The opponent's machine is gone; it is dialled again or may dial.
    Disconnected,
    /// A peer was turned away, or turned this side away.
    #[serde(with = "json::reason")]
    LinkTrouble(String),
    /// The node can't be asked and is asked again, or a transaction of the wallet is slow.
    #[serde(with = "json::reason")]
    ChainTrouble(String),
    /// The clocks, as of the latest block.
    Clocks {
        /// Seconds left to White.
        white: u64,
        /// Seconds left to Black.
        black: u64,
        /// Whose clock runs, or will; none before the coin toss.
        turn: Option<Color>,
        /// When it starts to run, or when it did.
        runs_from: u64,
        /// While an open demand or claim stops it: the last second to answer that.
        hold: Option<u64>,
        /// The game's earliest deadline: the last second in which who must act is in time.
        deadline: u64,
        /// The chain's time now.
        now: u64,
    },
    /// A transaction of this player is in a block.
    Mined {
        action: Action,
        /// The ply of a move.
        ply: Option<u16>,
        transaction: B256,
        gas: u64,
        /// Bytes of its calldata.
        calldata_bytes: usize,
        /// What it cost, in wei.
        #[serde(with = "text")]
        fee_wei: u128,
    },
    /// What the contract owed this player was fetched.
    Fetched {
        /// How much, in wei.
        #[serde(with = "text")]
        wei: u128,
    },
    /// Who plays whom, for what: before the game begins, and before it goes on after a restart.
    Game(Box<Introduction>),
    /// The game begins, or goes on after a restart.
    Playing {
        color: Color,
        /// The ply to come.
        ply: u16,
    },
    /// Whom the game waits for, whenever that changes.
    Awaiting(Awaiting),
    View(Box<View>),
    /// The opponent's answer has come and its proof is being checked; nothing of it has been opened.
    #[serde(rename = "checking")]
    CheckingSight {
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
    },
    /// The opponent's move is in a block that isn't final.
    OpponentSeen {
        ply: u16,
    },
    /// The opponent's move is final.
    OpponentMoved {
        ply: u16,
        /// On which square it captured.
        capture: Option<Square>,
        /// Whether it offers a draw.
        draw_offered: bool,
        /// What this player lost there.
        lost: Option<PieceType>,
    },
    /// The opponent has moved without giving a sight. It has had this player's request or says that it has not.
    NoSightPosted {
        /// The own ply that lacks it.
        ply: u16,
    },
    /// The move waits for the points of the opponent's request, without which no sight can be given.
    AwaitingRequest {
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The points never came, time runs out: the move goes without a sight for the opponent.
    MovingWithoutAnswer {
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The move is being proven.
    Proving {
        ply: u16,
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The move is signed and on its way.
    Sent {
        ply: u16,
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The own move is final.
    Moved {
        ply: u16,
        #[serde(rename = "move")]
        mv: Move,
        /// On which square it captured.
        capture: Option<Square>,
        /// What it captured there, as far as this machine remembers its sight.
        captured: Option<PieceType>,
        /// Whether it offers a draw.
        draw_offered: bool,
    },
    /// The plies that are final, the first first: when the game goes on after a restart, and when it is over.
    History {
        plies: Vec<Past>,
    },
    /// A move that was in a block is not any more.
    Reorganised {
        ply: u16,
    },
    /// The opponent's message was refused.
    #[serde(with = "json::fault")]
    Fault(PeerFault),
    /// The command wasn't carried out; nothing was sent.
    #[serde(with = "json::refused")]
    Refused(CommandError),
    /// A proof or a transaction failed on this side; the seat tries again where that helps.
    #[serde(with = "json::reason")]
    Failed(String),
    /// The proof of the opponent's move is false.
    FalseMove {
        ply: u16,
        /// Whether the contract hasn't verified it, so that it loses the opponent the game.
        can_refute: bool,
    },
    /// A sight is overdue and is being demanded through the chain.
    DemandingSight {
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
    },
    /// A sight was demanded through the chain.
    SightDemanded {
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
        /// Whether by this player.
        own: bool,
        /// The last second to give it, since 1970.
        deadline: u64,
    },
    /// A sight was given through the chain.
    SightAnswered {
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
        /// Whether to this player.
        own: bool,
    },
    /// The opponent is to be given a sight in a position, and was given one in its place in another: it isn't given.
    AnotherPosition {
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
    },
    /// A move that this player has signed was made in another position than the chain has now: it isn't sent again.
    SignedInAnotherPosition {
        /// Its ply, for which another may be chosen.
        ply: u16,
        #[serde(rename = "move")]
        mv: Move,
    },
    /// A move isn't signed before the player gives it again: there may be another one of its ply.
    ConfirmMove {
        /// The ply that the move is for.
        ply: u16,
        /// The move that the player wants.
        #[serde(rename = "move")]
        mv: Move,
        /// Why there may be another one.
        doubt: Doubt,
    },
    /// A draw by fifty moves is claimed.
    FiftyClaimed {
        /// Whether by this player.
        own: bool,
        /// Whether this player's own state shows that it isn't so, and the answer is being made.
        disputed: bool,
        /// The last second to answer it, since 1970.
        deadline: u64,
    },
    /// A deadline of this player has passed: the opponent can claim the game.
    OutOfTime,
    /// A deadline of the opponent has passed, and the game is being claimed.
    OpponentOutOfTime,
    /// Own moves on chain can't be found with this wallet: it isn't the one that played them.
    NotThisWallet {
        /// The ply that couldn't be found.
        ply: u16,
    },
    /// The chain told something that can't be; another contract, or a defect.
    #[serde(with = "json::reason")]
    ChainRefused(String),
    /// Something of the journal could not be used.
    #[serde(with = "json::reason")]
    JournalNote(String),
    /// The game has ended.
    Over(Ending),
    /// A turn proof was made and verified.
    TurnProved {
        ply: u16,
        prove_s: f64,
        verify_ms: f64,
    },
    /// An answer proof was made.
    AnswerProved {
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
        prove_s: f64,
    },
    /// The opponent's answer proof was verified, rightly or not.
    AnswerVerified {
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
        verify_ms: f64,
    },
    /// A step of a session was run, of an engine other than sight-lines.
    Stepped {
        /// Of the set-up or of an exchange.
        kind: MessageKind,
        ply: u16,
        /// Before or after that move.
        #[serde(rename = "when", with = "When")]
        phase: Phase,
        /// Milliseconds of the process's processor time, on all cores.
        cpu_ms: f64,
    },
    /// A message was handed to the link.
    MessageSent {
        kind: MessageKind,
        ply: u16,
        #[serde(rename = "when", with = "When")]
        phase: Phase,
        /// Its bytes on the wire.
        bytes: usize,
    },
    MessageReceived {
        kind: MessageKind,
        ply: u16,
        #[serde(rename = "when", with = "When")]
        phase: Phase,
        /// Its bytes on the wire.
        bytes: usize,
    },
}
