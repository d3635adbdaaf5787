//! What the commands of games with a small contract of their own, `fogmate dice` and `fogmate tag`, have in common: [`mod@args`] is where folder, wallet
//! and chain are, [`mod@games`] which game is meant and what is told of it, [`mod@patience`] bears a node that fails for a while, [`mod@process`] is one of the machines of a demo, [`mod@demo`] runs one.

mod args;
mod demo;
mod games;
mod patience;
mod process;

pub use args::{Action, ContestArgs, config, expiry, game_id, stake_warning, tell_caution, tell_nodes, told};
pub use demo::{DEMO_FUNDS, costs_told, run_demo};
pub use games::{GameId, game_or_start, listed, tell_created, tell_joined, tell_list, tell_withdraw};
pub use patience::Patience;
pub use process::{Machine, Process};
