//! What can be wrong with an action, by name. The contract's errors have the same names where it has them too.

use thiserror::Error;

use crate::statement::step::StepError;

/// Why an action doesn't count, or can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The game isn't where such an action belongs.
    #[error("the game is not in the state for that")]
    WrongStatus,
    /// Another player's action is due, or the sender isn't a player.
    #[error("it is not the sender's turn")]
    NotYourTurn,
    /// The sender doesn't play this game.
    #[error("the sender is not a player of this game")]
    NotPlayer,
    /// The game is for another opponent.
    #[error("the game is for another opponent")]
    NotInvited,
    /// Nobody plays against itself.
    #[error("nobody plays against itself")]
    SelfPlay,
    /// The time to join is over.
    #[error("the game can't be joined any more")]
    Expired,
    /// The time for the action is over: a withheld step or reply has lost.
    #[error("the time for that is over")]
    OutOfTime,
    /// There is time left until this second.
    #[error("there is time left until {0}")]
    StillInTime(u64),
    /// The proof of a step isn't one for this game as it stands.
    #[error("the step is not proven")]
    WrongStepProof,
    /// The proof of a reply isn't one for this set and this commitment.
    #[error("the reply is not proven")]
    WrongReplyProof,
    /// The proof of a capture isn't one for the reply that was given.
    #[error("the capture is not proven")]
    WrongCaptureProof,
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
    IllegalStep(#[from] StepError),
    /// A commitment of this player isn't one of its secrets.
    #[error("the commitment on record is not one of this player's secrets")]
    ForeignPosition,
    /// The proof system made no proof.
    #[error("no proof was made")]
    NotProved,
}
