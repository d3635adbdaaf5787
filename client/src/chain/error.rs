//! What can go wrong with the chain, each in one clear sentence.
//!
//! Protocol section 8: every refusal of the contract has a name there; here each name becomes a sentence for a player.
//! The match has no catch-all, so a new error of the contract is a compile error here until it has its sentence.

use std::fmt;

use alloy::primitives::{Address, B256, Bytes};
use alloy::sol_types::SolInterface as _;
use alloy::transports::TransportError;
use chain::send::revert;
use chain::{Class, Classified, FollowError, NodeError, SendError};
use events::IFogmate::IFogmateErrors;
use events::{Nonsense, Status};
use game::{date, move_name};
use thiserror::Error;

/// A refusal of the game contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError(pub IFogmateErrors);

impl ContractError {
    /// The refusal in the data of a revert, if the game contract made it.
    pub fn decode(data: &[u8]) -> Option<Self> {
        IFogmateErrors::abi_decode(data).ok().map(Self)
    }

    /// The error's name in the contract's interface.
    pub fn name(&self) -> &'static str {
        let names = IFogmateErrors::name_by_selector(self.0.selector());
        names.unwrap_or("unknown error")
    }
}

impl std::error::Error for ContractError {}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use IFogmateErrors as E;
        match &self.0 {
            E::WrongStatus(e) => write!(f, "the game is {}", status(e.current)),
            E::WrongStake(e) => write!(f, "the stake of this game is {} wei", e.expected),
            E::StillInTime(e) => write!(f, "there is time left, until {}", date(e.deadline.saturating_to())),
            E::StalePly(e) => write!(f, "the move was made for another ply: the game is at {}", e.current),
            E::BadSquare(e) => write!(f, "{} is not a square", e.square),
            E::NotInField(e) => write!(f, "{:#x} is not a field element", e.value),
            E::WrongBasis(_) => f.write_str("the move was made in another position: the chain has changed under it"),
            E::WrongContext(e) => write!(f, "{OTHER_POSITION} {:#x}", e.expected),
            E::WrongProofLength(e) => write!(f, "a proof of this statement has exactly {} bytes", e.expected),
            E::WrongJoiner(_) => f.write_str("another player has joined the game meanwhile"),
            E::WrongRoot(_) => f.write_str("the answer is not the one whose root was posted with the move"),
            E::SmallBond(e) => write!(f, "the bond must be {} wei at least", e.least),
            E::TooEarly(e) => write!(f, "fifty moves can't be claimed before {}", move_name(e.ply.saturating_to())),
            E::GameExists(_) => f.write_str("this very game exists already"),
            E::Expired(_) => f.write_str("the game can't be joined any more: it has waited too long"),
            E::NoVerdict(_) => f.write_str("the verifier came to no verdict; more gas may help"),
            E::OnHold(_) => f.write_str("an open demand or claim must be answered first, or a contest be over"),
            E::NothingToDemand(_) => {
                f.write_str("there is no such sight to be demanded, or it has been demanded before")
            }
            E::NothingDemanded(_) => f.write_str("nobody demands this sight"),
            E::NothingToFill(_) => f.write_str("no root of an answer is missing"),
            E::NothingClaimed(_) => f.write_str("nobody claims fifty moves"),
            E::OtherPosition(_) => f.write_str("the draw was offered in another position"),
            E::BadTimeControl(_) => f.write_str(NO_TIME_CONTROL),
            E::BadFogKey(_) => f.write_str("the fog key is not a point of the curve"),
            E::SameFogKey(_) => f.write_str("the fog key is the creator's own"),
            E::NotSigned(e) => write!(f, "{:#x} has not signed that", e.player),
            E::NotLater(e) => write!(f, "the position at {} stands already", move_name(e.ply)),
            E::BadPosition(_) => f.write_str("no move could be counted after that position"),
            E::BadResult(_) => f.write_str("no game is closed with that result"),
            E::NoSuchMode(_) => f.write_str("there is no such mode any more"),
            E::NoStakes(_) => f.write_str("a game whose moves nobody proves takes no stake"),
            E::NoEngine(_) => f.write_str("a game whose moves nobody proves needs the name of a sight engine"),
            E::OtherEngine(_) => f.write_str("the creator plays with another sight engine"),
            E::NoProofs(_) => f.write_str("nothing is proven in this game: no proof, demand or claim is taken"),
            E::SelfPlay(_) => f.write_str("nobody can play against themselves"),
            E::NotInvited(_) => f.write_str("the game is for another, invited opponent"),
            E::NotCreator(_) => f.write_str("only the game's creator can do that"),
            E::NotPlayer(_) => f.write_str("only the game's players can do that"),
            E::WrongReveal(_) => f.write_str("the revealed share of the coin toss is not the one committed to"),
            E::OutOfTime(_) => f.write_str("time has decided the game: the player whose time it was can't go on"),
            E::NotYourTurn(_) => f.write_str("it is the opponent's turn"),
            E::AnswerTooEarly(_) => f.write_str("the first ply can't carry an answer"),
            E::InvalidProof(_) => f.write_str("the verifier rejects the proof"),
            E::NoVerifier(_) => f.write_str("there is no code at the verifier's address"),
            E::NoDrawOffer(_) => f.write_str("no draw was offered with the last move"),
            E::NothingOwed(_) => f.write_str("there is nothing to withdraw"),
            E::TransferFailed(_) => f.write_str("the account does not accept the payment"),
        }
    }
}

const OTHER_POSITION: &str = "the answer was made for another position: the chain's context is";
pub(crate) const NO_TIME_CONTROL: &str = "the terms leave no time to move, to answer, to reveal or to join, for a stake less than five minutes, or a part of them is above thirty days";

