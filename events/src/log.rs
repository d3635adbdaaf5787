//! A log of the contract as an event of a game.

use alloy_primitives::LogData;
use alloy_sol_types::SolEventInterface as _;
use game::{ChainEvent, MoveFields};

use crate::Nonsense;
use crate::contract::IFogmate::{self, IFogmateEvents};
use crate::types::{account, bytes, demanded, field, opening, outcome, position, registration, slot_of, square};

/// Reads an event of a game; none if it tells nothing of the game's course.
///
/// # Errors
///
/// [`Nonsense`] if the log is none of the contract's, or says what the contract can't say.
pub fn decode(data: &LogData) -> Result<Option<ChainEvent>, Nonsense> {
    use IFogmateEvents as E;
    let event = E::decode_raw_log(data.topics(), &data.data);
    let event = event.map_err(|_| Nonsense("a log is not an event of the contract"))?;
    Ok(Some(match event {
        E::GameCreated(e) => ChainEvent::Created(opening(&e)?),
        E::GameJoined(e) => {
            let registration = registration(&e.fogKey);
            ChainEvent::Joined { joiner: e.player, toss: e.tossCommitment, registration }
        }
        E::TossRevealed(e) => ChainEvent::TossRevealed { share: e.share.into() },
        E::GameStarted(e) => ChainEvent::Started { white: e.white, share: e.share.into() },
        E::Moved(e) => moved(&e)?,
        E::SightDemanded(e) => ChainEvent::SightDemanded {
            demanded: demanded(&e.exchange)?,
            deadline: e.deadline.to::<u64>(),
            bond: e.bond.to::<u128>(),
            points: bytes(&e.points),
        },
        E::SightAnswered(e) => ChainEvent::SightAnswered {
            ctx: field(e.ctx)?,
            answer_root: field(e.answerRoot)?,
            paid: e.paid.to::<u128>(),
            elements: bytes(&e.elements),
        },
        E::AnswerFilled(e) => ChainEvent::AnswerFilled { ply: e.ply, answer_root: field(e.answerRoot)? },
        E::FiftyClaimed(e) => {
            ChainEvent::FiftyClaimed { ply: e.ply, deadline: e.deadline.to::<u64>(), bond: e.bond.to::<u128>() }
        }
        E::FiftyFailed(e) => {
            ChainEvent::FiftyFailed { ply: e.ply, claims_from: e.claimsFrom, paid: e.paid.to::<u128>() }
        }
        E::BondReclaimed(e) => {
            ChainEvent::BondReclaimed { slot: slot_of(e.slot)?, player: e.player, bond: e.bond.to::<u128>() }
        }
        E::GameEnded(e) => {
            let outcome = outcome(e.outcome)?.ok_or(Nonsense("a game ended for no reason"))?;
            ChainEvent::Ended { winner: account(e.winner), outcome }
        }
        E::ViewKeyPublished(e) => ChainEvent::ViewKeyPublished { player: e.player, key: e.viewKey.0 },
        E::Woken(e) => {
            let until = u64::try_from(e.contestedUntil).map_err(|_| Nonsense("a time exceeds 64 bits"))?;
            ChainEvent::Woken { position: Box::new(position(&e.position)?), until }
        }
        E::Closed(e) => ChainEvent::Closed { last: e.last },
        E::Withdrawn(_) => return Ok(None),
    }))
}

fn moved(e: &IFogmate::Moved) -> Result<ChainEvent, Nonsense> {
    let fields = MoveFields {
        ply: e.ply,
        next_commitment: field(e.commitment)?,
        next_request_root: field(e.requestRoot)?,
        answer_root: field(e.answerRoot)?,
        capture: square(e.capture)?,
        king_fell: e.kingFell,
        offer_draw: e.drawOffered,
    };
    Ok(ChainEvent::Moved { player: e.player, fields, basis: None, proof: None })
}
