//! What can go wrong with a game of dice: the contract's refusals, each in one clear sentence.

use std::fmt;

use alloy::sol_types::SolInterface as _;
use dice::Fault;
use game::date;

use super::contract::IDiceGame::{IDiceGameErrors, Status};
use crate::connection::{self, GameError, NO_OPPONENT};

/// What unfit terms are told.
pub(super) const BAD_TERMS: &str = "a roll must have between one second (for a stake five minutes) and thirty days, and the game can be joined for thirty \
                                    days at most";

/// What can go wrong with a game of dice.
pub type DiceError = GameError<Refusal, Fault>;

impl connection::Refusal for Refusal {
    fn decode(data: &[u8]) -> Option<Self> {
        IDiceGameErrors::abi_decode(data).ok().map(Self)
    }

    fn is_of_known_game(&self) -> bool {
        matches!(self.0, IDiceGameErrors::GameExists(_))
    }
}

/// A refusal of the contract in words. The match has no catch-all: a new error needs its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub(super) IDiceGameErrors);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use IDiceGameErrors as E;
        match &self.0 {
            E::WrongStatus(e) => write!(f, "the game is {}", status(e.status)),
            E::WrongStake(e) => write!(f, "the stake of this game is {} wei", e.expected),
            E::StillInTime(e) => write!(f, "there is time left, until {}", date(e.deadline.saturating_to())),
            E::WrongHead(e) => write!(f, "the roll follows another message than the latest, {}", e.expected),
            E::NotYourTurn(_) => f.write_str("it is the opponent's turn"),
            E::NotPlayer(_) => f.write_str("only the game's players can do that"),
            E::NoOpponent(_) => f.write_str(NO_OPPONENT),
            E::NotInvited(_) => f.write_str("the game is for another, invited opponent"),
            E::SelfPlay(_) => f.write_str("nobody can play against themselves"),
            E::GameExists(_) => f.write_str("this very game exists already"),
            E::BadTerms(_) => f.write_str(BAD_TERMS),
            E::Expired(_) => f.write_str("the game can't be joined any more: it has waited too long"),
            E::OutOfTime(_) => f.write_str("the time for the roll is over, and has decided the game"),
            E::WrongReveal(_) => f.write_str("the number revealed is not the one promised"),
            E::NothingOwed(_) => f.write_str("there is nothing to withdraw"),
            E::TransferFailed(_) => f.write_str("the account does not accept the payment"),
        }
    }
}

fn status(status: Status) -> &'static str {
    match status {
        Status::None => "unknown to the contract",
        Status::Open => "still waiting for an opponent",
        Status::Playing => "in play",
        Status::Over => "over",
        Status::__Invalid => "in a state that this program doesn't know",
    }
}
