//! What notices are made of that is nothing elsewhere: states of links and nodes, and reasons.

use derive_more::Display;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a proof is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofJob {
    Move,
    /// A sight for the opponent.
    Answer,
}

/// How the opponent's machine is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// There is no link: the game goes on through the chain.
    Off,
    /// It isn't there, and is dialled or may dial.
    Dialling,
    /// It is reached through a relay.
    Relayed,
    Direct,
}

/// How one of the nodes stands that a player has named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NodeState {
    /// Without the rest of its address, which may be a key.
    pub host: String,
    /// Whether it is the one that is asked; the others are compared with it.
    pub asked: bool,
    /// Whether it has not answered lately.
    pub silent: bool,
}

// It is displayed as what follows on "because".
/// Why a game between the machines is woken.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Waking {
    /// The opponent's time is up, by this machine's measure.
    #[display("the opponent's time is up")]
    OpponentOutOfTime,
    /// The sight that the own move needs has not come.
    #[display("the opponent doesn't give the sight that your move needs")]
    NoSight,
    /// The opponent has lost its king and doesn't sign that.
    #[display("the opponent doesn't sign the loss of its king")]
    NoResult,
    /// The opponent's request can't be answered.
    #[display("the opponent's request can't be answered")]
    BadRequest,
    /// The plies can't be counted further.
    #[display("its moves can't be counted further")]
    TooLong,
    /// The draw that was agreed isn't closed.
    #[display("the result isn't on the chain")]
    NotClosed,
    /// A claim must be made on the chain.
    #[display("a claim is made there")]
    Claim,
    /// There is no link any more.
    #[display("there is no link any more")]
    NoLink,
    /// A wake was seen, and is on the chain no more.
    #[display("the chain has taken a wake back")]
    TakenBack,
    /// A wake was sent before a restart.
    #[display("this machine had begun to wake it")]
    Again,
    /// This machine has lost some of the game, and the opponent shows no more of it.
    #[display("this machine has lost some of it, and the opponent shows no more")]
    Behind,
}

// It is displayed as what follows on a colon.
/// Why a signed ply of the opponent isn't taken.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlyFault {
    /// It can't follow on the plies before it.
    #[display("it can't follow on the moves before it")]
    Impossible,
    /// The signature isn't the opponent's under that position.
    #[display("the signature isn't the opponent's under that position")]
    Signature,
    /// The points of its request aren't those of the root that it declares, or can't be answered.
    #[display("the points of its request are wrong")]
    Points,
    /// It carries no root of an answer.
    #[display("it promises no sight")]
    NoAnswer,
    /// Its clock is better than it can be.
    #[display("its clock shows more than is left by this machine's measure")]
    Clock,
    /// The proof is false.
    #[display("its proof is false")]
    Proof,
    /// Another one of that ply was signed before: kept as evidence.
    #[display("another move was signed in its place before")]
    Another,
}

/// Why a player is asked before a move is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// The journal can't be written: a restart would forget the move.
    Unwritten,
    /// The wallet has sent something that this machine doesn't remember, perhaps another move of this ply.
    Sent,
}
