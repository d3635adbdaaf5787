//! Why a proof is not made.

use halo2_proofs::plonk;
use std::io;

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// Instance columns of another number, or longer than the circuit's rows.
    #[error("the public inputs don't fit the circuit")]
    Instances,
    /// The circuit can't be laid out with these private inputs.
    #[error("the circuit can't be laid out")]
    Layout(#[from] plonk::Error),
    /// A lookup's input isn't in its table.
    #[error("an input of a lookup is not in its table")]
    Lookup,
    /// Whoever watches doesn't want the proof any more.
    #[error("the proof was cancelled")]
    Cancelled,
    /// The transcript can't be written, or the point at infinity can't be written to it.
    #[error("the transcript can't be written")]
    Transcript(#[from] io::Error),
}
