//! What can go wrong with a game of a small contract, each in one clear sentence.

use std::fmt::{Debug, Display};

use alloy::primitives::{Address, B256, Bytes};
use alloy::transports::TransportError;
use chain::NodeError;
use thiserror::Error;

use crate::chain::ChainError;

/// A contract's refusals, in words.
pub trait Refusal: Display + Debug + Sized {
    /// The refusal in the data of a revert, if the contract made it.
    fn decode(data: &[u8]) -> Option<Self>;

    /// Whether it says that there is a game of this id already.
    fn is_of_known_game(&self) -> bool;
}

/// What can go wrong: `R` are the contract's refusals, `F` the faults of a player's own machine.
#[derive(Debug, Error)]
pub enum GameError<R, F> {
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
    Fault(F),
    /// What the chain has recorded isn't in order. With our contract that can't be: the node tells it falsely.
    #[error("the chain's record {index} of this game is not in order: {fault}")]
    NotInOrder {
        /// The record, from 0.
        index: usize,
        fault: F,
    },
    /// The node says something that can't be.
    #[error("the node's answer makes no sense: {0}")]
    Nonsense(&'static str),
    /// A part of this program failed; a defect.
    #[error("a part of this program failed: {0}")]
    Stopped(String),
}

/// What a stake without a named opponent is told.
pub(crate) const NO_OPPONENT: &str = "a game for a stake needs a named opponent: say --opponent ADDRESS";

impl<R, F> GameError<R, F> {
    /// Whether the user can put it right by saying something else; otherwise something failed.
    pub fn is_of_the_user(&self) -> bool {
        match self {
            Self::Chain(ChainError::Node(NodeError::Url(_)) | ChainError::CannotPay { .. }) => true,
            Self::Chain(ChainError::Node(NodeError::OtherChain { .. } | NodeError::OtherGenesis { .. })) => true,
            Self::NoGame { .. } | Self::Refused(_) | Self::NotOpen | Self::NoOpponent | Self::BadTerms(_) => true,
            Self::OtherOpening { .. }
            | Self::NotPlayer(_)
            | Self::OtherStake(_)
            | Self::StakesNotYet
            | Self::Fault(_) => true,
            Self::Chain(_) | Self::Fails(_) | Self::Reverted(_) => false,
            Self::BeingOpened(_) | Self::LateReceipt(_) => false,
            Self::NotInOrder { .. } | Self::Nonsense(_) | Self::NoContract | Self::Stopped(_) => false,
        }
    }

    /// Whether it is one that another look may not have, but for faults. In a game that is played that it isn't there, or what can't be, is one of these:
    /// a machine is behind, lacks its logs, tells them falsely, or tells a revert without its reason. So is a disk without room.
    pub fn may_pass(&self) -> bool {
        use ChainError::{Behind, GivenUp, NodesDisagree, OtherMove, Record};
        match self {
            Self::Chain(OtherMove | GivenUp(_) | Behind | NodesDisagree(_) | Record(_)) => true,
            Self::Refused(_) | Self::Reverted(_) => true,
            Self::NoGame { .. } | Self::NoContract | Self::Fails(_) => true,
            Self::Nonsense(_) | Self::NotInOrder { .. } => true,
            Self::Chain(error) => error.is_passing(),
            _ => false,
        }
    }
}

impl<R: Refusal, F> GameError<R, F> {
    /// What came of opening a game. That it is there already is no refusal: nobody else can open it.
    pub(crate) fn of_opening(self, game: B256) -> Self {
        match self {
            Self::Chain(ChainError::NotConfirmed { .. }) => Self::BeingOpened(game),
            Self::Refused(refusal) if refusal.is_of_known_game() => Self::LateReceipt(game),
            other => other,
        }
    }
}

impl<R: Refusal, F> From<ChainError> for GameError<R, F> {
    fn from(error: ChainError) -> Self {
        match error {
            ChainError::Reverts { message, data } => match R::decode(&data) {
                Some(refusal) => Self::Refused(refusal),
                None => Self::Fails(message),
            },
            ChainError::Failed { transaction, .. } => Self::Reverted(transaction),
            ChainError::Nonsense(what) => Self::Nonsense(what),
            other => Self::Chain(other),
        }
    }
}

impl<R: Refusal, F> From<TransportError> for GameError<R, F> {
    fn from(error: TransportError) -> Self {
        ChainError::from(error).into()
    }
}

impl<R: Refusal, F> From<alloy::contract::Error> for GameError<R, F> {
    fn from(error: alloy::contract::Error) -> Self {
        match error {
            alloy::contract::Error::TransportError(error) => ChainError::of_call(error, None, refusal::<R>).into(),
            alloy::contract::Error::ZeroData(..) => Self::NoContract,
            _ => Self::Nonsense("a call's result doesn't have the shape that the interface gives it"),
        }
    }
}

/// A refusal of a contract as the owner of transactions tells it; [`GameError`] reads the data again.
pub(super) fn refusal<R: Refusal>(message: String, data: Bytes) -> ChainError {
    let message = R::decode(&data).map_or(message, |refusal| refusal.to_string());
    ChainError::Reverts { message, data }
}