fn status(status: Status) -> &'static str {
    match status {
        Status::None => "unknown to the contract",
        Status::Open => "still waiting for an opponent",
        Status::CreatorReveals | Status::JoinerReveals => "waiting for the coin toss",
        Status::Playing => "in play",
        Status::Over => "over",
        Status::Asleep => "played between its players' machines",
        Status::__Invalid => "in a state that this program doesn't know",
    }
}

/// What can go wrong with the chain.
#[derive(Debug, Error)]
pub enum ChainError {
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
    /// No contract is at the address.
    #[error("there is no contract at {0:#x} on this chain")]
    NoContract(Address),
    /// A transaction isn't in a block.
    #[error(transparent)]
    Send(SendError),
    /// An action without a wallet to sign it.
    #[error("this connection has no wallet and can only read")]
    ReadOnly,
    /// The contract refuses the action; nothing was sent.
    #[error("the contract refuses: {0}")]
    Refused(ContractError),
    /// The transaction was included and failed.
    #[error("transaction {transaction:#x} failed: {}", because(.reason))]
    Failed {
        transaction: B256,
        /// The contract's reason, where it can be found out.
        reason: Option<ContractError>,
    },
    /// A block that counted as final is no longer on the chain.
    #[error(
        "block {0} counted as final and is no longer on the chain, as the node says: nothing is released or sent again, and the node is asked again; \
         name another one, too (`--rpc`); if the chain was taken back so far, `fogmate recover --game GAME --taken-back` goes on"
    )]
    Reorganised(u64),
    /// A block that the node told of is not to be had from it: one of several machines behind its address is behind the others.
    #[error("the node doesn't have a block that it told of: it may be behind")]
    Behind,
    /// Two nodes have different blocks of a number that counts as final.
    #[error("the nodes disagree on block {0}, which counts as final: nothing is released until they agree")]
    NodesDisagree(u64),
    /// So much of the chain is still to be read that the next look goes on with it.
    #[error("the blocks from {next} to {head} are still to be read: this machine is on its way")]
    FarBehind {
        /// The first block that isn't read.
        next: u64,
        /// The latest block, as the node tells it.
        head: u64,
    },
    /// The chain says something that this contract can't say.
    #[error("the chain's data makes no sense: {0}")]
    Nonsense(&'static str),
    /// The node shows another transaction than the one that was asked for. It may be garbled; the next answer may be right.
    #[error("the node shows another transaction under the hash {0:#x}")]
    OtherTransaction(B256),
    /// There is no such game.
    #[error("there is no game {0:#x}")]
    NoGame(B256),
}

fn because(reason: &Option<ContractError>) -> String {
    reason.as_ref().map_or_else(|| "for no reason that can be read".to_owned(), ToString::to_string)
}

impl ChainError {
    /// The contract's refusal, whether it came before or after sending.
    pub fn contract_error(&self) -> Option<&ContractError> {
        match self {
            Self::Refused(e) => Some(e),
            Self::Failed { reason, .. } => reason.as_ref(),
            _ => None,
        }
    }

    /// A refusal of the contract of dark chess, by the node's words and the data of the revert.
    pub fn of_revert(message: String, data: Bytes) -> Self {
        match ContractError::decode(&data) {
            Some(e) => Self::Refused(e),
            None => SendError::Reverts { message, data }.into(),
        }
    }
}

impl Classified for ChainError {
    fn class(&self) -> Class {
        match self {
            Self::Node(error) => error.class(),
            Self::Send(error) => error.class(),
            Self::WrongChain { .. } | Self::NoGame(_) => Class::Usage,
            Self::ReadOnly | Self::Refused(_) | Self::Failed { .. } => Class::Refused,
            _ => Class::Fatal,
        }
    }
}

impl From<SendError> for ChainError {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Node(error) => Self::Node(error),
            other => Self::Send(other),
        }
    }
}

impl From<FollowError> for ChainError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Node(NodeError::Nonsense(what)) | FollowError::Nonsense(what) => Self::Nonsense(what),
            FollowError::Node(error) => Self::Node(error),
            FollowError::Behind => Self::Behind,
            FollowError::Reorged(number) => Self::Reorganised(number),
            FollowError::NodesDisagree(number) => Self::NodesDisagree(number),
            FollowError::FarBehind { next, head } => Self::FarBehind { next, head },
        }
    }
}

impl From<Nonsense> for ChainError {
    fn from(Nonsense(what): Nonsense) -> Self {
        Self::Nonsense(what)
    }
}

impl From<TransportError> for ChainError {
    fn from(error: TransportError) -> Self {
        Self::Node(error.into())
    }
}

impl From<alloy::contract::Error> for ChainError {
    fn from(error: alloy::contract::Error) -> Self {
        match error {
            alloy::contract::Error::TransportError(error) => match revert(&error) {
                Some((message, data)) => Self::of_revert(message, data),
                None => error.into(),
            },
            _ => Self::Nonsense("a call's result doesn't have the shape that the interface gives it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_decode_to_their_sentence() {
        let selector = |signature: &str| alloy::primitives::keccak256(signature)[..4].to_vec();
        let stale = [selector("StalePly(uint16)"), B256::with_last_byte(9).to_vec()].concat();
        let error = ContractError::decode(&stale).unwrap();
        assert_eq!(error.name(), "StalePly");
        assert_eq!(error.to_string(), "the move was made for another ply: the game is at 9");
        let error = ContractError::decode(&selector("InvalidProof()")).unwrap();
        assert_eq!(error.to_string(), "the verifier rejects the proof");
        assert!(ContractError::decode(&selector("Error(string)")).is_none());
        assert!(ContractError::decode(&[]).is_none());
    }
}
