//! The demo: a whole game between two processes on a chain of its own (`fogmate demo`). [`stage`] sets everything up and
//! takes it down, [`player`] is one of the processes, [`story`] puts together what both tell, ply by ply ([`ply`]), [`report`] is the
//! JSON of it, [`game`] the moves.

mod game;
mod player;
mod ply;
mod report;
mod stage;
mod story;

pub use game::built_in;
pub use report::DemoReport;
pub use stage::{Demo, play};
