//! Tag: two kings on a small grid, each in the fog of the other.
//!
//! The players move by turns, a king's step each, from opposite corners. A king sees its Moore neighbourhood. Whoever sees the other's king when it is
//! its own turn wins, so who steps beside the other has lost. After a number of plies the game is drawn.
//!
//! Where a king stands is known to its owner alone. Sight is private set intersection by Diffie and Hellman, in Grumpkin, whose order is prime:
//!
//! ```text
//! P_q          a point for each square q, by hashing; also for the squares around the grid, where no king can stand
//! set          x of a·P_q for the nine squares q of the own neighbourhood; a fresh for every position
//! reply        x of b·X for the nine points X of the other's set, and x of b·P_s for the own square s; b fresh for every position
//! found        a·(b·P_s) = b·(a·P_q) up to sign just if s = q
//! salt         H(PRF; a, b)
//! commitment   H(KING; square, salt)
//! ```
//!
//! It runs twice a ply. Who moves publishes its new set, and with it the reply to the other's standing set; then the other replies to the new set.
//! So each learns whether and where the other's king stands in its own king's neighbourhood, and nothing else. Proofs of [`statement`] hold
//! every message to the committed positions; the contract's twin of [`Tag`] is `contracts/src/TagGame.sol`.
//!
//! A point is its x-coordinate throughout: a point and its negative are one element, which costs nothing, for no two squares have them.

mod grid;
mod intersection;
mod king;
mod moves;
mod points;
mod position;
mod proofs;
mod rules;
mod secrets;
mod set;
mod state;
pub mod statement;
#[cfg(feature = "testing")]
pub mod testing;

pub use fog::curve::lift;
pub use fog::exponent::{EXPONENT_BITS, Exponent};
pub use grid::{NEIGHBOURHOOD, SMALLEST, Size, Square, Step, neighbourhood};
pub use intersection::{find, reply_to};
pub use king::{Duty, OwnKing, Sight};
pub use moves::{Move, Placement, Reply, Wrong};
pub use points::square_point;
pub use position::Position;
pub use proofs::Proofs;
pub use secrets::Secrets;
pub use set::{Set, set_of};
pub use state::{Phase, Setup, Tag};
