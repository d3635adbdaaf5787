//! What the calldata of a transaction says beyond its event: a move as it was declared, the proof of a demand, an answer or a claim, and what is posted with a
//! view key.

use alloy_primitives::{Address, B256};
use alloy_sol_types::SolCall as _;
use fog::ensure;
use game::audit::Record;
use game::{ChainEvent, GameResult, MoveFields, Outcome};

use crate::contract::IFogmate::{
    self as F, Signature, answerSightCall, claimFiftyCall, claimNoMoveCall, closeCall, demandSightCall, moveCall,
    publishViewKeyCall, respondFiftyCall, wakeCall,
};
use crate::{Nonsense, types};

/// What comes behind the arguments of these calls the contract doesn't read.
const WAKE_BYTES: usize = 4 + 20 * 32;
const CLOSE_BYTES: usize = 4 + 8 * 32;

/// A move as its transaction's calldata declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub game: B256,
    pub fields: MoveFields,
    /// The basis of the position that the move is made in.
    pub basis: B256,
    pub proof: Vec<u8>,
}

impl Declared {
    /// Reads the calldata of a call of the contract's `move`.
    ///
    /// # Errors
    ///
    /// [`Nonsense`] if it is no such call.
    pub fn decode(calldata: &[u8]) -> Result<Self, Nonsense> {
        let call = moveCall::abi_decode_validate(calldata);
        let call = call.map_err(|_| Nonsense("the transaction of a move is not a call of `move`"))?;
        let (fields, basis) = (types::declared(&call.declared)?, call.declared.basis);
        Ok(Self { game: call.gameId, fields, basis, proof: call.proof.to_vec() })
    }

    /// Adds to the event of a move in a game what its transaction said beyond it, if it is this very move.
    pub fn complete(self, of: B256, event: &mut ChainEvent) {
        if let ChainEvent::Moved { fields, basis, proof, .. } = event
            && self.game == of
            && self.fields == *fields
        {
            (*basis, *proof) = (Some(self.basis), Some(self.proof));
        }
    }
}

/// An event as an audit takes it, with who has sent its transaction, if that can be known, and the calldata, if that is a call of the contract itself. A call may also be made
/// through another contract: then the calldata is that contract's. So it may from a withdrawal, which calls who is paid.
///
/// # Errors
///
/// [`Nonsense`] if no such call tells this event.
pub fn record(
    mut event: ChainEvent,
    time: Option<u64>,
    of: B256,
    sent: Option<(Option<Address>, &[u8])>,
) -> Result<Record, Nonsense> {
    let is_own = |(_, calldata): &(Option<Address>, &[u8])| !calldata.starts_with(&F::withdrawCall::SELECTOR);
    let Some((sender, calldata)) = sent.filter(is_own) else { return Ok(Record::of_chain(event, time)) };
    let selector = calldata.first_chunk().ok_or(Nonsense("a transaction without calldata has no event"))?;
    let is_its = matches!(event, ChainEvent::Created(_)) || calldata.get(4..36) == Some(of.as_slice());
    ensure!(is_its && tells(selector, &event), Nonsense("a transaction calls what can't tell its event"));
    let carried = carried(calldata, of, &event);
    if let (ChainEvent::Moved { .. }, Ok(declared)) = (&event, Declared::decode(calldata)) {
        declared.complete(of, &mut event);
    }
    Ok(Record { sender, carried, ..Record::of_chain(event, time) })
}

/// Whether a call of a function of the contract may tell an event.
fn tells(selector: &[u8; 4], event: &ChainEvent) -> bool {
    let functions: &[[u8; 4]] = match event {
        ChainEvent::Created(_) => &[F::createCall::SELECTOR],
        ChainEvent::Joined { .. } => &[F::joinCall::SELECTOR],
        ChainEvent::TossRevealed { .. } => &[F::revealCreatorCall::SELECTOR],
        ChainEvent::Started { .. } => &[F::revealJoinerCall::SELECTOR],
        ChainEvent::Moved { .. } => &[moveCall::SELECTOR],
        ChainEvent::Woken { .. } => &[wakeCall::SELECTOR],
        ChainEvent::Closed { .. } => &[closeCall::SELECTOR],
        ChainEvent::SightDemanded { .. } => &[demandSightCall::SELECTOR],
        ChainEvent::SightAnswered { .. } => &[answerSightCall::SELECTOR],
        ChainEvent::AnswerFilled { .. } => &[F::fillAnswerCall::SELECTOR],
        ChainEvent::FiftyClaimed { .. } => &[claimFiftyCall::SELECTOR],
        ChainEvent::FiftyFailed { .. } => &[respondFiftyCall::SELECTOR],
        ChainEvent::BondReclaimed { .. } => &[F::reclaimCall::SELECTOR],
        ChainEvent::ViewKeyPublished { .. } => &[publishViewKeyCall::SELECTOR],
        ChainEvent::Ended { outcome, .. } => match outcome {
            Outcome::Cancelled => &[F::cancelCall::SELECTOR],
            Outcome::KingCaptured => &[moveCall::SELECTOR, closeCall::SELECTOR],
            Outcome::Resigned => &[F::resignCall::SELECTOR, closeCall::SELECTOR],
            Outcome::DrawAgreed => &[F::acceptDrawCall::SELECTOR, closeCall::SELECTOR],
            Outcome::TooLong => &[moveCall::SELECTOR],
            Outcome::NoMove => &[claimNoMoveCall::SELECTOR, closeCall::SELECTOR],
            Outcome::FiftyMoves => &[respondFiftyCall::SELECTOR, F::claimTimeoutCall::SELECTOR, closeCall::SELECTOR],
            Outcome::Unrevealed | Outcome::TimedOut | Outcome::Unanswered => &[F::claimTimeoutCall::SELECTOR],
        },
    };
    functions.contains(selector)
}

