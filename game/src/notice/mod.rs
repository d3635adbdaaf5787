//! What happens in a game, for one player: the one vocabulary of seat, runtime, terminal, bot, page, `--json` and
//! tests. Plain values; what they are made of is in `parts.rs`, the JSON form in `json.rs`, sentences for what needs some in `text.rs`.

mod json;
mod parts;
pub(crate) mod shape;
mod text;

pub(crate) use json::When;
pub use json::{VERSION, schema};
pub use parts::{Doubt, LinkState, NodeState, PlyFault, ProofJob, Waking};
pub use text::EXCHANGE_GAS;

use crate::as_text::AsText;
use crate::{
    Action, Awaiting, Clocks, CommandError, Ending, Introduction, MessageKind, Outcome, Past, PeerFault, Phase, View,
};
use alloy_primitives::B256;
use rules::{Color, Move, PieceType, Square};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that happened. Times are in seconds since 1970 unless said otherwise, plies count from 0. A field `text` is a sentence for the player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(tag = "event")]
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
    Listening {
        addresses: Vec<String>,
    },
    /// The opponent is there, and has proven who it is.
    Connected,
    /// The opponent's machine is gone; it is dialled again or may dial.
    Disconnected,
    /// How the opponent's machine is reached, whenever that changes.
    Link {
        state: LinkState,
        /// How often it was dialled since it was there, while it is: told for the first time, the second, the fourth, the eighth and so on.
        tries: u32,
        /// Since when it is there.
        since: Option<u64>,
    },
    /// A peer was turned away, or turned this side away.
    LinkTrouble {
        text: String,
    },
    /// The node can't be asked and is asked again, or a transaction of the wallet is slow.
    ChainTrouble {
        text: String,
    },
    /// The clocks, as of the latest block.
    Clocks {
        /// Seconds left to White.
        white: u64,
        /// Seconds left to Black.
        black: u64,
        /// Whose clock runs, or will; none before the coin toss.
        #[schemars(with = "Option<shape::Color>")]
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
        #[schemars(with = "String")]
        transaction: B256,
        gas: u64,
        /// Bytes of its calldata.
        calldata_bytes: usize,
        /// What it cost, in wei.
        #[serde(with = "AsText")]
        fee_wei: u128,
    },
    /// Where the chain is, once a block.
    Chain {
        /// The latest block that the node tells of.
        head: u64,
        last_final: u64,
        /// The chain's time now.
        now: u64,
        /// What gas costs at least, in wei; 0 where the chain has no such price.
        #[serde(with = "AsText")]
        base_fee_wei: u128,
        /// The nodes that this machine asks and compares.
        nodes: Vec<NodeState>,
    },
    /// This player's money, whenever it was looked at and has changed: at the start, and once a transaction is in a block.
    Money {
        /// What the wallet has, in wei.
        #[serde(with = "AsText")]
        wallet_wei: u128,
        /// What the contract owes it, in wei, from all its games.
        #[serde(with = "AsText")]
        owed_wei: u128,
        /// Its stake in this game while that goes on, in wei.
        #[serde(with = "AsText")]
        staked_wei: u128,
        /// What its open demands and claims in this game hold, in wei.
        #[serde(with = "AsText")]
        bonded_wei: u128,
    },
    /// A bond of this player is settled: so much of it is owed to it again.
    BondBack {
        /// How much, in wei.
        #[serde(with = "AsText")]
        wei: u128,
    },
    /// What the contract owed this player was fetched.
    Fetched {
        /// How much, in wei.
        #[serde(with = "AsText")]
        wei: u128,
    },
    /// Who plays whom, for what: before the game begins, and after a restart.
    Game(Box<Introduction>),
    /// The game begins, or goes on after a restart.
    Playing {
        #[schemars(with = "shape::Color")]
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
        #[schemars(with = "Option<String>")]
        capture: Option<Square>,
        /// Whether it offers a draw.
        draw_offered: bool,
        /// What this player lost there.
        #[schemars(with = "Option<shape::Piece>")]
        lost: Option<PieceType>,
    },
    /// The opponent has moved without giving a sight. It has had this player's request or says that it has not.
    NoSightPosted {
        /// The own ply that lacks it.
        ply: u16,
    },
    /// The move waits for the points of the opponent's request, without which no sight can be given.
    AwaitingRequest {
        #[serde(rename = "move", with = "AsText")]
        mv: Move,
    },
    /// The points never came, time runs out: the move goes without a sight for the opponent.
    MovingWithoutAnswer {
        #[serde(rename = "move", with = "AsText")]
        mv: Move,
    },
    /// The move is being proven.
    Proving {
        ply: u16,
        #[serde(rename = "move", with = "AsText")]
        mv: Move,
    },
    /// The move is signed and on its way.
    Sent {
        ply: u16,
        #[serde(rename = "move", with = "AsText")]
        mv: Move,
    },
    /// The own move is final.
    Moved {
        ply: u16,
        #[serde(rename = "move", with = "AsText")]
        mv: Move,
        /// On which square it captured.
        #[schemars(with = "Option<String>")]
        capture: Option<Square>,
        /// What it captured there, as far as this machine remembers its sight.
        #[schemars(with = "Option<shape::Piece>")]
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
    Fault {
        #[schemars(with = "serde_json::Value")]
        fault: PeerFault,
    },
    /// The seat carries out the command that was given with this number.
    Accepted {
        id: u64,
    },
    /// The command wasn't carried out; nothing was sent.
    Refused {
        /// The number that the command was given with, if it was given with one.
        id: Option<u64>,
        error: CommandError,
    },
    /// A proof or a transaction failed on this side; the seat tries again where that helps.
    Failed {
        reason: String,
    },
    /// The proof of the opponent's move is false, though the contract has taken it.
    FalseMove {
        ply: u16,
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
        #[serde(rename = "move", with = "AsText")]
        mv: Move,
    },
    /// A move isn't signed before the player gives it again: there may be another one of its ply.
    ConfirmMove {
        /// The ply that the move is for.
        ply: u16,
        /// The move that the player wants.
        #[serde(rename = "move", with = "AsText")]
        mv: Move,
        /// Why there may be another one.
        doubt: Doubt,
    },
    /// A game between the machines is being woken: it goes on on the chain.
    Waking {
        /// The ply to come in the position that it is woken at.
        ply: u16,
        why: Waking,
    },
    /// A game between the machines was woken, by whomever. Nothing can be done in it until its contest is over.
    Woken {
        /// The ply to come in the position that stands on the chain.
        ply: u16,
        /// How many plies this machine has, of which one may have to be made again, on the chain.
        plies: u16,
        /// Whether this player's latest position isn't on the chain, and is being brought there.
        contested: bool,
        /// Until when a later position may take its place, since 1970.
        until: u64,
    },
    /// The contest of a woken game is over: from here on it is played on the chain.
    Awake {
        /// The ply to come.
        ply: u16,
    },
    /// This player has signed how a game between the machines ended, and signs nothing more in it.
    ResultSigned {
        #[serde(with = "AsText")]
        outcome: Outcome,
    },
    /// The opponent has signed how a game between the machines ended, and the chain is told.
    Closing {
        #[serde(with = "AsText")]
        outcome: Outcome,
    },
    /// What the opponent has signed for a ply isn't taken: as if it had not come.
    PlyRefused {
        ply: u16,
        why: PlyFault,
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
    /// A claim of fifty moves was shown to be wrong: the game goes on.
    FiftyFailed {
        /// Whether it was this player's.
        own: bool,
        /// The first ply at which who has claimed may claim again.
        claims_from: u16,
    },
    /// A player has published its view key, with which everybody can replay its side.
    ViewKey {
        /// Whether it is this player's.
        own: bool,
    },
    /// The game is over and its fog lifted: the opponent has published its view key, by which all moves are known. Told again when it
    /// corrects the key.
    Replay {
        /// The moves, White's first, as far as the key opens them.
        #[schemars(with = "Vec<String>")]
        moves: Vec<Move>,
        /// Why the key opens no more of them; none for an honest game.
        fault: Option<String>,
    },
    /// The game is over, and the opponent has opened another one for this player, on the same terms.
    RematchOpened {
        #[schemars(with = "String")]
        game: B256,
    },
    /// The opponent has taken back the game that it had opened for a rematch, or it can't be joined any more.
    RematchWithdrawn,
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
    ChainRefused {
        reason: String,
    },
    /// Something of the journal could not be used.
    JournalNote {
        text: String,
    },
    /// The game has ended.
    Over(Ending),
    /// A proof is being made.
    Proof {
        /// Which transaction or message it is for.
        job: ProofJob,
        /// The ply of the own move that it proves or, of an answer, of the opponent's that it shows the board of.
        ply: u16,
        /// The stages that are done, of as many as there are.
        stage: u8,
        stages: u8,
        elapsed_ms: u64,
        /// How long the last proof of this kind took, if this machine has made one.
        expected_ms: Option<u64>,
    },
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

impl Notice {
    /// The clocks of a game at a time of the chain.
    pub fn clocks(clocks: Clocks, now: u64) -> Self {
        let Clocks { left: [white, black], turn, runs_from, hold, deadline } = clocks;
        Self::Clocks { white, black, turn, runs_from, hold, deadline, now }
    }
}
