//! The contracts' refusals, each in one clear sentence. Those of proofs have their names in the interface
//! of the contract of dark chess, whose guard both use.

use std::fmt::{self, Debug, Display, Formatter};

use alloy::sol_types::SolInterface;
use game::date;

use super::contract::IContest::{self, IContestErrors};
use super::contract::{IDiceGame::IDiceGameErrors, ITagGame, ITagGame::ITagGameErrors};
use super::error::{self, NO_OPPONENT};
use crate::chain::{ContractError, IFogmate::IFogmateErrors};

/// The refusals that only one game's contract has, in words.
pub trait OwnRefusal: SolInterface + Clone + Debug + PartialEq + Send + Sync + 'static {
    /// What unfit terms are told.
    const BAD_TERMS: &'static str;

    /// Writes the sentence that the user is told.
    fn tell(&self, f: &mut Formatter<'_>) -> fmt::Result;
}

/// A refusal of a contract: by the rules of all games for two, by its own, or of a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal<E> {
    Common(IContestErrors),
    Own(E),
    Proof(ContractError),
}

impl<E: OwnRefusal> error::Refusal for Refusal<E> {
    fn decode(data: &[u8]) -> Option<Self> {
        use IFogmateErrors::{InvalidProof, NoVerdict, NoVerifier};
        if let Ok(refusal) = IContestErrors::abi_decode(data) {
            return Some(Self::Common(refusal));
        }
        if let Ok(refusal) = E::abi_decode(data) {
            return Some(Self::Own(refusal));
        }
        let of_proof = |error: &ContractError| matches!(error.0, InvalidProof(_) | NoVerdict(_) | NoVerifier(_));
        ContractError::decode(data).filter(of_proof).map(Self::Proof)
    }

    fn is_of_known_game(&self) -> bool {
        matches!(self, Self::Common(IContestErrors::GameExists(_)))
    }
}

// No match on errors has a catch-all: a new one needs its sentence.
impl<E: OwnRefusal> Display for Refusal<E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        use IContestErrors as C;
        let refusal = match self {
            Self::Common(refusal) => refusal,
            Self::Own(refusal) => return refusal.tell(f),
            Self::Proof(refusal) => return Display::fmt(refusal, f),
        };
        match refusal {
            C::WrongStatus(e) => write!(f, "the game is {}", status(e.status)),
            C::WrongStake(e) => write!(f, "the stake of this game is {} wei", e.expected),
            C::StillInTime(e) => write!(f, "there is time left, until {}", date(e.deadline.saturating_to())),
            C::NotYourTurn(_) => f.write_str("it is the opponent's turn"),
            C::NotPlayer(_) => f.write_str("only the game's players can do that"),
            C::NotInvited(_) => f.write_str("the game is for another, invited opponent"),
            C::SelfPlay(_) => f.write_str("nobody can play against themselves"),
            C::GameExists(_) => f.write_str("this very game exists already"),
            C::BadTerms(_) => f.write_str(E::BAD_TERMS),
            C::Expired(_) => f.write_str("the game can't be joined any more: it has waited too long"),
            C::OutOfTime(_) => f.write_str("the time for that is over, and has decided the game"),
            C::NothingOwed(_) => f.write_str("there is nothing to withdraw"),
            C::TransferFailed(_) => f.write_str("the account does not accept the payment"),
        }
    }
}

impl OwnRefusal for IDiceGameErrors {
    const BAD_TERMS: &'static str = "a roll must have between one second (for a stake five minutes) and thirty days, and the game can be joined for thirty \
                                     days at most";

    fn tell(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongHead(_) => f.write_str("the game has changed since these dice were thrown: they don't count"),
            Self::NoOpponent(_) => f.write_str(NO_OPPONENT),
            Self::WrongReveal(_) => f.write_str("the number revealed is not the one promised"),
            Self::NoSuchDie(e) => write!(f, "the dice show {} and {}, and another was chosen", e.dice[0], e.dice[1]),
        }
    }
}

impl OwnRefusal for ITagGameErrors {
    const BAD_TERMS: &'static str = "the grid must be 5x5, 6x6, 7x7 or 8x8, plies at least one, the time for an action between one second (for a \
                                     stake five minutes) and thirty days, and the game can be joined for thirty days at most";

    fn tell(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongPhase(e) => write!(f, "the game waits for {}", phase(e.phase)),
            Self::WrongProofLength(e) => write!(f, "a proof has exactly {} bytes", e.expected),
            Self::NotInField(e) => write!(f, "{:#x} is not a field element", e.word),
            Self::WrongAnswer(_) => f.write_str("the answer is not the one that came with the latest step"),
            Self::NoPlace(_) => f.write_str("a set has no such place"),
        }
    }
}

/// Where a game stands.
fn status(status: IContest::Status) -> &'static str {
    use IContest::Status;
    match status {
        Status::None => "unknown to the contract",
        Status::Open => "still waiting for an opponent",
        Status::Playing => "in play",
        Status::Over => "over",
        Status::__Invalid => "in a state that this program doesn't know",
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
