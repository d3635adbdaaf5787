//! What events no game has, and in which order none come.

use crate::{Outcome, RegistrationError, move_name};
use alloy_primitives::Address;

/// Why an event can't follow on the ones before it. The contract emits no such events.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// An event out of its order, such as a move before the coin toss.
    #[error("{event} can't come {when}")]
    OutOfOrder {
        event: &'static str,
        /// Where in the game it came.
        when: &'static str,
    },
    #[error("somebody who isn't a player of the game acted in it")]
    NotAPlayer,
    /// The other player's turn.
    #[error("{} is not that player's", move_name(*.0))]
    WrongTurn(u16),
    /// A ply left out or repeated.
    #[error("{} is due, and not {}", move_name(*.expected), move_name(*.got))]
    WrongPly {
        /// The ply to come.
        expected: u16,
        got: u16,
    },
    /// `basis` is not what the state of the game makes it.
    #[error("{} was made in another position than the one it comes to", move_name(*.0))]
    WrongBasis(u16),
    /// An answer or a capture where there can be none, or a fallen king that wasn't captured.
    #[error("{}: {what}", move_name(*.ply))]
    Impossible { ply: u16, what: &'static str },
    /// The coin toss was opened to something else, or the colors aren't what it says.
    #[error("the coin toss is not what was committed to")]
    WrongToss,
    /// The game's id is not that of what its creation says.
    #[error("the game's id doesn't belong to its terms")]
    WrongId,
    /// An answer that nobody has demanded, or a claim that is none.
    #[error("nobody has asked for {0}")]
    Unasked(&'static str),
    /// What a player registered, which the contract doesn't take.
    #[error(transparent)]
    Registration(#[from] RegistrationError),
    /// A woken position that isn't the one that the plies before it lead to.
    #[error("the game was woken in another position before {} than its moves lead to", move_name(*.0))]
    OtherPosition(u16),
    /// A position in the place of one that is not before it.
    #[error("the game was woken again at {}, which is no later one", move_name(*.0))]
    NotLater(u16),
    #[error("{0} can't come while a demand or a claim is open")]
    OnHold(&'static str),
    /// Too few plies without a capture, or too few since a claim that has failed.
    #[error("fifty moves can't be claimed at {}", move_name(*.0))]
    NoClaim(u16),
    /// The creator, or somebody else than who was invited.
    #[error("{0:#x} can't join the game")]
    Uninvited(Address),
    /// The ply of a claim that has failed, after which the next ones are barred for a fixed number of plies.
    #[error("the claim that failed at {} can't bar the next ones for so many moves", move_name(*.0))]
    WrongBar(u16),
    /// What comes in the transaction of another event doesn't come with it.
    #[error("the end of the game doesn't come with what has ended it")]
    NoEnd,
    #[error("a bond is paid out that nobody has put in")]
    WrongBond,
    /// By the times of the blocks.
    #[error("{0} can't come at this time")]
    Late(&'static str),
    /// By the times of the blocks no time was up, or another than this.
    #[error("by the clocks the game can't have ended like that: {0}")]
    NotDue(Outcome),
    /// What needs a proof, in a game whose moves nobody proves.
    #[error("there can't be {0} in a game of mode unproven")]
    Unproven(&'static str),
    /// A result that doesn't follow from the game.
    #[error("the game can't have ended like that: {0}")]
    WrongOutcome(Outcome),
}
