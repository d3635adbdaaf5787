//! Games for two players, each with a contract of its own: [`dice`], Snakes and Ladders with dice that neither player throws alone, and [`tag`], two
//! kings on a small grid, each in the fog of the other.
//!
//! What they have in common is here once: [`Terms`] and [`Opening`], the [`Table`] by which everything is checked, and the [`Side`] of one player. A game
//! adds its [`Rules`], and the [`Hand`] that a player holds. No I/O, no clock, no randomness: times, messages and a branch of the player's seed come in,
//! what is to be sent comes out. The contracts' twin is `contracts/src`.

pub mod dice;
mod fault;
mod outcome;
mod rules;
mod side;
mod table;
pub mod tag;
mod terms;

pub use fault::Fault;
pub use outcome::{Ending, Outcome, Role};
pub use rules::{Action, Checked, Hand, Rules};
pub use side::Side;
pub use table::{Status, Table};
pub use terms::{Opening, Terms};
