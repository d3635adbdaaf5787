//! What an engine says of itself: name, trust, what it claims and doesn't protect, how large its messages get.

use super::Word;

/// What the players of an engine must trust each other with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Both players may cheat: every message is proven, or a wrong one does no harm.
    Malicious,
    /// Both follow the protocol and try to learn more from what they see. A deviation is found after the game, when the
    /// engine's branch of the seed is published.
    SemiHonest,
}

/// The longest name of an engine, in bytes: a word of the chain.
pub const MAX_NAME: usize = 32;

/// What an engine is called, what it proves and how long its messages are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name in lists and comparisons: at most [`MAX_NAME`] lower-case letters, digits and hyphens. It is part of
    /// [`Exchange::id`](super::Exchange::id) and, as [`About::word`], on chain: never changed.
    pub name: &'static str,
    pub trust: Trust,
    /// What it does not protect, in one line, shown wherever the engine is offered.
    pub caveat: &'static str,
    /// What is proven, what a cheat can do, and how much it takes to break what hides the boards.
    pub claims: Claims,
    /// Bytes of its largest message: the most that the link accepts before a session exists.
    pub max_message: usize,
}

impl About {
    /// The name as a word of the chain: ASCII, then zeros.
    pub fn word(&self) -> Word {
        std::array::from_fn(|index| self.name.as_bytes().get(index).copied().unwrap_or(0))
    }
}

/// What an engine claims, each in a clause, for the table that compares them ([`About::caveat`] is for players).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// What a player proves to the other during the game.
    pub proven: &'static str,
    /// What a receiver gains that deviates from the protocol.
    pub cheating_receiver: &'static str,
    /// What a sender gains that deviates from the protocol.
    pub cheating_sender: &'static str,
    /// The assumption that hides the boards, with its level in bits where there is one.
    pub security: &'static str,
}

impl Claims {
    /// Nothing is claimed: for engines of tests and simulators.
    pub const NONE: Self = Self { proven: "", cheating_receiver: "", cheating_sender: "", security: "" };
}
