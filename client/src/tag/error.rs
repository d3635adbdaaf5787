//! What can go wrong with a game of tag: the contract's refusals, each in one clear sentence. Those of proofs have their names in the interface of the
//! contract of dark chess, whose guard both use.

use std::fmt;

use alloy::sol_types::SolInterface as _;
use game::date;
use tag::Fault;

use super::contract::ITagGame::{ITagGameErrors, Phase, Status};
use crate::chain::{ContractError, IFogmate::IFogmateErrors};
use crate::connection::{self, GameError};

/// What unfit terms are told.
pub(super) const BAD_TERMS: &str = "the grid must be 6x6 or 8x8, plies at least one, the time for an action between one second (for a \
                                    stake five minutes) and thirty days, and the game can be joined for thirty days at most";

/// What can go wrong with a game of tag.
pub type TagError = GameError<Refusal, Fault>;

/// A refusal of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// By the contract's own rules.
    Rule(ITagGameErrors),
    Proof(ContractError),
}

impl connection::Refusal for Refusal {
    fn decode(data: &[u8]) -> Option<Self> {
        use IFogmateErrors::{InvalidProof, NoVerdict, NoVerifier};
        if let Ok(refusal) = ITagGameErrors::abi_decode(data) {
            return Some(Self::Rule(refusal));
        }
        let of_proof = |error: &ContractError| matches!(error.0, InvalidProof(_) | NoVerdict(_) | NoVerifier(_));
        ContractError::decode(data).filter(of_proof).map(Self::Proof)
    }

    fn is_of_known_game(&self) -> bool {
        matches!(self, Self::Rule(ITagGameErrors::GameExists(_)))
    }
}

/// The match has no catch-all: a new error needs its sentence.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ITagGameErrors as E;
        let refusal = match self {
            Self::Proof(refusal) => return refusal.fmt(f),
            Self::Rule(refusal) => refusal,
        };
        match refusal {
            E::WrongStatus(e) => write!(f, "the game is {}", status(e.status)),
            E::WrongPhase(e) => write!(f, "the game waits for {}", phase(e.phase)),
            E::WrongStake(e) => write!(f, "the stake of this game is {} wei", e.expected),
            E::StillInTime(e) => write!(f, "there is time left, until {}", date(e.deadline.saturating_to())),
            E::WrongProofLength(e) => write!(f, "a proof has exactly {} bytes", e.expected),
            E::NotInField(e) => write!(f, "{:#x} is not a field element", e.word),
            E::NotYourTurn(_) => f.write_str("it is the opponent's turn"),
            E::NotPlayer(_) => f.write_str("only the game's players can do that"),
            E::NotInvited(_) => f.write_str("the game is for another, invited opponent"),
            E::SelfPlay(_) => f.write_str("nobody can play against themselves"),
            E::GameExists(_) => f.write_str("this very game exists already"),
            E::BadTerms(_) => f.write_str(BAD_TERMS),
            E::Expired(_) => f.write_str("the game can't be joined any more: it has waited too long"),
            E::OutOfTime(_) => f.write_str("the time for that is over, and has decided the game"),
            E::WrongAnswer(_) => f.write_str("the answer is not the one that came with the latest step"),
            E::NoPlace(_) => f.write_str("a set has no such place"),
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

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Step => "a step",
        Phase::Reply => "a reply",
        Phase::Last => "a capture after the last ply, or its end",
        Phase::__Invalid => "something that this program doesn't know",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::Refusal as _;
    use alloy::primitives::{B256, keccak256};

    #[test]
    fn refusals_of_both_interfaces_have_their_sentences() {
        let data = |signature: &str, word: Option<u8>| {
            let word = word.map(|word| B256::with_last_byte(word).to_vec()).unwrap_or_default();
            [&keccak256(signature)[..4], &word].concat()
        };
        let told = |signature: &str, word| Refusal::decode(&data(signature, word)).map(|refusal| refusal.to_string());
        // The contract of dark chess has an error of the same name with other states.
        assert_eq!(told("WrongStatus(uint8)", Some(2)).as_deref(), Some("the game is in play"));
        assert_eq!(told("WrongPhase(uint8)", Some(1)).as_deref(), Some("the game waits for a reply"));
        assert_eq!(told("InvalidProof()", None).as_deref(), Some("the verifier rejects the proof"));
        assert_eq!(told("NoVerdict()", None).as_deref(), Some("the verifier came to no verdict; more gas may help"));
        assert_eq!(told("NoVerifier()", None).as_deref(), Some("there is no code at the verifier's address"));
        assert_eq!(told("OnHold()", None), None, "of dark chess alone");
        assert_eq!(Refusal::decode(&[]), None);
    }
}
