//! A player of dark chess that knows what a seat knows: its own [`Side`](rules::Side), the [`Sight`](rules::Sight)s that were opened for it, and
//! on which squares pieces were captured.
//!
//! It keeps a [`belief`]: opponents that agree with everything seen so far, each with a weight. It [chooses](choice) the move with the best mean
//! over some of those opponents, each [searched](search) as if the board lay open. Nothing here does I/O, knows of keys, or panics on odd input.

#![deny(clippy::disallowed_types)]

pub mod army;
pub mod belief;
pub mod board;
pub mod choice;
pub mod evidence;
pub mod likelihood;
pub mod search;

mod bits;
mod evaluation;
mod level;
mod mend;
mod player;

pub use evaluation::worth;
pub use level::{Level, LevelParseError, Settings};
pub use player::Bot;
