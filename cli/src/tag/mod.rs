//! Games of tag at the command line: [`mod@typed`] is what a player can type, [`mod@play`] a game at the keyboard, [`mod@tell`] what is said of one in
//! words and in JSON, [`mod@grid`] the grid, [`mod@demo`] a whole game between two processes. Nothing here knows the rules.

mod demo;
mod grid;
mod play;
mod tell;
mod typed;

use client::connection::Place;
use deploy::Deployment;

pub use demo::demo;
pub use play::{Options, play};
pub use tell::status;

/// Where a deployed contract of tag stands.
pub fn place(deployed: &Deployment) -> Place {
    Place { chain_id: deployed.chain_id, contract: deployed.address(), block: deployed.block }
}
