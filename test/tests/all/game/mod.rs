//! Whole games with every part real: two runtimes in one process, the demo's two processes, players that are killed and
//! started again, a chain that changes its past, and what must end a game before it begins.
//!
//! Protocol, section 6 (a turn), section 9 (recovery, audit) and section 2 (what a player sees).

mod bad_machine;
mod between_machines;
mod demo;
mod disclosed;
mod held_back;
mod illegal_move;
mod interrupted;
mod killed;
mod moved_away;
mod recovered;
mod relayed;
mod reorganised;
mod resigned;
mod two_runtimes;
