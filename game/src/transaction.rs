//! What a seat asks of the game contract, freed from the chain's own formats (protocol, section 8).

use crate::{Demanded, GameResult, MoveFields, Phase, Position, Slot, move_name};
use alloy_primitives::B256;
use derive_more::Display;
use halo2curves::bn256::Fr;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a seat asks of the contract. It is displayed for a sentence such as "resigning: the node failed".
#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum Transaction {
    /// Reveal the creator's share of the coin toss.
    #[display("revealing the coin toss")]
    RevealCreator {
        share: B256,
        /// The joiner's commitment, for which it is revealed.
        joiner: B256,
    },
    /// Reveal the joiner's share of the coin toss.
    #[display("revealing the coin toss")]
    RevealJoiner { share: B256 },
    #[display("{}", move_name(fields.ply))]
    Move {
        fields: MoveFields,
        /// What it rests on.
        basis: B256,
        proof: Vec<u8>,
    },
    #[display("resigning")]
    Resign,
    #[display("accepting the draw")]
    AcceptDraw {
        /// The ply to be played in the position meant.
        ply: u16,
        /// The opponent's commitment in it.
        commitment: Fr,
    },
    #[display("demanding the sight of {}", move_name(*ply))]
    DemandSight {
        /// Before the own move, or after it.
        phase: Phase,
        /// The ply of the own move.
        ply: u16,
        /// The own request's points on the wire.
        points: Vec<u8>,
        /// The proof of *request data*.
        proof: Vec<u8>,
    },
    /// Give a demanded sight.
    #[display("answering for the sight of {}", move_name(demanded.ply))]
    AnswerSight {
        demanded: Demanded,
        answer_root: Fr,
        /// The answer on the wire, without a proof.
        elements: Vec<u8>,
        /// The proof of the on-chain *answer*.
        proof: Vec<u8>,
    },
    /// Post the root of an answer that the last own move did not carry.
    #[display("posting the answer for {}", move_name(*ply))]
    FillAnswer {
        /// The ply to be played by it.
        ply: u16,
        /// What it is bound to.
        ctx: Fr,
        answer_root: Fr,
    },
    /// Claim a draw by fifty moves.
    #[display("claiming fifty moves")]
    ClaimFifty {
        /// The ply to come.
        ply: u16,
        /// The proof of *fifty*.
        proof: Vec<u8>,
    },
    /// Answer the opponent's claim of fifty moves.
    #[display("answering the claim of fifty moves")]
    RespondFifty {
        /// Whether the own state counts fifty at least.
        at_least_fifty: bool,
        /// The proof of *fifty*.
        proof: Vec<u8>,
    },
    /// Claim a draw for want of a move.
    #[display("claiming that there is no move")]
    ClaimNoMove {
        /// The ply to come.
        ply: u16,
        /// The proof of *no move*.
        proof: Vec<u8>,
    },
    /// Have a game between the machines stand at a position on the chain, or at a later one than it does.
    #[display("waking the game at {}", move_name(position.ply))]
    Wake {
        position: Box<Position>,
        /// The creator's and the joiner's, as far as they are needed.
        signatures: [Option<[u8; 64]>; 2],
    },
    /// End a game between the machines by what its players have signed.
    #[display("closing the game")]
    Close {
        result: GameResult,
        /// The creator's and the joiner's, as far as they are needed.
        signatures: [Option<[u8; 64]>; 2],
    },
    /// Claim what a passed deadline has decided.
    #[display("claiming what time has decided")]
    ClaimTimeout,
    /// Take back a bond that nobody earned.
    #[display("taking the bond back")]
    Reclaim(Slot),
    /// Publish the view key.
    #[display("publishing the view key")]
    PublishViewKey {
        key: [u8; 32],
        /// The plies of a game between the machines that are posted behind it ([`crate::channel_transcript`]), or nothing.
        transcript: Vec<u8>,
    },
    /// Fetch what is due.
    #[display("withdrawing")]
    Withdraw,
}

// It is displayed as a command is called, for a sentence such as "done: accept draw". (A doc comment would be a part of the schema.)
/// What a transaction does.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[display(rename_all = "lowercase")]
pub enum Action {
    /// Reveals a share of the coin toss.
    Reveal,
    Move,
    Resign,
    #[display("accept draw")]
    AcceptDraw,
    #[display("demand sight")]
    DemandSight,
    /// Gives a demanded sight.
    #[display("answer sight")]
    AnswerSight,
    /// Posts the root of an answer.
    #[display("fill answer")]
    FillAnswer,
    #[display("claim fifty moves")]
    ClaimFifty,
    /// Answers a claim of fifty moves.
    #[display("respond to fifty moves")]
    RespondFifty,
    /// Claims that there is no move.
    #[display("claim no move")]
    ClaimNoMove,
    /// Has a game between the machines stand at a position on the chain.
    Wake,
    /// Ends a game between the machines.
    Close,
    /// Claims what a passed deadline has decided.
    #[display("claim timeout")]
    ClaimTimeout,
    /// Takes back a bond.
    #[display("reclaim bond")]
    Reclaim,
    /// Publishes the view key.
    #[display("publish view key")]
    PublishViewKey,
    /// Fetches what is due.
    Withdraw,
}

impl Transaction {
    /// The kind of call that this transaction makes.
    pub fn action(&self) -> Action {
        match self {
            Self::RevealCreator { .. } | Self::RevealJoiner { .. } => Action::Reveal,
            Self::Move { .. } => Action::Move,
            Self::Resign => Action::Resign,
            Self::AcceptDraw { .. } => Action::AcceptDraw,
            Self::DemandSight { .. } => Action::DemandSight,
            Self::AnswerSight { .. } => Action::AnswerSight,
            Self::FillAnswer { .. } => Action::FillAnswer,
            Self::ClaimFifty { .. } => Action::ClaimFifty,
            Self::RespondFifty { .. } => Action::RespondFifty,
            Self::ClaimNoMove { .. } => Action::ClaimNoMove,
            Self::Wake { .. } => Action::Wake,
            Self::Close { .. } => Action::Close,
            Self::Reclaim(_) => Action::Reclaim,
            Self::ClaimTimeout => Action::ClaimTimeout,
            Self::PublishViewKey { .. } => Action::PublishViewKey,
            Self::Withdraw => Action::Withdraw,
        }
    }

    /// The ply of a move, or of the sight or the claim that it is about.
    pub fn ply(&self) -> Option<u16> {
        match self {
            Self::Move { fields, .. } => Some(fields.ply),
            Self::AnswerSight { demanded, .. } => Some(demanded.ply),
            Self::DemandSight { ply, .. } | Self::FillAnswer { ply, .. } => Some(*ply),
            Self::ClaimFifty { ply, .. } | Self::ClaimNoMove { ply, .. } => Some(*ply),
            Self::Wake { position, .. } => Some(position.ply),
            _ => None,
        }
    }
}
