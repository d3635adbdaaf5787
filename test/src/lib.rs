//! The harness of the whole-system tests: a local chain with the real contracts, real keys, games made natively, an honest
//! client, a peer that says anything, and the built `fogmate` command.
//!
//! What the tests in `tests/` hold the protocol's section 1 ("What must hold") against. Every part is the shipped one; only
//! the KZG parameters are development ones, as on any local chain. Nothing here ships. The tests of `client` borrow from it
//! what they need too.

mod cheat;
mod command;
mod ending;
mod golden;
mod honest;
mod rogue;
#[path = "../../fog/src/testing/seed.rs"]
mod seed;
mod test_chain;
mod test_game;

pub use cheat::Cheat;
pub use command::{
    Machine, Running, fogmate, open_between_machines, open_game, open_unproven, processes_below, script, still_running,
};
pub use ending::assert_audited;
pub use golden::golden;
pub use honest::{Honest, listen_again, points_of};
pub use rogue::{Listener, Rogue, header, with_body};
pub use seed::{cases, is_long, seed};
pub use test_chain::{TestChain, cache, prover, wallet, while_mining};
pub use test_game::{BetweenMachines, NativePlayer, ProvenMove, TestGame};

use alloy::primitives::{hex, keccak256};
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};

/// A bound for what hangs, not a measure: far longer than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The mate of a lazy king: White's queen finds Black's king behind an open diagonal.
pub const SHORT_GAME: [&str; 5] = ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"];

/// A golden file's line for bytes that may be too many for it: their number, their hash, and how they begin.
pub fn golden_line(what: &str, bytes: &[u8]) -> String {
    let begin = hex::encode(&bytes[..bytes.len().min(64)]);
    format!("{what}: {} bytes, {}, {begin}\n", bytes.len(), keccak256(bytes))
}

static ALONE: Mutex<()> = Mutex::const_new(());

/// Waits until no other test of this process runs: each uses all cores. (nextest does the same with a test group.)
pub async fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().await
}
