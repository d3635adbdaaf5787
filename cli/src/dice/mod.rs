//! Games of dice at the command line: [`mod@play`] a game at the keyboard, [`mod@tell`] what is said of one in words and in JSON, [`mod@board`] the
//! board, [`mod@wanted`] a roll that couldn't be sent at once, [`mod@demo`] a whole game between two processes. Nothing here knows the rules.

mod board;
mod demo;
mod play;
mod tell;
mod wanted;

use client::connection::Place;
use deploy::Deployment;

pub use demo::demo;
pub use play::{Options, play};
pub use tell::{audited, status};

/// Where a deployed dice contract stands.
pub fn place(deployed: &Deployment) -> Place {
    Place { chain_id: deployed.chain_id, contract: deployed.address(), block: deployed.block }
}
