//! What can go wrong with a game of a small contract, each in one clear sentence.

use alloy::primitives::{Address, B256};
use alloy::sol_types::SolError as _;
use alloy::transports::TransportError;
use chain::send::revert;
use chain::{Class, Classified, SendError};
use contest::Fault;
use thiserror::Error;

use super::contract::IContest;
use super::refusal::{KNOWN_GAME, NO_OPPONENT, OwnRefusal, refusal};
use crate::chain::ChainError;

/// What can go wrong with a game.
#[derive(Debug, Error)]
pub enum GameError<G: OwnRefusal> {
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
    Refused(String),
    /// The contract refuses to open a game that is there already; nothing was sent.
    #[error("the contract refuses: {KNOWN_GAME}")]
    GameExists,
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
    Fault(Fault<G::Wrong>),
    /// What the chain has recorded isn't in order. With our contract that can't be: the node tells it falsely.
    #[error("the chain's record {index} of this game is not in order: {fault}")]
    NotInOrder {
        /// The record, from 0.
        index: usize,
        fault: Fault<G::Wrong>,
    },
    /// The node says something that can't be.
    #[error("the node's answer makes no sense: {0}")]
    Nonsense(&'static str),
    /// A part of this program failed; a defect.
    #[error("a part of this program failed: {0}")]
    Stopped(String),
}

impl<G: OwnRefusal> Classified for GameError<G> {
    /// In a game that is played also what can't be may pass, or that the game isn't there: a machine is behind, lacks its logs, tells them falsely, or tells
    /// a revert without its reason. So may a disk without room.
    fn class(&self) -> Class {
        use ChainError::{Behind, NodesDisagree, Send};
        use SendError::{Contradicts, GivenUp, Record};
        match self {
            Self::NoGame { .. } | Self::Refused(_) | Self::GameExists => Class::Refused,
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

impl<G: OwnRefusal> GameError<G> {
    /// What came of opening a game. That it is there already is no refusal: nobody else can open it.
    pub(super) fn of_opening(self, game: B256) -> Self {
        match self {
            Self::Chain(ChainError::Send(SendError::NotConfirmed { .. })) => Self::BeingOpened(game),
            Self::GameExists => Self::LateReceipt(game),
            other => other,
        }
    }
}

impl<G: OwnRefusal> From<ChainError> for GameError<G> {
    fn from(error: ChainError) -> Self {
        match error {
            ChainError::Send(SendError::Reverts { message, data }) => match refusal::<G>(&data) {
                Some(_) if data.starts_with(&IContest::GameExists::SELECTOR) => Self::GameExists,
                Some(words) => Self::Refused(words),
                None => Self::Fails(message),
            },
            ChainError::Failed { transaction, .. } => Self::Reverted(transaction),
            ChainError::Nonsense(what) => Self::Nonsense(what),
            other => Self::Chain(other),
        }
    }
}

impl<G: OwnRefusal> From<TransportError> for GameError<G> {
    fn from(error: TransportError) -> Self {
        ChainError::from(error).into()
    }
}

impl<G: OwnRefusal> From<alloy::contract::Error> for GameError<G> {
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
