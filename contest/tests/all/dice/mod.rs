//! Games of dice between two sides: honest ones to their end, and every way to cheat with a die; rolls and a game as a script computes them.

mod cheats;
mod games;
mod pair;
mod vectors;
