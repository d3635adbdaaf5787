//! Whole games in one process, from a seed: two seats, the game contract, a bad network and players that crash or cheat,
//! under one scheduler. After every step the world compares what the seats do with what the protocol promises.
//!
//! The tests of the seat play single scenarios in a [`world::World`]; the command `simulate` plays as many games as there is time for,
//! each drawn from a seed and a number ([`draw`]), and replays exactly the one that breaks a promise ([`run`]).
//!
//! Nothing here ships. [`open_engine`] and the tickets of [`oracle::Oracle`] stand for cryptography, and neither can get into the
//! program: its runtime takes a `PlayedEngine`, which these can't be (`tests/nothing_ships.rs`).

pub mod channel;
pub mod contract;
pub mod counts;
pub mod draw;
pub mod evm;
pub mod node;
pub mod open_engine;
pub mod oracle;
pub mod run;
pub mod sessions;
pub mod world;

/// Prints a line, and ends the process with exit code 1 where nobody reads on: what was to be seen can't be.
#[macro_export]
macro_rules! tell {
    ($($what:tt)*) => {{
        use std::io::Write as _;
        if writeln!(std::io::stdout(), $($what)*).is_err() {
            std::process::exit(1);
        }
    }};
}
