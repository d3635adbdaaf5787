//! What a transaction that was sent to the contract says of an event that the node tells with it: whether such a call tells it, with these very values, and
//! what it carries beyond it.

use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::SolCall as _;
use fog::ensure;
use game::audit::Record;
use game::{ChainEvent, GameResult, Outcome, Transaction};

use crate::calldata::{calldata, join_calldata, open_calldata};
use crate::contract::IFogmate::{self as F, Signature};
use crate::{Declared, Nonsense, types};

/// A transaction to the contract.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// By its signature; none of a kind of transaction that can't be held to its hash.
    pub sender: Option<Address>,
    /// What came with it, in wei.
    pub value: U256,
    pub calldata: &'a [u8],
}

const OTHER: Nonsense = Nonsense("a transaction calls what can't tell its event");

/// An event as an audit takes it, with who has sent its transaction, if that can be known, and what it carries, if it is a call of the contract itself. A call
/// may also be made through another contract: then the calldata is that contract's. So it may from a withdrawal, which calls who is paid.
///
/// # Errors
///
/// [`Nonsense`] if no such call tells this event.
pub fn record(mut event: ChainEvent, time: Option<u64>, of: B256, sent: Option<Sent<'_>>) -> Result<Record, Nonsense> {
    let is_own = |sent: &Sent| !sent.calldata.starts_with(&F::withdrawCall::SELECTOR);
    let Some(sent) = sent.filter(is_own) else { return Ok(Record::of_chain(event, time)) };
    let carried = carried(&sent, of, &event)?;
    if let ChainEvent::Moved { .. } = event {
        ensure!(Declared::decode(sent.calldata)?.complete(of, &mut event), OTHER);
    }
    Ok(Record { sender: sent.sender, carried, ..Record::of_chain(event, time) })
}

