//! What a sight exchange is bound to: `ctx` (protocol sections 5 and 7).
//!
//! `ctx = keccak256(abi.encode(TAG, chain id, contract, game id, ply, phase, C_s, pending_s, C_r, pending_r, A_s.x, A_s.y,
//! requestRoot)) mod |F|` over 13 words, the contract left-padded. Binding both boards is essential: one request answered
//! from two boards under one `ctx` would be a two-time pad. The contract recomputes it from its own storage.

use crate::{
    F,
    engine::{Exchange, Fault, Game, Phase, Registration, Word},
    word::{WORD, from_word, keccak256, reduce, small_word, to_word},
};
use rules::{Color, Square};
use std::sync::LazyLock;

/// What `TAG` is the hash of.
pub const CTX_DOMAIN: &[u8] = b"fogmate/ctx/2";
/// How "no square" is written in public inputs and in `ctx`.
pub const NOWHERE: u64 = 64;

/// A square or "nowhere" as a number.
pub fn square_number(square: Option<Square>) -> u64 {
    square.map_or(NOWHERE, |square| square.index() as u64)
}

/// A square or "nowhere" as a field element.
pub fn square_field(square: Option<Square>) -> F {
    F::from(square_number(square))
}

/// A word of the chain as a field element.
pub fn element(word: &Word) -> Result<F, Fault> {
    from_word(word).ok_or_else(|| Fault::internal("a word of the chain is no field element"))
}

/// What stands above an answer: the public facts of its exchange that the relation looks at, and the `ctx` that binds all the
/// others. It is made, proven and opened under these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerHeader {
    /// Who gets the sight.
    pub receiver: Color,
    /// Before or after the receiver's move.
    pub phase: Phase,
    /// The sender's captured square, applied to its board first (phase 1 only).
    pub pending_sender: Option<Square>,
    /// The receiver's captured square (phase 0 only).
    pub pending_receiver: Option<Square>,
    /// What it is bound to.
    pub ctx: F,
}

/// What binds a sight exchange to chain, game, ply, boards and keys: everything that `ctx` is the hash of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightContext {
    pub chain_id: u64,
    /// The game contract's address.
    pub contract: [u8; 20],
    pub game_id: [u8; 32],
    /// The ply of the receiver's move, in both phases.
    pub ply: u64,
    /// Before or after that move.
    pub phase: Phase,
    /// The sender's commitment as it stands on chain, before any removal.
    pub sender_commitment: F,
    /// The sender's applied pending square.
    pub pending_sender: Option<Square>,
    /// The receiver's commitment as it stands on chain, before any removal.
    pub receiver_commitment: F,
    /// The receiver's applied pending square.
    pub pending_receiver: Option<Square>,
    /// What the sender registered: its fog key, or in a game of another engine its two words.
    pub registered: Registration,
    /// The root of the receiver's request.
    pub request_root: F,
}

impl SightContext {
    /// Of an exchange of a game, whose sender is asked by the request with the root `request_root`. None if a commitment is no
    /// field element.
    pub fn new(game: &Game, exchange: &Exchange, request_root: F) -> Option<Self> {
        let (sender, receiver) = (exchange.sender(), exchange.receiver());
        Some(Self {
            chain_id: game.chain_id,
            contract: game.contract,
            game_id: game.game_id,
            ply: exchange.ply,
            phase: exchange.phase,
            sender_commitment: from_word(&exchange.commitments[sender.index()])?,
            pending_sender: exchange.pending_of(sender),
            receiver_commitment: from_word(&exchange.commitments[receiver.index()])?,
            pending_receiver: exchange.pending_of(receiver),
            registered: *game.registered(sender),
            request_root,
        })
    }

    /// The hash `ctx` of this context, as a field element.
    pub fn ctx(&self) -> F {
        static TAG: LazyLock<[u8; WORD]> = LazyLock::new(|| keccak256(CTX_DOMAIN));
        let mut contract = [0; WORD];
        contract[WORD - self.contract.len()..].copy_from_slice(&self.contract);
        let head = [
            *TAG,
            small_word(self.chain_id),
            contract,
            self.game_id,
            small_word(self.ply),
            small_word(self.phase as u64),
            to_word(&self.sender_commitment),
            small_word(square_number(self.pending_sender)),
            to_word(&self.receiver_commitment),
            small_word(square_number(self.pending_receiver)),
        ];
        let words = [head.as_flattened(), &self.registered, &to_word(&self.request_root)].concat();
        reduce(&keccak256(&words))
    }

    /// What the answer of this exchange is made and opened under; White receives on even plies.
    pub fn header(&self) -> AnswerHeader {
        AnswerHeader {
            receiver: Color::of_ply(self.ply),
            phase: self.phase,
            pending_sender: self.pending_sender,
            pending_receiver: self.pending_receiver,
            ctx: self.ctx(),
        }
    }
}
