//! The proof system of sets, from the engine's side: what makes and checks the proofs of *shown* and *asked*.

use crate::statement::{
    Proves,
    set::{asked::AskedStatement, shown::ShownStatement},
};

/// Bytes of every proof of *shown*. Known before there are keys, since the sizes of messages are.
pub const SHOWN_BYTES: usize = 4160;
/// Bytes of every proof of *asked*.
pub const ASKED_BYTES: usize = 3968;

/// Makes and verifies the proofs of sets, of [`SHOWN_BYTES`] and [`ASKED_BYTES`].
pub trait SetProofs: Proves<ShownStatement> + Proves<AskedStatement> + 'static {}

impl<T: Proves<ShownStatement> + Proves<AskedStatement> + 'static> SetProofs for T {}
