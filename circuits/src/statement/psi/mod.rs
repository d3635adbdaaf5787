//! *shown* and *asked*: the sets of a private intersection, as weighted sums of points, are exactly what a committed board gives (engine
//! `dh-psi-proven`). The native twins are those of `engines::psi::statement`.
//!
//! Both lay, on [`config`]'s columns: the board ([`bfv::board`](super::bfv), as for *item* and *view*), that its [men] are a game's, which element is [`active`], the
//! [listing](crate::gadget::listing) of those, the [digest], and the [weighted sum](crate::gadget::weighted_sum) of the list. Then *shown* raises the sum,
//! and *asked* blinds it.
//!
//! Each is there in two extents: the lines of the whole board, and those from two squares, whose constraints are the same and which is small enough for the
//! tests that leave out constraints one by one.

mod active;
mod asked;
mod config;
mod digest;
mod men;
mod shown;

#[cfg(test)]
mod tests;

pub use asked::AskedCircuit;
pub use shown::ShownCircuit;

/// The circuit of *shown* of small sets, for tests.
pub type SmallShownCircuit = ShownCircuit<true>;
/// The circuit of *asked* of small sets, for tests.
pub type SmallAskedCircuit = AskedCircuit<true>;
