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
pub mod tower;
pub mod wallet;

use sha2::{Digest as _, Sha256};

/// A check sum, which tells what is damaged or mistyped from what was written: the start of SHA-256 over parts, one after the other.
pub(crate) fn check_sum<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let digest = parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize();
    std::array::from_fn(|i| digest[i])
}
