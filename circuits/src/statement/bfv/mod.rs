//! *item* and *view*: a vector, named by its hash, is exactly what a committed board gives (engine `bfv`). On *turn*'s columns, so that the narrow
//! verifier serves them too. The native twin is `engines::bfv::statement::check`.
//!
//! Here stands what they share: [`board`] opens the commitment and turns the board as the receiver counts ranks, [`hash`] packs slots and hashes them.
//! Values of slots are laid line by line, in the order of [`engines::bfv::vector`], which is that of White's lines: so a line's slots are known from its place.

pub(in crate::statement) mod board;
mod hash;
mod item;
pub(in crate::statement) mod view;
pub(in crate::statement) mod witness;

#[cfg(test)]
mod tests;

pub use item::ItemCircuit;
pub use view::ViewCircuit;
