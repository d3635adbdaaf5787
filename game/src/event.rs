//! What the game contract tells of one game (protocol, section 8), freed from the chain's own formats. Reading the chain
//! and its finality are the runtime's business.

use crate::Outcome;
use alloy_primitives::{Address, B256};
use fog::curve::FogKey;
use halo2curves::bn256::Fr;
use rules::Square;

/// The public fields of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFields {
    /// The ply it is.
    pub ply: u16,
    /// The mover's next commitment, C′.
    pub next_commitment: Fr,
    /// The root of the mover's new request.
    pub next_request_root: Fr,
    /// The root of the answer to the other player's standing request, or 0.
    pub answer_root: Fr,
    /// The square of the captured piece.
    pub capture: Option<Square>,
    /// Whether that piece was the king.
    pub king_fell: bool,
    /// Whether a draw is offered with it.
    pub offer_draw: bool,
}

/// An event of the game contract. They come in the order of the chain.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainEvent {
    /// A game was offered.
    Created {
        /// Who offers it.
        creator: Address,
        /// The commitment to the creator's half of the coin toss.
        toss: B256,
        /// The creator's fog key.
        fog_key: FogKey,
    },
    /// The second player is there.
    Joined {
        /// Who.
        joiner: Address,
        /// The joiner's half of the coin toss.
        r2: B256,
        /// The joiner's fog key.
        fog_key: FogKey,
    },
    /// The creator has opened its half of the coin toss; the game begins.
    Started {
        /// Who plays White.
        white: Address,
        /// The creator's half.
        r1: B256,
    },
    /// A move.
    Moved {
        /// Who moved.
        player: Address,
        /// What it said.
        fields: MoveFields,
        /// The `ctxNext` of its calldata, if that was read. The contract has compared it; the audit does so again.
        ctx_next: Option<Fr>,
    },
    /// The game is over.
    Ended {
        /// Who won; nobody in a draw.
        winner: Option<Address>,
        /// How.
        outcome: Outcome,
    },
    /// A player published its view key.
    ViewKeyPublished {
        /// The player.
        player: Address,
        /// The key.
        key: [u8; 32],
    },
}

impl ChainEvent {
    /// What it is, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Created { .. } => "a new game",
            Self::Joined { .. } => "a second player",
            Self::Started { .. } => "the opening of the coin toss",
            Self::Moved { .. } => "a move",
            Self::Ended { .. } => "the end of the game",
            Self::ViewKeyPublished { .. } => "a view key",
        }
    }
}
