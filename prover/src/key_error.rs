//! What can go wrong with a statement's keys.

use crate::{Ceremony, Sha256Hash};
use halo2_proofs::plonk::Error;

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The parameters are of another size than the circuit.
    #[error("the statement {name} has 2^{expected} rows, but the parameters are for 2^{got}")]
    WrongSize { name: &'static str, expected: u32, got: u32 },
    /// The circuit can't be laid out.
    #[error("the circuit can't be laid out")]
    Layout(#[from] Error),
    /// A key was made that isn't the one that this program carries the hash of.
    #[error(
        "the {what} of {name} with the parameters of {ceremony} isn't the one whose hash this program knows: {expected}"
    )]
    OtherKey {
        /// Whether it is the verifying or the proving key.
        what: &'static str,
        name: &'static str,
        ceremony: Ceremony,
        /// The hash that the program carries.
        expected: Sha256Hash,
    },
    /// The fast prover can't prove this circuit.
    #[error(transparent)]
    Unusable(#[from] plonk::UnusableKey),
}
