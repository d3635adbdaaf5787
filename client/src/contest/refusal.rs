//! The contracts' refusals, each in one clear sentence. Those of proofs have their names in the interface
//! of the contract of dark chess, whose guard both use.

use std::fmt;

use alloy::sol_types::SolInterface as _;
use game::date;

use super::contract::{IDiceGame::IDiceGameErrors, ITagGame, ITagGame::ITagGameErrors};
use super::error::{self, NO_OPPONENT};
use super::game::Contract;
use crate::chain::{ContractError, IFogmate::IFogmateErrors};

/// A refusal of a contract: by its own rules, or of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal<E> {
    /// By the contract's own rules.
    Rule(E),
    Proof(ContractError),
}

/// The contracts' sentences: those that all have in common, and the further ones of each. No match has a catch-all: a new error needs its sentence.
macro_rules! refusals {
    ($errors:ident, $terms:expr, $f:ident: $($own:tt)*) => {
        impl error::Refusal for Refusal<$errors> {
            fn decode(data: &[u8]) -> Option<Self> {
                use IFogmateErrors::{InvalidProof, NoVerdict, NoVerifier};
                if let Ok(refusal) = $errors::abi_decode(data) {
                    return Some(Self::Rule(refusal));
                }
                let of_proof = |error: &ContractError| matches!(error.0, InvalidProof(_) | NoVerdict(_) | NoVerifier(_));
                ContractError::decode(data).filter(of_proof).map(Self::Proof)
            }

            fn is_of_known_game(&self) -> bool {
                matches!(self, Self::Rule($errors::GameExists(_)))
            }
        }

        impl fmt::Display for Refusal<$errors> {
            fn fmt(&self, $f: &mut fmt::Formatter<'_>) -> fmt::Result {
                use $errors as E;
                let refusal = match self {
                    Self::Proof(refusal) => return refusal.fmt($f),
                    Self::Rule(refusal) => refusal,
                };
                match refusal {
                    E::WrongStatus(e) => write!($f, "the game is {}", status(e.status as u8)),
                    E::WrongStake(e) => write!($f, "the stake of this game is {} wei", e.expected),
                    E::StillInTime(e) => write!($f, "there is time left, until {}", date(e.deadline.saturating_to())),
                    E::NotYourTurn(_) => $f.write_str("it is the opponent's turn"),
                    E::NotPlayer(_) => $f.write_str("only the game's players can do that"),
                    E::NotInvited(_) => $f.write_str("the game is for another, invited opponent"),
                    E::SelfPlay(_) => $f.write_str("nobody can play against themselves"),
                    E::GameExists(_) => $f.write_str("this very game exists already"),
                    E::BadTerms(_) => $f.write_str($terms),
                    E::Expired(_) => $f.write_str("the game can't be joined any more: it has waited too long"),
                    E::OutOfTime(_) => $f.write_str("the time for that is over, and has decided the game"),
                    E::NothingOwed(_) => $f.write_str("there is nothing to withdraw"),
                    E::TransferFailed(_) => $f.write_str("the account does not accept the payment"),
                    $($own)*
                }
            }
        }
    };
}

refusals! { IDiceGameErrors, contest::dice::Dice::BAD_TERMS, f:
    E::WrongHead(e) => write!(f, "the roll follows another message than the latest, {}", e.expected),
    E::NoOpponent(_) => f.write_str(NO_OPPONENT),
    E::WrongReveal(_) => f.write_str("the number revealed is not the one promised"),
}

refusals! { ITagGameErrors, contest::tag::Tag::BAD_TERMS, f:
    E::WrongPhase(e) => write!(f, "the game waits for {}", phase(e.phase)),
    E::WrongProofLength(e) => write!(f, "a proof has exactly {} bytes", e.expected),
    E::NotInField(e) => write!(f, "{:#x} is not a field element", e.word),
    E::WrongAnswer(_) => f.write_str("the answer is not the one that came with the latest step"),
    E::NoPlace(_) => f.write_str("a set has no such place"),
}

/// Where a game stands, by the number that all contracts give it.
fn status(number: u8) -> &'static str {
    match number {
        0 => "unknown to the contract",
        1 => "still waiting for an opponent",
        2 => "in play",
        3 => "over",
        _ => "in a state that this program doesn't know",
    }
}

fn phase(phase: ITagGame::Phase) -> &'static str {
    use ITagGame::Phase;
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
    use crate::contest::error::Refusal as _;
    use alloy::primitives::{B256, keccak256};

    #[test]
    fn refusals_of_both_interfaces_have_their_sentences() {
        let data = |signature: &str, word: Option<u8>| {
            let word = word.map(|word| B256::with_last_byte(word).to_vec()).unwrap_or_default();
            [&keccak256(signature)[..4], &word].concat()
        };
        type OfTag = Refusal<ITagGameErrors>;
        type OfDice = Refusal<IDiceGameErrors>;
        let told = |signature: &str, word| OfTag::decode(&data(signature, word)).map(|refusal| refusal.to_string());
        // The contract of dark chess has an error of the same name with other states.
        for (word, expected) in
            [(1, "the game is still waiting for an opponent"), (2, "the game is in play"), (3, "the game is over")]
        {
            assert_eq!(told("WrongStatus(uint8)", Some(word)).as_deref(), Some(expected));
            let refusal = OfDice::decode(&data("WrongStatus(uint8)", Some(word)));
            assert_eq!(refusal.map(|refusal| refusal.to_string()).as_deref(), Some(expected));
        }
        assert_eq!(told("WrongPhase(uint8)", Some(1)).as_deref(), Some("the game waits for a reply"));
        assert_eq!(told("InvalidProof()", None).as_deref(), Some("the verifier rejects the proof"));
        assert_eq!(told("NoVerdict()", None).as_deref(), Some("the verifier came to no verdict; more gas may help"));
        assert_eq!(told("NoVerifier()", None).as_deref(), Some("there is no code at the verifier's address"));
        assert_eq!(told("OnHold()", None), None, "of dark chess alone");
        assert_eq!(OfTag::decode(&[]), None);
    }
}
