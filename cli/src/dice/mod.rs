//! Games of dice at the command line: [`node`] is where the chain is, [`play`] a game at the keyboard, [`tell`] what is said of one in words and in
//! JSON, [`board`] the board, [`demo`] a whole game between two processes, [`process`] one of those. Nothing here knows the rules.

mod board;
mod demo;
mod node;
mod play;
mod process;
mod tell;

pub use demo::demo;
pub use node::{DiceNodeArgs, told};
pub use play::{Options, play};
pub use tell::audited;
