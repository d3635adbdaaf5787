//! What is proved: a public struct, a private struct and a native check each. The circuits have the same names, in
//! `circuits::statement::tag`; they are in *turn*'s shape, so one verifier's code serves them with a key each, and further public inputs are 0.

pub mod capture;
pub mod reply;
pub mod step;

/// Which relation of a statement doesn't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the statement doesn't hold: {self:?}")]
pub enum Unmet {
    /// The king leaves the grid.
    #[error("the king does not stand on the grid")]
    Grid,
    /// The king doesn't start where it has to.
    Start,
    /// No king's step leads there.
    #[error("no step of a king leads there")]
    Step,
    /// The commitment before doesn't open to square and salt, or a placed king had one.
    Previous,
    /// The commitment isn't the position's.
    Commitment,
    /// The set isn't the raised neighbourhood of the new position.
    Set,
    /// The hash is another set's.
    SetHash,
    /// A point of the set isn't on the curve.
    OffCurve,
    /// A point wasn't raised by the committed exponent.
    Raised,
    /// The replier's element is another point, or none of the curve.
    Own,
    /// The captor's exponent doesn't lead from the replier's element to the raised point.
    Shared,
}
