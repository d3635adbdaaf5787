//! What the statements are composed of: the context in which every circuit is laid, the chips, and the gadgets made of them.
//!
//! * [`region`], [`context`], [`layout`]: the region being filled, the rows, what all statements have in common, and how each is laid;
//! * chips, each of which knows its gates and how to fill its rows: [`arith`], [`poseidon`] and [`hash`] in every statement;
//!   [`ecc`] with [`fixed_base`] and [`powers`] for points that a prover chooses, [`shared_ladder`] with [`sum_x`] for many multiples by one secret; [`weighted_sum`] with [`listing`] for sums over a list;
//! * gadgets of the protocol's encodings: [`merkle`] (paths, leaves, roots), [`polynomial`] (what binds calldata) and [`state`] (packing, opening,
//!   commitment).
//!
//! Nothing here knows a rule of chess.

pub mod arith;
pub mod context;
pub mod degree;
pub mod ecc;
pub mod fixed_base;
pub mod hash;
pub mod layout;
pub mod listing;
pub mod merkle;
mod operations;
pub mod polynomial;
pub mod poseidon;
pub mod powers;
pub mod region;
pub mod ring;
pub mod selector;
pub mod shared_ladder;
pub mod state;
pub mod sum_x;
pub mod weighted_sum;

pub use arith::{ArithConfig, power};
pub use context::{CommonConfig, Context, PublicColumn, Rows};
pub use degree::{assert_degree, assert_degree_is};
pub use ecc::{EccConfig, Point};
pub use fixed_base::FixedBase;
pub use hash::HashLane;
pub use layout::{Assigned, CircuitOf, Columns, Layout};
pub use listing::Listing;
pub use poseidon::{Permutation, PoseidonLane};
pub use region::{Cell, Input, Label, RegionCtx, Tamper, publish_linked};
pub use selector::{SharedSelector, advice};
pub use weighted_sum::WeightedSum;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub mod trace;
