//! The contracts' refusals, each in one clear sentence. Those of proofs have their names in the interface
//! of the contract of dark chess, whose guard both use.

use alloy::sol_types::SolInterface as _;
use contest::{Rules, dice::Dice, tag::Tag};
use game::date;

use super::contract::IContest::{self, IContestErrors};
use super::contract::{IDiceGame::IDiceGameErrors, ITagGame, ITagGame::ITagGameErrors};
use crate::chain::{ContractError, IFogmate::IFogmateErrors};

/// What the opening of a game is told that is there already.
pub(super) const KNOWN_GAME: &str = "this very game exists already";
/// What a stake without a named opponent is told.
pub(super) const NO_OPPONENT: &str = "a game for a stake needs a named opponent: say --opponent ADDRESS";

/// The refusals that only one game's contract has, in words.
pub trait OwnRefusal: Rules {
    /// What unfit terms are told.
    const BAD_TERMS: &'static str;

    /// The sentence that the user is told for the data of a revert.
    fn own_refusal(data: &[u8]) -> Option<String>;
}

/// The refusal in the data of a revert in words, if the contract made it: by the rules of all games for two, by its own, or of a proof.
pub(super) fn refusal<G: OwnRefusal>(data: &[u8]) -> Option<String> {
    use IContestErrors as C;
    use IFogmateErrors::{InvalidProof, NoVerdict, NoVerifier};
    let Ok(refusal) = C::abi_decode(data) else {
        let of_proof = |error: &ContractError| matches!(error.0, InvalidProof(_) | NoVerdict(_) | NoVerifier(_));
        return G::own_refusal(data)
            .or_else(|| ContractError::decode(data).filter(of_proof).map(|error| error.to_string()));
    };
    // No match on errors has a catch-all: a new one needs its sentence.
    Some(match refusal {
        C::WrongStatus(e) => format!("the game is {}", status(e.status)),
        C::WrongStake(e) => format!("the stake of this game is {} wei", e.expected),
        C::StillInTime(e) => format!("there is time left, until {}", date(e.deadline.saturating_to())),
        C::NotYourTurn(_) => "it is the opponent's turn".to_owned(),
        C::NotPlayer(_) => "only the game's players can do that".to_owned(),
        C::NotInvited(_) => "the game is for another, invited opponent".to_owned(),
        C::SelfPlay(_) => "nobody can play against themselves".to_owned(),
        C::GameExists(_) => KNOWN_GAME.to_owned(),
        C::BadTerms(_) => G::BAD_TERMS.to_owned(),
        C::Expired(_) => "the game can't be joined any more: it has waited too long".to_owned(),
        C::OutOfTime(_) => "the time for that is over, and has decided the game".to_owned(),
        C::NothingOwed(_) => "there is nothing to withdraw".to_owned(),
        C::TransferFailed(_) => "the account does not accept the payment".to_owned(),
    })
}

impl OwnRefusal for Dice {
    const BAD_TERMS: &'static str = "a roll must have between one second (for a stake five minutes) and thirty days, and the game can be joined for thirty \
                                     days at most";

    fn own_refusal(data: &[u8]) -> Option<String> {
        use IDiceGameErrors as E;
        Some(match E::abi_decode(data).ok()? {
            E::WrongHead(_) => "the game has changed since these dice were thrown: they don't count".to_owned(),
            E::NoOpponent(_) => NO_OPPONENT.to_owned(),
            E::WrongReveal(_) => "the number revealed is not the one promised".to_owned(),
            E::NoSuchDie(e) => format!("the dice show {} and {}, and another was chosen", e.dice[0], e.dice[1]),
        })
    }
}

impl OwnRefusal for Tag {
    const BAD_TERMS: &'static str = "the grid must be 5x5, 6x6, 7x7 or 8x8, plies at least one, the time for an action between one second (for a \
                                     stake five minutes) and thirty days, and the game can be joined for thirty days at most";

    fn own_refusal(data: &[u8]) -> Option<String> {
        use ITagGameErrors as E;
        Some(match E::abi_decode(data).ok()? {
            E::WrongPhase(e) => format!("the game waits for {}", phase(e.phase)),
            E::WrongProofLength(e) => format!("a proof has exactly {} bytes", e.expected),
            E::NotInField(e) => format!("{:#x} is not a field element", e.word),
            E::WrongAnswer(_) => "the answer is not the one that came with the latest step".to_owned(),
            E::NoPlace(_) => "a set has no such place".to_owned(),
        })
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
    use alloy::primitives::{B256, keccak256};

    #[test]
    fn refusals_of_both_interfaces_have_their_sentences() {
        let data = |signature: &str, word: Option<u8>| {
            let word = word.map(|word| B256::with_last_byte(word).to_vec()).unwrap_or_default();
            [&keccak256(signature)[..4], &word].concat()
        };
        let told = |signature: &str, word| refusal::<Tag>(&data(signature, word));
        // The contract of dark chess has an error of the same name with other states.
        for (word, expected) in
            [(1, "the game is still waiting for an opponent"), (2, "the game is in play"), (3, "the game is over")]
        {
            assert_eq!(told("WrongStatus(uint8)", Some(word)).as_deref(), Some(expected));
            let of_dice = refusal::<Dice>(&data("WrongStatus(uint8)", Some(word)));
            assert_eq!(of_dice.as_deref(), Some(expected));
        }
        assert_eq!(told("WrongPhase(uint8)", Some(1)).as_deref(), Some("the game waits for a reply"));
        assert_eq!(told("InvalidProof()", None).as_deref(), Some("the verifier rejects the proof"));
        assert_eq!(told("NoVerdict()", None).as_deref(), Some("the verifier came to no verdict; more gas may help"));
        assert_eq!(told("NoVerifier()", None).as_deref(), Some("there is no code at the verifier's address"));
        assert_eq!(told("OnHold()", None), None, "of dark chess alone");
        assert_eq!(refusal::<Tag>(&[]), None);
    }
}
