//! What players of tag say.

use fog::F;
use thiserror::Error;

use crate::tag::{NEIGHBOURHOOD, Set, statement::Unmet};

/// A king's new position, in public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub commitment: F,
    /// The set of its neighbourhood.
    pub set: Set,
    /// The proof of *tag step*.
    pub proof: Vec<u8>,
}

/// The reply to a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The x-coordinates of the set's points, raised by the replier's exponent.
    pub raised: [F; NEIGHBOURHOOD],
    /// That of the point of the replier's square, raised by the same.
    pub own: F,
}

/// What the player that is due does.
#[expect(clippy::large_enum_variant, reason = "a handful a ply")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Makes a step, and replies to the opponent's standing set from the new position.
    Step {
        placement: Placement,
        /// The reply to the opponent's set.
        reply: Reply,
        /// The proof of *tag reply*.
        proof: Vec<u8>,
    },
    /// Replies to the new set of the opponent's.
    Reply {
        reply: Reply,
        /// The proof of *tag reply*.
        proof: Vec<u8>,
    },
    /// Shows that the reply with the latest step has the opponent's king in it.
    Capture {
        /// The place in the own set, 0 to 8.
        place: u8,
        /// The proof of *tag capture*.
        proof: Vec<u8>,
    },
    /// Has no capture to show after the last ply: drawn.
    Settle,
}

/// How a move can break the rules, or can't be made. The contract's errors have the same names where it has them too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// The proof of a step isn't one for this game as it stands.
    #[error("the step is not proven")]
    StepProof,
    /// The proof of a reply isn't one for this set and this commitment.
    #[error("the reply is not proven")]
    ReplyProof,
    /// The proof of a capture isn't one for the reply that was given.
    #[error("the capture is not proven")]
    CaptureProof,
    /// There was no step yet, whose reply could show a king.
    #[error("no reply has been given to capture by")]
    NothingAnswered,
    /// A set has nine places.
    #[error("a set has no place {0}")]
    NoPlace(u8),
    /// The reply shows no king.
    #[error("the reply shows no king in the neighbourhood")]
    NotFound,
    /// An x-coordinate has no point of the curve.
    #[error("an x-coordinate has no point on the curve")]
    OffCurve,
    /// A reply shows a king where no grid is.
    #[error("the reply shows a king off the grid")]
    Unanswerable,
    /// The king can't go there.
    #[error("the king can't go there: {0}")]
    IllegalStep(Unmet),
    /// A commitment of this player isn't one of its secrets.
    #[error("the commitment on record is not one of this player's secrets")]
    ForeignPosition,
    /// No king stands where one is needed.
    #[error("a king is not placed yet")]
    NotPlaced,
    /// The proof system made no proof.
    #[error("no proof was made")]
    NotProved,
}
