//! The proof system of sets, from the engine's side: what makes and checks the proofs of *shown* and *asked*.
//!
//! This crate has none. The program's is halo2 (`prover::SetKeys`); tests without one check the statements natively.

use crate::{
    engine::Cause,
    statement::set::{
        asked::{AskedPrivate, AskedPublic},
        shown::{ShownPrivate, ShownPublic},
    },
};

/// Bytes of every proof of *shown*. Known before there are keys, since the sizes of messages are.
pub const SHOWN_BYTES: usize = 4160;
/// Bytes of every proof of *asked*.
pub const ASKED_BYTES: usize = 3968;

/// Makes and verifies the proofs of sets. Called on threads that may block.
pub trait SetProofs: Send + Sync + 'static {
    /// Slow. Proves a sender's set: [`SHOWN_BYTES`] bytes. Fails for a witness that doesn't satisfy the statement.
    fn prove_shown(&self, public: &ShownPublic, private: &ShownPrivate) -> Result<Vec<u8>, Cause>;

    /// Verifies a proof of a sender's set.
    fn verify_shown(&self, public: &ShownPublic, proof: &[u8]) -> Result<(), Cause>;

    /// Slow. Proves a receiver's set: [`ASKED_BYTES`] bytes. Fails for a witness that doesn't satisfy the statement.
    fn prove_asked(&self, public: &AskedPublic, private: &AskedPrivate) -> Result<Vec<u8>, Cause>;

    /// Verifies a proof of a receiver's set.
    fn verify_asked(&self, public: &AskedPublic, proof: &[u8]) -> Result<(), Cause>;
}
