//! The subcommands, one a file: its arguments, what it does with them, and nothing that belongs to the game.

pub mod address;
pub mod audit;
pub mod bot;
pub mod cancel;
pub mod create;
pub mod demo;
pub mod deploy;
pub mod disclose;
pub mod explorer;
pub mod games;
pub mod join;
pub mod play;
pub mod recover;
pub mod relay;
pub mod rules;
pub mod schema;
pub mod solo;
pub mod wallet;
pub mod withdraw;
