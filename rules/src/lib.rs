//! Dark chess without cryptography (protocol, section 2): what a player has, what it sees, what it may do.
//!
//! A player has a [`Side`] and a [`Sight`], and its legal moves are a function of those two alone. [`Position`] is the
//! whole truth, which no player has: it is for tests, replays and simulations. Nothing here does I/O, knows of keys,
//! or panics on outside input.

pub mod board;
pub mod castling;
pub mod color;
pub mod fen;
pub mod geometry;
pub mod lines;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod position;
pub mod setup;
pub mod side;
pub mod sight;
pub mod square;

mod json;
mod legal;

pub use castling::CastlingRights;
pub use color::Color;
pub use fen::{FenError, Setup};
pub use moves::{Move, MoveParseError};
pub use notation::{FindMoveError, WrittenMove, WrittenMoveError};
pub use piece::PieceType;
pub use position::{IllegalMove, Played, Position, PositionError};
pub use setup::SetupError;
pub use side::Side;
pub use sight::{Seen, Sight};
pub use square::{Square, SquareParseError};
