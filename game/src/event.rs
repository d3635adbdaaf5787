//! What the game contract tells of one game (protocol, section 8), freed from the chain's own formats. Reading the chain
//! and its finality are the runtime's business.

use crate::{MoveFields, Opening, Outcome, Phase, Position, Slot};
use alloy_primitives::{Address, B256};
use fog::engine::Registration;
use halo2curves::bn256::Fr;
use rules::{Color, Square};

/// What a demand for a sight froze: all that its answer is proven against (the contract's struct `Exchange`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demanded {
    /// Before the receiver's move, or after it.
    pub phase: Phase,
    /// The ply of the receiver's move, in both phases.
    pub ply: u16,
    pub receiver: Color,
    /// The receiver's captured square, before its move.
    pub pending_receiver: Option<Square>,
    /// The sender's captured square, after the receiver's move.
    pub pending_sender: Option<Square>,
    pub commitment: Fr,
    /// The root of the receiver's request.
    pub request_root: Fr,
    /// The root of the answer that the sender posted; 0 if none.
    pub posted_root: Fr,
    /// What binds the exchange.
    pub ctx: Fr,
}

/// An event of the game contract. They come in the order of the chain.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainEvent {
    /// A game was offered.
    Created(Opening),
    /// The second player is there.
    Joined {
        joiner: Address,
        /// The commitment to the joiner's share of the coin toss.
        toss: B256,
        /// What the joiner registered: as in [`Opening`].
        registration: Registration,
    },
    /// The creator has revealed its share of the coin toss.
    TossRevealed { share: B256 },
    /// The joiner has revealed its share; the game begins.
    Started { white: Address, share: B256 },
    Moved {
        player: Address,
        fields: MoveFields,
        /// The `basis` of its calldata, if that was read. The contract has compared it; the audit does so again.
        basis: Option<B256>,
        /// The proof of its calldata, if that was read.
        proof: Option<Vec<u8>>,
    },
    /// A game between the machines was woken, or a later position was put in the place of the one that stood.
    Woken {
        /// What it stands at. Of the start only the ply says anything.
        position: Box<Position>,
        /// Until when a later one may replace it, since 1970: then the delay of the ply to come begins.
        until: u64,
    },
    /// The players of a game between the machines have signed how it ended; its end follows.
    Closed {
        /// The digest of the last position, which binds the whole game.
        last: B256,
    },
    /// A sight was demanded.
    SightDemanded {
        demanded: Demanded,
        /// The last second to answer it, since 1970.
        deadline: u64,
        /// What the demander put in, in wei.
        bond: u128,
        /// The request's points on the wire.
        points: Vec<u8>,
    },
    /// A demanded sight was given and proven.
    SightAnswered {
        /// What binds the exchange.
        ctx: Fr,
        answer_root: Fr,
        /// What the answerer gets of the bond, in wei.
        paid: u128,
        /// The answer on the wire, without a proof.
        elements: Vec<u8>,
    },
    /// The root of the answer for the player to move was posted after the move that should have carried it.
    AnswerFilled {
        /// The ply to be played by it.
        ply: u16,
        answer_root: Fr,
    },
    /// The player to move claims a draw by fifty moves.
    FiftyClaimed {
        /// The ply to come.
        ply: u16,
        /// The last second to answer it, since 1970.
        deadline: u64,
        /// What the claimant put in, in wei.
        bond: u128,
    },
    /// That claim was shown to be wrong.
    FiftyFailed {
        /// The ply to come.
        ply: u16,
        /// The first ply at which the claimant may claim again.
        claims_from: u16,
        /// What the opponent gets of the bond, in wei.
        paid: u128,
    },
    /// A bond that nobody earned went back to who put it in.
    BondReclaimed {
        slot: Slot,
        player: Address,
        /// The bond, in wei.
        bond: u128,
    },
    /// The game is over.
    Ended {
        /// Who won; nobody in a draw.
        winner: Option<Address>,
        outcome: Outcome,
    },
    /// A player published its view key.
    ViewKeyPublished { player: Address, key: [u8; 32] },
}

impl ChainEvent {
    /// Whether it comes of a proof, or of a demand or a claim that a proof must answer: in mode `unproven` it can't come.
    pub fn needs_proofs(&self) -> bool {
        match self {
            Self::SightDemanded { .. } | Self::SightAnswered { .. } => true,
            Self::FiftyClaimed { .. } | Self::FiftyFailed { .. } | Self::BondReclaimed { .. } => true,
            Self::Ended { outcome, .. } => outcome.needs_proofs(),
            Self::Created(_) | Self::Joined { .. } | Self::TossRevealed { .. } | Self::Started { .. } => false,
            Self::Moved { .. } | Self::AnswerFilled { .. } | Self::ViewKeyPublished { .. } => false,
            Self::Woken { .. } | Self::Closed { .. } => true,
        }
    }

    /// How the game ended, if it is its end.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Ended { outcome, .. } => Some(*outcome),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Created(_) => "a new game",
            Self::Joined { .. } => "a second player",
            Self::TossRevealed { .. } => "the creator's share of the coin toss",
            Self::Started { .. } => "the joiner's share of the coin toss",
            Self::Moved { .. } => "a move",
            Self::Woken { .. } => "the waking of a game",
            Self::Closed { .. } => "a signed result",
            Self::SightDemanded { .. } => "a demand for a sight",
            Self::SightAnswered { .. } => "a demanded sight",
            Self::AnswerFilled { .. } => "the root of an answer",
            Self::FiftyClaimed { .. } => "a claim of fifty moves",
            Self::FiftyFailed { .. } => "a failed claim of fifty moves",
            Self::BondReclaimed { .. } => "a bond that went back",
            Self::Ended { .. } => "the end of the game",
            Self::ViewKeyPublished { .. } => "a view key",
        }
    }
}