/// What a transaction's calldata carries with an event of a game other than a move: the proof of a demand, a demanded sight or a claim that the contract has
/// verified, what stands behind the arguments of a view key that is published, or both signatures under a position that is woken or a result, with the result.
pub fn carried(calldata: &[u8], of: B256, event: &ChainEvent) -> Option<Vec<u8>> {
    macro_rules! proof {
        ($call:ident) => {{
            let call = $call::abi_decode_validate(calldata).ok()?;
            (call.gameId, call.proof)
        }};
    }
    let both = |pair: [Signature; 2]| pair.map(|one| [one.r, one.vs].concat()).concat();
    let (game, carried) = match event {
        ChainEvent::Woken { .. } => {
            let call = wakeCall::abi_decode_validate(calldata.get(..WAKE_BYTES)?).ok()?;
            (call.gameId, both(call.signatures).into())
        }
        ChainEvent::Closed { .. } => {
            let call = closeCall::abi_decode_validate(calldata.get(..CLOSE_BYTES)?).ok()?;
            let (winner, outcome) = (call.winner, types::outcome(call.outcome).ok()??);
            let creator_won = (winner < types::NOBODY).then_some(winner == 0);
            let result = GameResult { creator_won, outcome, last: call.last };
            (call.gameId, [&both(call.signatures)[..], &result.to_bytes()].concat().into())
        }
        ChainEvent::SightDemanded { .. } => proof!(demandSightCall),
        ChainEvent::SightAnswered { .. } => proof!(answerSightCall),
        ChainEvent::FiftyClaimed { .. } => proof!(claimFiftyCall),
        ChainEvent::FiftyFailed { .. } | ChainEvent::Ended { outcome: Outcome::FiftyMoves, .. } => {
            proof!(respondFiftyCall)
        }
        ChainEvent::Ended { outcome: Outcome::NoMove, .. } => proof!(claimNoMoveCall),
        ChainEvent::ViewKeyPublished { .. } => {
            let (call, posted) = calldata.split_at_checked(4 + 2 * 32)?;
            (publishViewKeyCall::abi_decode_validate(call).ok()?.gameId, posted.to_vec().into())
        }
        _ => return None,
    };
    (game == of).then(|| carried.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is paid by a withdrawal may be a contract that calls anything: that hides who has done it, and spoils no game.
    #[test]
    fn an_event_is_told_by_a_call_of_its_kind_or_from_a_withdrawal() {
        let (sender, game) = (Address::repeat_byte(1), B256::repeat_byte(2));
        let ended = || ChainEvent::Ended { winner: Some(sender), outcome: Outcome::TimedOut };
        let told = |calldata: &[u8]| record(ended(), Some(7), game, Some((Some(sender), calldata)));
        let claim = F::claimTimeoutCall { gameId: game }.abi_encode();
        assert_eq!(told(&claim).map(|told| told.sender), Ok(Some(sender)));
        let withdrawal = F::withdrawCall { to: sender }.abi_encode();
        assert_eq!(told(&withdrawal), Ok(Record::of_chain(ended(), Some(7))));
        let other = F::claimTimeoutCall { gameId: B256::ZERO }.abi_encode();
        let resigned = F::resignCall { gameId: game }.abi_encode();
        assert!([other, resigned, Vec::new()].iter().all(|calldata| told(calldata).is_err()));
    }

    /// A result comes with what the call says of it, whatever stands behind its arguments.
    #[test]
    fn a_result_and_a_waking_are_read_with_bytes_behind_them() {
        let game = B256::repeat_byte(2);
        let signatures = || [Signature { r: B256::repeat_byte(3), vs: B256::repeat_byte(4) }, Signature::default()];
        let last = B256::repeat_byte(5);
        let (signed, closed) = ([[3; 32], [4; 32], [0; 32], [0; 32]].concat(), ChainEvent::Closed { last });
        for (winner, creator_won) in [(0, Some(true)), (1, Some(false)), (2, None)] {
            let outcome = F::Outcome::Resigned;
            let call = closeCall { gameId: game, winner, outcome, last, signatures: signatures() }.abi_encode();
            let result = GameResult { creator_won, outcome: Outcome::Resigned, last };
            let expected = Some([&signed[..], &result.to_bytes()].concat());
            assert_eq!(carried(&call, game, &closed), expected);
            assert_eq!(carried(&[call, vec![7]].concat(), game, &closed), expected);
        }
        let position = types::signed_position(&game::Position::start(9));
        let call = wakeCall { gameId: game, position, signatures: signatures() }.abi_encode();
        let woken = ChainEvent::Woken { position: Box::new(game::Position::start(9)), until: 0 };
        assert_eq!(carried(&[call, vec![7]].concat(), game, &woken), Some(signed));
    }
}
