//! What can be wrong with an action in any game, by name. The contracts' errors have the same names where they have them too.

use thiserror::Error;

/// Why an action doesn't count, or can't be made; `W` is what only one game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault<W> {
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
    #[error("nobody can play against themselves")]
    SelfPlay,
    /// The time to join is over.
    #[error("the game can't be joined any more")]
    Expired,
    /// The time for the action is over: who withholds it has lost.
    #[error("the time for that is over")]
    OutOfTime,
    /// There is time left until this second.
    #[error("there is time left until {0}")]
    StillInTime(u64),
    /// A rule of the game itself is broken.
    #[error("{0}")]
    Rule(W),
}

impl<W> From<W> for Fault<W> {
    fn from(wrong: W) -> Self {
        Self::Rule(wrong)
    }
}
