//! What can be wrong with an action, by name. The contract's errors have the same names, but for those of a declared die and square: it declares
//! them itself.

use alloy_primitives::B256;
use thiserror::Error;

use crate::{Die, Square};

/// Why an action doesn't count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The game isn't where such an action belongs.
    #[error("the game is not in the state for that")]
    WrongStatus,
    /// It is the other player's turn, or the sender isn't a player.
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
    /// The time for the roll is over: a withheld reveal has lost.
    #[error("the time for the roll is over")]
    OutOfTime,
    /// There is time left until this second.
    #[error("there is time left until {0}")]
    StillInTime(u64),
    /// The message follows another one than the latest: it is out of order, repeated, or of another game.
    #[error("the message does not follow the latest one, whose head is {0}")]
    WrongHead(B256),
    /// The number shown isn't the one promised.
    #[error("the number revealed is not the one promised")]
    WrongReveal,
    /// The die isn't the one that the two numbers give.
    #[error("the die shows {found}, and not {declared}")]
    WrongDie { declared: Die, found: Die },
    /// The square isn't the one that the die leads to.
    #[error("the roll leads to {found}, and not to {declared}")]
    WrongSquare { declared: Square, found: Square },
}
