//! The harness of the whole-system tests: a local chain with the real contracts, real keys, games made natively, an honest
//! client, a peer that says anything, and the built `fogmate` command.
//!
//! What the tests in `tests/` hold the protocol's section 1 ("What must hold") against. Every part is the shipped one; only
//! the KZG parameters are development ones, as on any local chain. Nothing here ships. The tests of `client` borrow from it
//! what they need too.

mod bout;
mod cheat;
mod command;
mod ending;
mod honest;
mod rogue;
mod world;

pub use bout::{Bout, Desk, Made};
pub use cheat::Cheat;
pub use command::{Machine, Running, fogmate, open_game, processes_below, script, still_running};
pub use ending::assert_audited;
pub use honest::{Honest, listen_again, points_of};
pub use rogue::{Listener, Rogue, header, with_body};
pub use world::{World, cache, prover, wallet};

use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};

/// A bound for what hangs, not a measure: far longer than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The mate of a lazy king: White's queen finds Black's king behind an open diagonal.
pub const SHORT_GAME: [&str; 5] = ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"];

static ALONE: Mutex<()> = Mutex::const_new(());

/// Waits until no other test of this process runs: each uses all cores. (nextest does the same with a test group.)
pub async fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().await
}

/// The seed of a test: FOGMATE_SEED, or the given one; printed, so that a failure can be repeated. Wallets, and with them
/// all secrets of a game, derive from it; proofs are blinded from the system's randomness.
pub fn seed(default: u64) -> u64 {
    let given = std::env::var("FOGMATE_SEED").ok();
    let seed = given.and_then(|text| text.parse().ok()).unwrap_or(default);
    println!("seed {seed} (FOGMATE_SEED repeats it)");
    seed
}
