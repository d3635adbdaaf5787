//! The demo: a whole game between two processes on a chain of its own (`fogmate demo`). [`run`] sets everything up and takes it down,
//! [`process`] is one of the players' processes, [`transcript`] puts together what both say, ply by ply ([`ply`]), [`costs`] reads
//! from the chain what each transaction cost, [`report`] is the JSON of it all, [`moves`] the built-in game, [`local`] the chain. In [`cheat`] one of the
//! players cheats.

pub mod cheat;
pub mod costs;
mod local;
mod moves;
mod ply;
mod process;
mod report;
mod run;
mod transcript;

pub use local::{LocalChain, MINING};
pub use moves::built_in;
pub use process::{Machine, Player, next_of};
pub use report::DemoReport;
pub use run::{Demo, play, prepare_keys};
