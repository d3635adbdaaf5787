//! What the game contract says, as Rust: its interface, its logs as [`game::ChainEvent`], and the calldata of a player's transactions.
//!
//! Protocol section 8. A node is not trusted to make sense: what the contract can't say is refused as [`Nonsense`]. Nothing here talks to a node,
//! so that a browser reads a game with the same code as a player's machine.

mod calldata;
mod contract;
mod declared;
mod log;
mod sent;
pub mod types;

pub use calldata::{bond, calldata, is_bonded, join_calldata, open_calldata, wake_calldata};
pub use contract::IFogmate::{self, Status};
pub use declared::Declared;
pub use log::decode;
pub use sent::{Sent, record};
pub use types::GameState;

/// Something that this contract can't say, in a few words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Nonsense(pub &'static str);
