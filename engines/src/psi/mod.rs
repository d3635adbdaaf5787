//! Private set intersection by Diffie and Hellman's exchange, for the engines `dh-psi`, `dh-psi-plain` and `emanant`. It trusts both
//! players to build their sets from their boards; what they do with the sets is proven or does no harm.
//!
//! The sender raises hashed elements to a secret exponent, fresh in every exchange, and sends the results as a set. The receiver
//! sends blinded elements, has them raised and compares. All that it learns is which of its elements are in the set; the sender learns
//! nothing, since blinded elements are uniform. Sets are filled up with dummies, so sizes tell nothing.
//!
//! What the sets consist of is in [`fog::psi`], the groups in [`group`], messages in [`layout`].

mod engine;
pub mod evidence;
pub mod filter;
pub mod group;
pub mod layout;
pub mod points;
mod proof;
mod query;
pub mod reading;
mod receiver;
pub mod secrets;
mod sender;

#[cfg(test)]
mod cheats;
#[cfg(test)]
mod false_sets;
#[cfg(test)]
mod fresh;
#[cfg(test)]
pub(crate) mod pairs;
#[cfg(test)]
mod sizes;

pub use fog::psi::{element, lines};

pub use engine::{Protocol, SetEngine};
pub use receiver::Search;
