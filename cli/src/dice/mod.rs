//! Games of dice at the command line: [`mod@node`] is where the chain is, [`mod@play`] a game at the keyboard, [`mod@tell`] what is said of one in words and in
//! JSON, [`mod@board`] the board, [`mod@demo`] a whole game between two processes, [`mod@process`] one of those. Nothing here knows the rules.

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
