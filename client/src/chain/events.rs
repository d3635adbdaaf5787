//! The events of games, in the chain's order.
//!
//! Protocol section 8 ("anyone can audit": events) and section 6: the caller asks for blocks that are final, or
//! up to the latest to show what is coming.  What events mean is the seat's and the audit's business.

use alloy::primitives::{B256, LogData, U256};
use alloy::rpc::types::{Filter, Log};
use alloy::sol_types::SolEventInterface as _;
use fog::ensure;
use fog::statement::turn::TURN_INPUTS;
use halo2curves::bn256::Fr;

use super::Chain;
use super::contract::IFogmate::{self, IFogmateEvents};
use super::error::ChainError;
use super::types::{account, bytes, demanded, field, opening, outcome, registration, square};
use game::{ChainEvent, MoveFields};

/// An event of a game and where it is on the chain.
pub type Logged = chain::Log<ChainEvent>;

impl Chain {
    /// The events of one game in the blocks `from..=to`, in order.
    pub async fn events(&self, game: B256, from: u64, to: u64) -> Result<Vec<Logged>, ChainError> {
        let mut logs = self.logs(Filter::new().topic1(game), from, to).await?;
        // A node may give more than it was asked for, of other contracts and games; but if it gives some of other blocks, it has answered another
        // question.
        let is_asked = |log: &Log| log.block_number.is_some_and(|block| (from..=to).contains(&block));
        ensure!(logs.iter().all(is_asked), ChainError::Nonsense("a log is of another block than was asked for"));
        logs.retain(|log| log.address() == self.config.contract && log.topics().get(1) == Some(&game));
        let mut events = Vec::new();
        for log in logs {
            let chain::Log { event, block, transaction, index } = chain::Log::placed(log)?;
            let event = decode(&event).map_err(ChainError::Nonsense)?;
            events.extend(event.map(|event| Logged { event, block, transaction, index }));
        }
        Ok(events)
    }
}

/// Reads an event of a game; none if it is no event of play.
pub(super) fn decode(data: &LogData) -> Result<Option<ChainEvent>, &'static str> {
    read(data).map_err(|error| match error {
        ChainError::Nonsense(what) => what,
        _ => "a log is not an event of the contract",
    })
}

fn read(data: &LogData) -> Result<Option<ChainEvent>, ChainError> {
    use IFogmateEvents as E;
    let event = E::decode_raw_log(data.topics(), &data.data);
    let event = event.map_err(|_| ChainError::Nonsense("a log is not an event of the contract"))?;
    Ok(Some(match event {
        E::GameCreated(e) => ChainEvent::Created(opening(&e)?),
        E::GameJoined(e) => {
            let registration = registration(&e.fogKey);
            ChainEvent::Joined { joiner: e.player, toss: e.tossCommitment, registration }
        }
        E::TossRevealed(e) => ChainEvent::TossRevealed { share: e.share.into() },
        E::GameStarted(e) => ChainEvent::Started { white: e.white, share: e.share.into() },
        E::Moved(e) => moved(&e)?,
        E::MoveUnproven(e) => {
            ChainEvent::MoveUnproven { ply: e.ply, inputs: Box::new(inputs(&e.inputs)?), proof: e.proof.to_vec() }
        }
        E::SightDemanded(e) => ChainEvent::SightDemanded {
            demanded: demanded(&e.exchange)?,
            deadline: e.deadline.to::<u64>(),
            points: bytes(&e.points),
        },
        E::SightAnswered(e) => ChainEvent::SightAnswered {
            ctx: field(e.ctx)?,
            answer_root: field(e.answerRoot)?,
            elements: bytes(&e.elements),
        },
        E::AnswerFilled(e) => ChainEvent::AnswerFilled { ply: e.ply, answer_root: field(e.answerRoot)? },
        E::FiftyClaimed(e) => ChainEvent::FiftyClaimed { ply: e.ply, deadline: e.deadline.to::<u64>() },
        E::FiftyFailed(e) => ChainEvent::FiftyFailed { ply: e.ply, claims_from: e.claimsFrom },
        E::GameEnded(e) => {
            let outcome = outcome(e.outcome)?.ok_or(ChainError::Nonsense("a game ended for no reason"))?;
            ChainEvent::Ended { winner: account(e.winner), outcome }
        }
        E::ViewKeyPublished(e) => ChainEvent::ViewKeyPublished { player: e.player, key: e.viewKey.0 },
        E::BondReclaimed(_) | E::Withdrawn(_) => return Ok(None),
    }))
}

fn inputs(words: &[U256; TURN_INPUTS]) -> Result<[Fr; TURN_INPUTS], ChainError> {
    let inputs: Vec<Fr> = words.iter().map(|word| field(*word)).collect::<Result<_, _>>()?;
    inputs.try_into().map_err(|_| ChainError::Nonsense("a move has another number of public inputs"))
}

fn moved(e: &IFogmate::Moved) -> Result<ChainEvent, ChainError> {
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
