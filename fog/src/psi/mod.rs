//! The sets that engines over private set intersection exchange, and that the statements *shown* and *asked* speak of: [`element`]s, and the
//! two sets over [`lines`] of sight. What is done with them is in the crate `engines`.
//!
//! Where sets are proven, elements are points of Grumpkin with a number each ([`catalogue`]), and a set is a list of numbers, named by its
//! [`digest`]. A proof looks at sums of points with public [`weight`]s.

pub mod catalogue;
pub mod digest;
pub mod element;
pub mod lines;
pub mod proofs;
pub mod weight;
