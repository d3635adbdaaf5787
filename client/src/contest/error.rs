//! What can go wrong with a game of a small contract, each in one clear sentence.

use std::fmt::{Debug, Display};

use alloy::primitives::{Address, B256};
use alloy::transports::TransportError;
use chain::send::revert;
use chain::{Class, Classified, SendError};
use contest::Fault;
use thiserror::Error;

use crate::chain::ChainError;

/// A contract's refusals, in words.
pub trait Refusal: Display + Debug + Sized {
    /// The refusal in the data of a revert, if the contract made it.
    fn decode(data: &[u8]) -> Option<Self>;

    /// Whether it says that there is a game of this id already.
    fn is_of_known_game(&self) -> bool;
}

/// What can go wrong: `R` are the contract's refusals, and `W` what can be wrong with a move.
#[derive(Debug, Error)]
pub enum GameError<R, W> {
    /// The chain can't be asked, or what was sent is not in a block.
    #[error(transparent)]
    Chain(ChainError),
    /// The contract knows no such game.
    #[error("there is no game of {of} {game} on this chain")]
    NoGame {
        /// Which game, as in "dice".
        of: &'static str,
        game: B256,
    },
    /// The contract refuses; nothing was sent.
    #[error("the contract refuses: {0}")]
    Refused(R),
    /// The transaction would fail for a reason that isn't in the contract's interface; nothing was sent.
    #[error("the transaction would fail: {0}")]
    Fails(String),
    /// The transaction was included and failed: another one came first, or time was over.
    #[error("the transaction {0} failed")]
    Reverted(B256),
    /// The game has both players, or is over.
    #[error("the game is not open any more")]
    NotOpen,
    /// A game's opening is signed and in no block so far.
    #[error(
        "the game {0} is being opened, and its transaction is in no block yet: it stays on its way, and the same command again waits for it"
    )]
    BeingOpened(B256),
    /// A game is there, and the node has no receipt of its opening so far, or has lost it: a second opening would pay a second stake.
    #[error(
        "the game {0} is on the chain, and the node doesn't show the transaction that opened it so far: the same command again goes on with it, and \
         --another opens one more"
    )]
    LateReceipt(B256),
    /// An opening with other terms is signed and in no block so far: a second one would pay a second stake. Nothing was signed.
    #[error(
        "the game {game}, for a stake of {ether} ETH each, is being opened, and its transaction is in no block yet: the command that has opened it, \
         given again, waits for it; another game can be opened once it is there",
        ether = crate::chain::in_ether(*.stake)
    )]
    OtherOpening {
        /// The game that is being opened.
        game: B256,
        /// What it is opened with, in wei.
        stake: u128,
    },
    /// Nothing stands where the game's contract stood.
    #[error("there is no contract where the game's stood: was the chain begun anew, or is the node another chain's?")]
    NoContract,
    /// A stake without a named opponent.
    #[error("{NO_OPPONENT}")]
    NoOpponent,
    /// The terms don't fit the contract.
    #[error("{0}")]
    BadTerms(&'static str),
    /// This wallet doesn't play the game.
    #[error("the wallet {0:#x} does not play this game")]
    NotPlayer(Address),
    /// The player hasn't agreed to the stake, in wei.
    #[error("the game is for a stake of {ether} ETH: say --stake {ether} to agree", ether = crate::chain::in_ether(*.0))]
    OtherStake(u128),
    /// Stakes are for local chains.
    #[error(
        "games for a stake are offered on local chains only as yet: this program has not stood a real chain's fees and nodes: say --stake 0"
    )]
    StakesNotYet,
    /// The player's own machine can't do that now.
    #[error("not possible: {0}")]
    Fault(Fault<W>),
    /// What the chain has recorded isn't in order. With our contract that can't be: the node tells it falsely.
    #[error("the chain's record {index} of this game is not in order: {fault}")]
    NotInOrder {
        /// The record, from 0.
        index: usize,
        fault: Fault<W>,
    },
    /// The node says something that can't be.
    #[error("the node's answer makes no sense: {0}")]
    Nonsense(&'static str),
    /// A part of this program failed; a defect.
    #[error("a part of this program failed: {0}")]
    Stopped(String),
}

/// What a stake without a named opponent is told.
pub(super) const NO_OPPONENT: &str = "a game for a stake needs a named opponent: say --opponent ADDRESS";

impl<R, W> Classified for GameError<R, W> {
    /// In a game that is played also what can't be may pass, or that the game isn't there: a machine is behind, lacks its logs, tells them falsely, or tells
    /// a revert without its reason. So may a disk without room.
    fn class(&self) -> Class {
        use ChainError::{Behind, NodesDisagree, Send};
        use SendError::{Contradicts, GivenUp, Record};
        match self {
            Self::NoGame { .. } | Self::Refused(_) => Class::Refused,
            Self::Fault(Fault::NotYourTurn | Fault::WrongStatus | Fault::OutOfTime) => Class::Refused,
            Self::NotOpen | Self::NoOpponent | Self::BadTerms(_) | Self::OtherOpening { .. } => Class::Usage,
            Self::NotPlayer(_) | Self::OtherStake(_) | Self::StakesNotYet | Self::Fault(_) => Class::Usage,
            Self::Fails(_) | Self::Reverted(_) | Self::NoContract => Class::Retry,
            Self::Nonsense(_) | Self::NotInOrder { .. } => Class::Retry,
            Self::Chain(Send(Contradicts | GivenUp(_) | Record(_)) | Behind | NodesDisagree(_)) => Class::Retry,
            Self::Chain(error) if error.class() == Class::Refused => Class::Fatal,
            Self::Chain(error) => error.class(),
            Self::BeingOpened(_) | Self::LateReceipt(_) | Self::Stopped(_) => Class::Fatal,
        }
    }
}

impl<R: Refusal, W> GameError<R, W> {
    /// What came of opening a game. That it is there already is no refusal: nobody else can open it.
    pub(super) fn of_opening(self, game: B256) -> Self {
        match self {
            Self::Chain(ChainError::Send(SendError::NotConfirmed { .. })) => Self::BeingOpened(game),
            Self::Refused(refusal) if refusal.is_of_known_game() => Self::LateReceipt(game),
            other => other,
        }
    }
}

impl<R: Refusal, W> From<ChainError> for GameError<R, W> {
    fn from(error: ChainError) -> Self {
        match error {
            ChainError::Send(SendError::Reverts { message, data }) => match R::decode(&data) {
                Some(refusal) => Self::Refused(refusal),
                None => Self::Fails(message),
            },
            ChainError::Failed { transaction, .. } => Self::Reverted(transaction),
            ChainError::Nonsense(what) => Self::Nonsense(what),
            other => Self::Chain(other),
        }
    }
}

impl<R: Refusal, W> From<TransportError> for GameError<R, W> {
    fn from(error: TransportError) -> Self {
        ChainError::from(error).into()
    }
}

impl<R: Refusal, W> From<alloy::contract::Error> for GameError<R, W> {
    fn from(error: alloy::contract::Error) -> Self {
        match error {
            alloy::contract::Error::TransportError(error) => match revert(&error) {
                Some((message, data)) => ChainError::from(SendError::Reverts { message, data }).into(),
                None => error.into(),
            },
            alloy::contract::Error::ZeroData(..) => Self::NoContract,
            _ => Self::Nonsense("a call's result doesn't have the shape that the interface gives it"),
        }
    }
}
