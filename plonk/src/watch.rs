//! What a proof says while it is made, and how it is told to stop.

use std::time::Duration;

/// A part of the work on a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, derive_more::Display)]
pub enum ProofStage {
    /// The circuit fills its cells.
    #[display("filling the circuit")]
    Witness,
    /// Commitments to the advice columns.
    #[display("committing to the witness")]
    Advice,
    /// Lookups sorted, products made, commitments to them.
    #[display("permutations and lookups")]
    Products,
    /// The quotient of all constraints, and commitments to its pieces.
    #[display("the quotient")]
    Quotient,
    /// Evaluations, and the proof that they are right.
    #[display("the openings")]
    Opening,
}

impl ProofStage {
    /// All stages, in the order of the work.
    pub const ALL: [Self; 5] = [Self::Witness, Self::Advice, Self::Products, Self::Quotient, Self::Opening];
}

/// Somebody who watches a proof being made. Called from any thread.
pub trait Watch: Sync {
    fn begins(&self, _stage: ProofStage) {}

    /// Who verified the finished proof took so long.
    fn verified(&self, _time: Duration) {}

    /// Whether nobody wants the proof any more; asked before every commitment and transform of a column, not while cells
    /// are filled or constraints evaluated.
    fn is_cancelled(&self) -> bool {
        false
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
