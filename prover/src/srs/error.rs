//! Why KZG parameters are refused.

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
    /// The file is of another ceremony, or of parameters whose secret is publicly known.
    #[error("the file is of another ceremony than Aztec's Ignition, the only one that this program has keys of")]
    OtherCeremony,
    /// The file is in another format, such as snarkjs' `.ptau`.
    #[error(
        "the file isn't in the format of Aztec's Ignition, the only ceremony that this program has keys of; .ptau files are of others"
    )]
    WrongFormat,
    /// The file ends too early.
    #[error("the file is truncated: it ends within {0}")]
    Truncated(&'static str),
    /// The file goes on after its end.
    #[error("the file has {0} bytes too many")]
    TrailingBytes(usize),
    /// A header that contradicts itself.
    #[error("the file's header can't be right: {0}")]
    WrongHeader(&'static str),
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
}
