//! A game of dice on the chain (docs/src/dice.md): the contract's actions and events, what a wallet's numbers derive from, and one player's machine
//! driven by the chain. What is right and what is owed is decided in the crate `dice`; commands and output belong to `cli`.
//!
//! Unlike [`crate::chain`] it leaves nonces and fees to the node's own estimates and raises nothing: stakes are refused outside local
//! chains. One wallet shouldn't play both games at once.

mod chain;
mod contract;
mod error;
mod history;
mod player;

pub use chain::{DiceChain, Place};
pub use error::DiceError;
pub use history::{History, Mined};
pub use player::{Player, create, join, joined_by};
