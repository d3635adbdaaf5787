//! A game of dice on the chain (docs/src/dice.md): the contract's actions and events, what a wallet's numbers derive from, and one player's machine
//! driven by the chain. What is right and what is owed is decided in the crate `dice`; commands and output belong to `cli`.
//!
//! What it needs of the chain is in [`crate::connection`]. Stakes are refused outside local chains.

mod chain;
mod contract;
mod error;
mod history;
mod list;
mod player;

pub use chain::DiceChain;
pub use error::{DiceError, Refusal};
pub use history::History;
pub use list::Latest;
pub use player::{Player, create, create_another, join, joined_by};
