//! Games between two sides: honest ones to their end, and every way to cheat with a die.

mod cheats;
mod games;
mod pair;
