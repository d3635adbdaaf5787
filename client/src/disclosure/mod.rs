//! What a player lays open after a game with an engine whose players trust each other, and what follows from it for both.
//!
//! A [`Disclosure`] is all that a player's part of the game follows from: the branch of its seed that its engine draws from, its view key,
//! from which with the chain its boards follow, and the opponent's messages as it has them. What it said itself isn't in it: that is made
//! again. [`check()`] runs the player's part of every session again and holds it against what stands on chain, and against the opponent's
//! disclosure, if that is there too.
//!
//! Branch and view key are of this one game, for the seed is: they say nothing of another game, of the wallet, or of money. The chain binds both,
//! but not the messages that were heard: whoever hands a file on can change those.

mod check;
mod course;
mod file;
mod finding;
mod part;
mod transcripts;

pub use check::{Account, check};
pub use course::Course;
pub use finding::{Finding, Missing};

use crate::journal::Entry;
use alloy::primitives::Address;
use fog::engine::{About, Word};
use game::secrets::GameSecrets;
use game::{GameRef, Message, SessionId};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

/// What a player lays open of one game.
#[derive(Clone, PartialEq, Eq)]
pub struct Disclosure {
    pub game: GameRef,
    /// The account of the player that it is of.
    pub player: Address,
    /// The name of the engine.
    pub engine: String,
    /// The branch of the player's seed that the engine draws from.
    pub branch: Zeroizing<Word>,
    /// The player's view key.
    pub view_key: Zeroizing<Word>,
    /// The opponent's messages as the player has accepted them, by session and number.
    pub heard: BTreeMap<SessionId, BTreeMap<u16, Vec<u8>>>,
}

/// Why a disclosure, or what is said to be one, can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DisclosureError {
    /// No JSON of this form.
    #[error("it is no disclosure: {0}")]
    Form(String),
    #[error("it is a disclosure of version {0}, which this program doesn't know")]
    Version(String),
    /// A name of no session.
    #[error("{0:?} is no session: there are `set-up`, `4 pre` and `4 post`, with the ply")]
    Session(String),
    /// A message that is there twice.
    #[error("it has message {1} of the {0} twice")]
    Twice(String, u16),
    #[error("it is of another game")]
    OtherGame,
    #[error("it is of a game with the engine {0}, and this game was played with {1}")]
    OtherEngine(String, String),
    #[error("{0:#x} is no player of this game")]
    NotAPlayer(Address),
    /// Two of one player.
    #[error("both disclosures are of {0:#x}")]
    SamePlayer(Address),
    /// The chain's events are no game that was begun.
    #[error("the chain's records are no game that could be looked at: {0}")]
    Chain(String),
    #[error("this machine couldn't run the part of {0:#x} again: {1}")]
    Engine(Address, String),
}

impl Disclosure {
    /// What a player lays open, by its secrets and its journal of the game.
    pub fn of(game: GameRef, player: Address, secrets: &GameSecrets, engine: &About, journal: &[Entry]) -> Self {
        let mut heard = BTreeMap::<_, BTreeMap<_, _>>::new();
        for entry in journal {
            if let Entry::Received(Message::Session { session, index, bytes }) = entry {
                heard.entry(*session).or_default().insert(*index, bytes.clone());
            }
        }
        Self {
            game,
            player,
            engine: engine.name.to_owned(),
            branch: Zeroizing::new(secrets.seed().branch(engine.name).to_bytes()),
            view_key: Zeroizing::new(secrets.view_key().to_bytes()),
            heard,
        }
    }

    /// The opponent's messages of a session.
    fn heard(&self, session: SessionId, index: usize) -> Option<&[u8]> {
        let index = u16::try_from(index).ok()?;
        self.heard.get(&session)?.get(&index).map(Vec::as_slice)
    }
}

fog::redacted!(Disclosure);
