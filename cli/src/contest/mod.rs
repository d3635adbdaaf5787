//! Games with a small contract of their own, `fogmate dice` and `fogmate tag`, by one set of commands and one loop: [`mod@commands`] is what can be asked for,
//! [`mod@play`] a game at the keyboard, [`mod@tell`] what is said of one in words and in JSON. A game adds its [`Played`] and its [`View`], in folders of
//! its own. Besides, [`mod@common`] has deadlines, errors and warnings, [`mod@games`] which game is meant and what is told of it, [`mod@patience`] bears a node that
//! fails for a while, [`mod@wanted`] is a move that couldn't be sent at once, [`mod@demo`] runs a demo. Nothing here knows the rules.

mod commands;
mod common;
mod demo;
mod dice;
mod game;
mod games;
mod patience;
mod play;
mod tag;
mod tell;
mod wanted;

pub use commands::{Args, run};
use game::{NoArgs, Played, Standing, Typed, View};
