//! What a player's machine runs: wallet, chain, link, journal, backup, lobby (opening and joining games), seat and runtime; disclosures after a game;
//! games of dice and of tag; and a relay and a tower, which any machine can be.
//!
//! A seat decides, and network, chain, clock and disk are its effects; the chain is the
//! truth, the journal a cache. Commands and output belong to `cli`.

pub mod backup;
pub mod chain;
pub mod channel;
pub mod contest;
pub mod disclosure;
pub mod journal;
pub mod link;
pub mod lobby;
pub mod relay;
pub mod runtime;
pub mod seat;
mod sum;
pub mod tower;
pub mod wallet;
