//! The integration tests of `bot` in one program. They are referees, so they have the whole truth, which the bot never has.

#![allow(clippy::disallowed_types)]

mod beliefs;
mod boards;
mod choices;
#[path = "../../../rules/tests/all/common/mod.rs"]
mod common;
#[path = "../../examples/arena/game.rs"]
mod game;
mod games;
#[path = "../../examples/arena/players.rs"]
mod players;
