//! Games with a small contract of their own on the chain (docs/src/dice.md, docs/src/tag.md): the contracts' actions and events, what a wallet's secrets
//! derive from, and one player's machine driven by the chain. What is right and what is owed is decided in the crate `contest`; commands and output belong to
//! `cli`. What only one game has is its [`Contract`], in the files `dice` and `tag`.
//!
//! Their connection is that of [`crate::chain`], and so are their follower and the wallet's sender. Proofs are made and verified on blocking threads.
//! Stakes are refused outside local chains.

mod audit;
mod chain;
mod contract;
mod dice;
mod error;
mod following;
mod game;
mod history;
mod list;
mod news;
mod open;
mod opened;
mod player;
mod proving;
mod refusal;
mod tag;

pub use audit::{Audited, audit};
pub use chain::Chain;
pub use dice::DiceState;
pub use error::GameError;
pub use following::Told;
pub use game::{Contract, Latest, Proven, Sight, name_of_call};
pub use history::History;
pub use list::Listed;
pub use news::{News, What};
pub use open::{create, join};
pub use opened::Created;
pub use player::{Done, Player};
pub use proving::Prover;
pub use tag::TagState;
