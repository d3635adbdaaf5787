//! What can go wrong with a game of dice, each in one clear sentence.

use std::fmt;

use alloy::primitives::{Address, B256};
use alloy::transports::TransportError;
use dice::Fault;
use rpc::NodeError;
use thiserror::Error;

use super::contract::IDiceGame::{IDiceGameErrors, Status};

const BAD_TERMS: &str = "a roll must have between one second and thirty days, and the game some time to be joined";

const NO_OPPONENT: &str = "a game for a stake needs a named opponent: say --opponent ADDRESS";

/// What can go wrong.
#[derive(Debug, Error)]
pub enum DiceError {
    /// The node can't be reached, or answers with an error.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The node is on another chain.
    #[error("the node is on chain {found}, not on chain {expected}")]
    WrongChain {
        /// The chain that was asked for.
        expected: u64,
        /// The chain of the node.
        found: u64,
    },
    /// The contract knows no such game.
    #[error("there is no game of dice {0} on this chain")]
    NoGame(B256),
    /// The contract refuses; nothing was sent.
    #[error("the contract refuses: {0}")]
    Refused(Refusal),
    /// The transaction would fail for a reason that isn't in the contract's interface; nothing was sent.
    #[error("the transaction would fail: {0}")]
    Fails(String),
    /// The transaction isn't in a block yet; it may still come.
    #[error("the transaction {0} has not been included in time; it may still be")]
    NotIncluded(B256),
    /// The transaction was included and failed: another one came first.
    #[error("the transaction {0} failed")]
    Reverted(B256),
    /// An action without a wallet to sign it.
    #[error("this connection has no wallet and can only read")]
    ReadOnly,
    /// The game has both players, or is over.
    #[error("the game is not open any more")]
    NotOpen,
    /// A stake without a named opponent.
    #[error("{NO_OPPONENT}")]
    NoOpponent,
    /// The terms don't fit the contract.
    #[error("{BAD_TERMS}")]
    BadTerms,
    /// This wallet doesn't play the game.
    #[error("the wallet {0:#x} does not play this game")]
    NotPlayer(Address),
    /// The player hasn't agreed to the stake.
    #[error("the game is for a stake of {ether} ETH: say --stake {ether} to agree", ether = crate::lobby::in_ether(*.0))]
    OtherStake(u128),
    /// Stakes are for local chains.
    #[error(
        "games for a stake are offered on local chains only as yet: this program has not stood a real chain's fees and nodes: say --stake 0"
    )]
    StakesNotYet,
    /// The player's own machine can't do that now.
    #[error("not possible: {0}")]
    Fault(#[from] Fault),
    /// What the chain has recorded isn't in order: with our contract that can't be.
    #[error("the chain's record {index} of this game is not in order: {fault}")]
    NotInOrder {
        /// The record, from 0.
        index: usize,
        /// Why.
        fault: Fault,
    },
    /// The node says something that can't be.
    #[error("the node's answer makes no sense: {0}")]
    Nonsense(&'static str),
}

impl DiceError {
    /// Whether the user can put it right by saying something else; otherwise something failed.
    pub fn is_of_the_user(&self) -> bool {
        use DiceError::{BadTerms, Fault, NoGame, NoOpponent, NotOpen, NotPlayer, OtherStake, Refused, StakesNotYet};
        let node_url = matches!(self, Self::Node(NodeError::Url(_)));
        node_url
            || matches!(
                self,
                BadTerms
                    | NoOpponent
                    | NoGame(_)
                    | NotOpen
                    | NotPlayer(_)
                    | OtherStake(_)
                    | StakesNotYet
                    | Refused(_)
                    | Fault(_)
            )
    }
}

impl From<TransportError> for DiceError {
    fn from(error: TransportError) -> Self {
        Self::Node(error.into())
    }
}

impl From<alloy::contract::Error> for DiceError {
    fn from(error: alloy::contract::Error) -> Self {
        if let Some(refusal) = error.as_decoded_interface_error::<IDiceGameErrors>() {
            return Self::Refused(Refusal(refusal));
        }
        match error {
            alloy::contract::Error::TransportError(error) if error.is_error_resp() => {
                Self::Fails(NodeError::from(error).to_string())
            }
            alloy::contract::Error::TransportError(error) => error.into(),
            other => Self::Fails(other.to_string()),
        }
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
            E::StillInTime(e) => write!(f, "there is time left until {} (seconds since 1970)", e.deadline),
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
