//! The engines that this program may hold. A simulator or a test has engines whose proofs prove nothing: they can drive a seat,
//! but never a [runtime](super), because only this file says what is [`Shipped`].

use super::KeyProver;
use fog::engine::{Engine, SightLines};

mod sealed {
    pub trait Sealed {}
}

/// An engine that a runtime takes: sight-lines with the halo2 prover, and nothing in its place.
///
/// ```compile_fail
/// # use client::runtime::Shipped;
/// # fn takes(_: impl Shipped) {}
/// # fn main() {
/// struct Free;
/// impl Shipped for Free {} // the supertrait can't be named outside of this crate
/// # }
/// ```
pub trait Shipped: Engine + sealed::Sealed {}

impl sealed::Sealed for SightLines<KeyProver> {}
impl Shipped for SightLines<KeyProver> {}
