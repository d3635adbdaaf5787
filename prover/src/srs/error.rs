//! Why KZG parameters are refused.

use crate::Sha256Hash;
use std::path::PathBuf;

/// Which point of a ceremony's file is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
pub enum Point {
    /// τⁱ times the generator of G1.
    #[display("power {_0} of τ in G1")]
    Power(usize),
    /// The generator of G2.
    #[display("the generator of G2")]
    G2,
    /// τ times the generator of G2.
    #[display("τ in G2")]
    TauG2,
}

/// Why KZG parameters are refused.
#[derive(Debug, thiserror::Error)]
pub enum SrsError {
    /// The file can't be read.
    #[error("{path} can't be read")]
    Io {
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is larger than this program reads at once.
    #[error("the file has {bytes} bytes: take a smaller file of the same ceremony (limit {limit})")]
    TooLarge {
        bytes: u64,
        /// The longest file that is read.
        limit: u64,
    },
    /// The file is of no ceremony that this program knows.
    #[error(
        "the file's τ is not one of a known ceremony: if you have checked the file yourself, pass its SHA-256 {0} explicitly"
    )]
    Unknown(Sha256Hash),
    /// The file is not the one that was asked for.
    #[error("the file's SHA-256 is {got}, not {expected}")]
    WrongHash {
        /// The hash that the caller pinned.
        expected: Sha256Hash,
        got: Sha256Hash,
    },
    /// Neither of the two formats.
    #[error("the file is neither in snarkjs' .ptau format nor in Aztec Ignition's")]
    WrongMagic,
    /// A version of the `.ptau` format that this program doesn't know.
    #[error("version {0} of the .ptau format is not known")]
    UnknownVersion(u32),
    /// The file ends too early.
    #[error("the file is truncated: it ends within {0}")]
    Truncated(&'static str),
    /// The file goes on after its end.
    #[error("the file has {0} bytes too many")]
    TrailingBytes(usize),
    /// A section is missing.
    #[error("the .ptau file has no section {0}")]
    MissingSection(u32),
    /// A section is there twice.
    #[error("the .ptau file has section {0} twice")]
    DuplicateSection(u32),
    /// A section's length contradicts the header.
    #[error("section {section} of the .ptau file has {got} bytes, not {expected}")]
    WrongSectionLength {
        section: u32,
        /// What the header calls for.
        expected: u64,
        /// What the file has.
        got: u64,
    },
    /// A header that contradicts itself.
    #[error("the file's header can't be right: {0}")]
    WrongHeader(&'static str),
    /// Points of another curve.
    #[error("the .ptau file is for another curve: its prime isn't that of bn254's base field")]
    WrongPrime,
    #[error("the file has {powers} powers of τ, but 2^{k} are needed")]
    TooSmall {
        /// The powers in the file.
        powers: u64,
        /// The base-two logarithm of what is needed.
        k: u32,
    },
    /// A coordinate at or above the field's modulus.
    #[error("a coordinate of {0} is not below the field's modulus")]
    NotCanonical(Point),
    /// A point at infinity.
    #[error("{0} is the point at infinity")]
    Infinity(Point),
    /// A point off the curve.
    #[error("{0} is not on the curve")]
    NotOnCurve(Point),
    /// A point outside the subgroup of prime order.
    #[error("{0} is not in the subgroup")]
    NotInSubgroup(Point),
    /// The generator isn't the usual one.
    #[error("{0} is not the curve's usual generator")]
    WrongGenerator(Point),
    /// The points aren't powers of one τ.
    #[error("the pairing check failed: the points are not consecutive powers of one τ")]
    NotPowersOfTau,
    /// Parameters whose secret everybody knows, in the clothes of a ceremony.
    #[error("the file holds parameters whose secret is publicly known")]
    KnownSecret,
}
