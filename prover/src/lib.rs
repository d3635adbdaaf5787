//! KZG parameters, keys, proofs and Solidity verifiers of the statements in the protocol's section 7.
//!
//! Nothing here knows what a statement says: everything is generic over its circuit, but for [`ChessVerifiers`], [`TagProofs`] and [`SetKeys`], which put some of them
//! behind the trait of their game or engine. Where files lie is the caller's choice.

mod cache;
mod chess_verifiers;
mod digest;
mod key_error;
mod keys;
mod length;
mod progress;
mod proof;
mod set_keys;
mod solidity;
mod srs;
mod statement;
mod tag_proofs;

pub use cache::{Inspected, inspect};
pub use chess_verifiers::ChessVerifiers;
pub use digest::Sha256Hash;
pub use key_error::KeyError;
pub use keys::{Keys, Verifier, key_hashes};
pub use plonk::{Lanes, ProofStage, UnknownChoice, Unwatched, Watch};
pub use progress::{NoProgress, Progress, Stage};
pub use proof::{ProofError, warn_by};
pub use set_keys::{SetKeys, StepKeys};
pub use solidity::{Shape, SolidityError, SolidityKey, SolidityVerifier};
pub use srs::{Ceremony, Point, Powers, Srs, SrsError};
pub use statement::{Backend, Statement, Transcript};
pub use tag_proofs::{TagProofs, TagVerifiers};
