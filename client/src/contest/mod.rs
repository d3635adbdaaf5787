//! Games with a small contract of their own on the chain (docs/src/dice.md, docs/src/tag.md): the contracts' actions and events, what a wallet's secrets
//! derive from, and one player's machine driven by the chain. What is right and what is owed is decided in the crate `contest`; commands and output belong to
//! `cli`. What only one game has is its [`Contract`], in the files `dice` and `tag`.
//!
//! What it needs of the chain is in [`crate::connection`]. Proofs are made and verified on blocking threads. Stakes are refused outside local
//! chains.

mod audit;
mod chain;
mod contract;
mod dice;
mod error;
mod game;
mod history;
mod news;
mod open;
mod player;
mod proving;
mod tag;

pub use audit::{Audited, audit};
pub use chain::{Chain, Latest};
pub use dice::DiceState;
pub use error::{ContestError, Refusal, may_pass};
pub use game::{Contract, Sight};
pub use history::History;
pub use news::{News, What};
pub use open::{create, create_another, join};
pub use player::{Done, Player};
pub use proving::{Proven, Prover};
pub use tag::TagState;