/// What a transaction carries with an event that it tells ([`Record::carried`]).
fn carried(sent: &Sent<'_>, of: B256, event: &ChainEvent) -> Result<Option<Vec<u8>>, Nonsense> {
    macro_rules! call {
        ($call:ident) => {{
            let call = F::$call::abi_decode_validate(sent.calldata).map_err(|_| OTHER)?;
            ensure!(call.gameId == of, OTHER);
            call
        }};
    }
    // What comes behind the arguments the contract doesn't read.
    let behind = |call: &[u8]| sent.calldata.strip_prefix(call).ok_or(OTHER);
    let sends = |transaction| behind(&calldata(of, Address::ZERO, &transaction)?);
    let is = |told: bool| told.then_some(()).ok_or(OTHER);
    let both = |pair: &[Signature; 2]| pair.each_ref().map(|one| [one.r, one.vs].concat()).concat();
    let result = |call: F::closeCall| {
        let outcome = types::outcome(call.outcome)?.ok_or(OTHER)?;
        let creator_won = (call.winner < types::NOBODY).then_some(call.winner == 0);
        Ok::<_, Nonsense>((GameResult { creator_won, outcome, last: call.last }, call.signatures))
    };
    let is_payable = matches!(
        event,
        ChainEvent::Created(_)
            | ChainEvent::Joined { .. }
            | ChainEvent::SightDemanded { .. }
            | ChainEvent::FiftyClaimed { .. }
    );
    is(is_payable || sent.value.is_zero())?;
    Ok(match event {
        ChainEvent::Created(opening) => {
            behind(&open_calldata(opening)?)?;
            is(sent.value == U256::from(opening.terms.stake))?;
            None
        }
        ChainEvent::Joined { toss, registration, .. } => {
            behind(&join_calldata(of, *toss, registration))?;
            Some(sent.value.to_be_bytes_vec())
        }
        ChainEvent::TossRevealed { share } => {
            let call = call!(revealCreatorCall);
            is(call.share == U256::from_be_bytes(share.0))?;
            Some(call.joinerCommitment.to_vec())
        }
        ChainEvent::Started { share, .. } => {
            sends(Transaction::RevealJoiner { share: *share })?;
            None
        }
        // Its event takes in all of its call.
        ChainEvent::Moved { .. } => None,
        ChainEvent::Woken { position, .. } => {
            let call = call!(wakeCall);
            is(types::position(&call.position)? == **position)?;
            Some(both(&call.signatures))
        }
        ChainEvent::Closed { last } => {
            let (result, signatures) = result(call!(closeCall))?;
            is(result.last == *last)?;
            Some([&both(&signatures)[..], &result.to_bytes()].concat())
        }
        ChainEvent::SightDemanded { demanded, bond, points, .. } => {
            let call = call!(demandSightCall);
            is(call.phase == types::phase(demanded.phase) && types::bytes(&call.points) == *points)?;
            is(sent.value == U256::from(*bond))?;
            Some(call.proof.to_vec())
        }
        ChainEvent::SightAnswered { ctx, answer_root, elements, .. } => {
            let call = call!(answerSightCall);
            is([call.exchange.ctx, call.answerRoot] == [types::word(ctx), types::word(answer_root)])?;
            is(types::bytes(&call.elements) == *elements)?;
            Some(call.proof.to_vec())
        }
        ChainEvent::AnswerFilled { answer_root, .. } => {
            let call = call!(fillAnswerCall);
            is(call.answerRoot == types::word(answer_root))?;
            Some(call.ctx.to_be_bytes_vec())
        }
        ChainEvent::FiftyClaimed { bond, .. } => {
            is(sent.value == U256::from(*bond))?;
            Some(call!(claimFiftyCall).proof.to_vec())
        }
        ChainEvent::FiftyFailed { .. } => {
            let call = call!(respondFiftyCall);
            is(!call.atLeastFifty)?;
            Some(call.proof.to_vec())
        }
        ChainEvent::BondReclaimed { slot, .. } => {
            sends(Transaction::Reclaim(*slot))?;
            None
        }
        ChainEvent::ViewKeyPublished { key, .. } => {
            Some(sends(Transaction::PublishViewKey { key: *key, transcript: Vec::new() })?.to_vec())
        }
        ChainEvent::Ended { winner, outcome } => match (sent.calldata.first_chunk().ok_or(OTHER)?, outcome) {
            (&F::closeCall::SELECTOR, _) => {
                let (result, _) = result(call!(closeCall))?;
                is(result.outcome == *outcome && result.creator_won.is_some() == winner.is_some())?;
                Some(result.to_bytes().to_vec())
            }
            (&F::cancelCall::SELECTOR, Outcome::Cancelled) => {
                call!(cancelCall);
                None
            }
            (&F::moveCall::SELECTOR, Outcome::KingCaptured | Outcome::TooLong) => {
                is(call!(moveCall).declared.kingFell == (*outcome == Outcome::KingCaptured))?;
                None
            }
            (&F::resignCall::SELECTOR, Outcome::Resigned) => {
                call!(resignCall);
                None
            }
            (&F::acceptDrawCall::SELECTOR, Outcome::DrawAgreed) => {
                let call = call!(acceptDrawCall);
                Some([&call.ply.to_be_bytes()[..], &call.opponentCommitment.to_be_bytes::<32>()].concat())
            }
            (&F::claimNoMoveCall::SELECTOR, Outcome::NoMove) => Some(call!(claimNoMoveCall).proof.to_vec()),
            (&F::respondFiftyCall::SELECTOR, Outcome::FiftyMoves) => {
                let call = call!(respondFiftyCall);
                is(call.atLeastFifty)?;
                Some(call.proof.to_vec())
            }
            (&F::claimTimeoutCall::SELECTOR, _) if outcome.is_by_time() => {
                call!(claimTimeoutCall);
                None
            }
            _ => return Err(OTHER),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wake_calldata;
    use game::{Demanded, Mode, MoveFields, Opening, Phase, Position, Slot, Terms};
    use halo2curves::bn256::Fr;
    use rules::Color;

    const GAME: B256 = B256::repeat_byte(2);
    const SENDER: Address = Address::repeat_byte(1);
    const VALUE: u128 = 9;

    fn opening() -> Opening {
        let terms = Terms {
            mode: Mode::Verified,
            stake: VALUE,
            base: 600,
            increment: 5,
            delay: 60,
            window: 3_600,
            reveal: 120,
            expiry: 99,
            opponent: None,
        };
        let (creator, nonce, toss) = (SENDER, B256::repeat_byte(3), B256::repeat_byte(4));
        Opening { creator, nonce, terms, toss, registration: [5; 64] }
    }

    /// Events, each with the calldata that tells it.
    fn told() -> Vec<(ChainEvent, Vec<u8>)> {
        let sends = |transaction| calldata(GAME, SENDER, &transaction).expect("calldata").to_vec();
        let word = B256::repeat_byte(6);
        let fields = MoveFields {
            ply: 2,
            next_commitment: Fr::from(1),
            next_request_root: Fr::from(2),
            answer_root: Fr::from(3),
            capture: None,
            king_fell: true,
            offer_draw: false,
        };
        let demanded = Demanded {
            phase: Phase::Pre,
            ply: 2,
            receiver: Color::White,
            pending_receiver: None,
            pending_sender: None,
            commitment: Fr::from(4),
            request_root: Fr::from(5),
            posted_root: Fr::from(6),
            ctx: Fr::from(7),
        };
        let position = Position { ply: 3, quiet_plies: 1, answer_root: Fr::from(8), ..Position::start(9) };
        let result = |outcome| GameResult { creator_won: Some(true), outcome, last: word };
        let signatures = [Some([3; 64]), Some([4; 64])];
        let (answer_root, ctx, proof) = (Fr::from(9), Fr::from(7), vec![7; 32]);
        let (points, elements) = (vec![1; 128 * 32], vec![1; 733 * 32]);
        let ended = |outcome: Outcome| {
            let is_drawn = matches!(outcome, Outcome::FiftyMoves | Outcome::DrawAgreed | Outcome::NoMove);
            ChainEvent::Ended { winner: (!is_drawn).then_some(SENDER), outcome }
        };
        let close = sends(Transaction::Close { result: result(Outcome::Resigned), signatures });
        let respond = |at_least_fifty| sends(Transaction::RespondFifty { at_least_fifty, proof: proof.clone() });
        let made = sends(Transaction::Move { fields, basis: word, proof: proof.clone() });
        vec![
            (ChainEvent::Created(opening()), open_calldata(&opening()).expect("calldata").to_vec()),
            (
                ChainEvent::Joined { joiner: SENDER, toss: word, registration: [5; 64] },
                join_calldata(GAME, word, &[5; 64]).to_vec(),
            ),
            (ChainEvent::TossRevealed { share: word }, sends(Transaction::RevealCreator { share: word, joiner: word })),
            (ChainEvent::Started { white: SENDER, share: word }, sends(Transaction::RevealJoiner { share: word })),
            (ChainEvent::Moved { player: SENDER, fields, basis: None, proof: None }, made.clone()),
            (
                ChainEvent::Woken { position: Box::new(position), until: 0 },
                wake_calldata(GAME, &position, [[3; 64], [4; 64]]).to_vec(),
            ),
            (ChainEvent::Closed { last: word }, close.clone()),
            (
                ChainEvent::SightDemanded { demanded, deadline: 0, bond: VALUE, points: points.clone() },
                sends(Transaction::DemandSight { phase: Phase::Pre, ply: 2, points, proof: proof.clone() }),
            ),
            (
                ChainEvent::SightAnswered { ctx, answer_root, paid: 0, elements: elements.clone() },
                sends(Transaction::AnswerSight { demanded, answer_root, elements, proof: proof.clone() }),
            ),
            (
                ChainEvent::AnswerFilled { ply: 2, answer_root },
                sends(Transaction::FillAnswer { ply: 2, ctx, answer_root }),
            ),
            (
                ChainEvent::FiftyClaimed { ply: 2, deadline: 0, bond: VALUE },
                sends(Transaction::ClaimFifty { ply: 2, proof: proof.clone() }),
            ),
            (ChainEvent::FiftyFailed { ply: 2, claims_from: 22, paid: 0 }, respond(false)),
            (
                ChainEvent::BondReclaimed { slot: Slot::Hold, player: SENDER, bond: 1 },
                sends(Transaction::Reclaim(Slot::Hold)),
            ),
            (
                ChainEvent::ViewKeyPublished { player: SENDER, key: [7; 32] },
                sends(Transaction::PublishViewKey { key: [7; 32], transcript: vec![8; 32] }),
            ),
            (ended(Outcome::Resigned), close),
            (ended(Outcome::Resigned), sends(Transaction::Resign)),
            (ended(Outcome::KingCaptured), made),
            (ended(Outcome::DrawAgreed), sends(Transaction::AcceptDraw { ply: 2, commitment: Fr::from(1) })),
            (ended(Outcome::NoMove), sends(Transaction::ClaimNoMove { ply: 2, proof: proof.clone() })),
            (ended(Outcome::FiftyMoves), respond(true)),
            (ended(Outcome::TimedOut), sends(Transaction::ClaimTimeout)),
            (ended(Outcome::Cancelled), F::cancelCall { gameId: GAME }.abi_encode()),
        ]
    }

    fn is_bonded(event: &ChainEvent) -> bool {
        matches!(event, ChainEvent::SightDemanded { .. } | ChainEvent::FiftyClaimed { .. })
    }

    fn read(event: &ChainEvent, of: B256, calldata: &[u8], value: u128) -> Result<Record, Nonsense> {
        let pays = matches!(event, ChainEvent::Created(_) | ChainEvent::Joined { .. }) || is_bonded(event);
        let value = value - if pays { 0 } else { VALUE };
        let sent = Sent { sender: Some(SENDER), value: U256::from(value), calldata };
        record(event.clone(), Some(7), of, Some(sent))
    }

    #[test]
    fn an_event_is_told_by_its_own_call_alone() {
        let told = told();
        for (place, (event, own)) in told.iter().enumerate() {
            assert_eq!(read(event, GAME, own, VALUE).map(|record| record.sender), Ok(Some(SENDER)), "{place}");
            for (other, (_, calldata)) in told.iter().enumerate().filter(|(_, (_, calldata))| calldata != own) {
                let is_resigned = |place| place == 14 || place == 15;
                let is_told = read(event, GAME, calldata, VALUE).is_ok();
                // Unanswered, a claim is granted by time.
                let may = is_resigned(place) && [6, 14, 15].contains(&other) || (place, other) == (19, 20);
                assert_eq!(is_told, may, "{place} by {other}");
            }
            // Who joins pays what the terms say, which the table knows.
            let is_refused = !matches!(event, ChainEvent::Joined { .. });
            assert_eq!(read(event, GAME, own, VALUE + 1).is_err(), is_refused, "{place}");
            let is_free = matches!(event, ChainEvent::Created(_));
            assert_eq!(read(event, B256::ZERO, own, VALUE).is_ok(), is_free, "{place} in another game");
            assert!(read(event, GAME, &[], VALUE).is_err() && read(event, GAME, &own[..own.len() / 2], VALUE).is_err());
        }
    }

    /// Each word of calldata is compared, or carried on: what is another is refused, or told.
    #[test]
    fn every_word_of_a_call_counts() {
        // What was demanded is known by its context; who has signed a result, and what move captures a king, by its own event.
        let is_free = |event: &ChainEvent, of_close, word| match event {
            ChainEvent::SightAnswered { .. } => (1..9).contains(&word),
            ChainEvent::Ended { outcome: Outcome::KingCaptured, .. } => !matches!(word, 0 | 7 | 9 | 10),
            ChainEvent::Ended { .. } => of_close && word > 3,
            _ => false,
        };
        for (place, (event, own)) in told().iter().enumerate() {
            let record = read(event, GAME, own, VALUE).expect("its own call");
            for word in 0..(own.len() - 4) / 32 {
                let mut other = own.clone();
                other[4 + 32 * word + 31] ^= 1;
                let is_same = read(event, GAME, &other, VALUE).as_ref() == Ok(&record);
                let of_close = own.starts_with(&F::closeCall::SELECTOR);
                assert_eq!(is_same, is_free(event, of_close, word), "word {word} of {place}");
            }
        }
    }

    /// What stands behind the arguments the contract doesn't read.
    #[test]
    fn bytes_behind_a_call_change_nothing() {
        for (event, own) in told() {
            let longer = [&own[..], &[7; 5]].concat();
            match event {
                ChainEvent::ViewKeyPublished { .. } => {
                    let carried = read(&event, GAME, &longer, VALUE).expect("its call").carried;
                    assert_eq!(carried, Some([&[8; 32][..], &[7; 5]].concat()));
                }
                _ => assert_eq!(read(&event, GAME, &longer, VALUE), read(&event, GAME, &own, VALUE)),
            }
        }
    }

    /// Who is paid by a withdrawal may be a contract that calls anything: that hides who has done it, and spoils no game.
    #[test]
    fn a_withdrawal_may_tell_anything() {
        let withdrawal = F::withdrawCall { to: SENDER }.abi_encode();
        for (event, _) in told() {
            assert_eq!(read(&event, GAME, &withdrawal, VALUE), Ok(Record::of_chain(event, Some(7))));
        }
    }
}
