//! The subcommands, one a file: its arguments, what it does with them, and nothing that belongs to the game.

pub mod rules;
