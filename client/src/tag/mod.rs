//! A game of tag on the chain (docs/src/tag.md): the contract's actions and events, what a wallet's exponents derive from, and one player's machine
//! driven by the chain. What is right and what is owed is decided in the crate `tag`; commands and output belong to `cli`.
//!
//! What it needs of the chain is in [`crate::connection`]. Proofs are made and verified on blocking threads. Stakes are refused outside local
//! chains.

mod act;
mod actions;
mod chain;
mod contract;
mod error;
mod events;
mod list;
mod news;
mod open;
mod player;
mod proving;

pub use act::Done;
pub use chain::{Latest, TagChain};
pub use error::{Refusal, TagError};
pub use events::{History, Opening};
pub use news::{News, What};
pub use open::{Offer, create, create_another, join};
pub use player::Player;
pub use proving::{Proven, Prover};
