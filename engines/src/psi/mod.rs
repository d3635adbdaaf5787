//! Private set intersection by Diffie and Hellman's exchange, for the engines `dh-psi`, `dh-psi-plain`, `dh-psi-proven` and
//! `emanant`. All but `dh-psi-proven` trust both players to build their sets from their boards; what they do with the sets is proven or does no harm.
//!
//! The sender raises hashed elements to a secret exponent, fresh in every exchange, and sends the results as a set. The receiver
//! sends blinded elements, has them raised and compares. All that it learns is which of its elements are in the set; the sender learns
//! nothing, since blinded elements are uniform. Sets are filled up with dummies, so sizes tell nothing.
//!
//! The sets are lists of [`element`]s over [`lines`] of sight; the groups are in [`group`], messages in [`layout`].
//!
//! Where sets are proven, elements are points of Grumpkin with a number each ([`catalogue`]), and a set is a list of numbers, named by its
//! [`digest`]. The statements *shown* and *asked* ([`statement`]) look at sums of points with public [`weight`]s.

pub mod catalogue;
pub mod digest;
pub mod element;
mod engine;
pub mod evidence;
pub mod filter;
pub mod group;
pub mod layout;
pub mod lines;
pub mod points;
mod proof;
mod protocol;
mod query;
pub mod reading;
mod receiver;
pub mod secrets;
mod sender;
pub mod statement;
pub mod weight;

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

pub use engine::SetEngine;
pub use protocol::{Protocol, Search};
