//! The events of games, in the chain's order.
//!
//! Protocol section 8 ("anyone can audit": events) and section 6: the caller asks for blocks that are final, or
//! up to the latest to show what is coming. Logs are fetched
//! in ranges that common nodes accept. What events mean is the seat's and the audit's business.

use alloy::primitives::{B256, LogData, U256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::{Filter, Log};
use alloy::sol_types::SolEventInterface as _;
use alloy::transports::{RpcError, TransportError, TransportErrorKind};
use fog::ensure;
use fog::statement::turn::TURN_INPUTS;
use halo2curves::bn256::Fr;

use super::Chain;
use super::contract::IFogmate::{self, IFogmateEvents};
use super::error::ChainError;
use super::types::{account, bytes, demanded, field, opening, outcome, registration, square};
use crate::follow::{Logged, Ranges};
use game::{ChainEvent, MoveFields};

impl Chain {
    /// The events of one game in the blocks `from..=to`, in order.
    pub async fn events(&self, game: B256, from: u64, to: u64) -> Result<Vec<Logged>, ChainError> {
        let logs = self.logs(Filter::new().topic1(game), from, to).await?;
        self.events_among(game, logs, |log| log.block_number.is_some_and(|block| (from..=to).contains(&block)))
    }

    /// The events of a game among the logs of a node, in the chain's order. It may give more than it was asked for, of other contracts and games;
    /// but if it gives some of other blocks, it has answered another question.
    pub(super) fn events_among(
        &self,
        game: B256,
        mut logs: Vec<Log>,
        is_asked: impl Fn(&Log) -> bool,
    ) -> Result<Vec<Logged>, ChainError> {
        ensure!(logs.iter().all(is_asked), ChainError::Nonsense("a log is of another block than was asked for"));
        // Every event of a game names it in its first topic but the signature.
        logs.retain(|log| log.address() == self.config.contract && log.topics().get(1) == Some(&game));
        sorted(logs).iter().filter_map(|log| logged(game, log).transpose()).collect()
    }

    /// Logs of the contract.
    pub(super) fn filter(&self) -> Filter {
        Filter::new().address(self.config.contract)
    }

    /// What the node has of a filter's logs.
    pub(super) async fn provider_logs(&self, filter: &Filter) -> Result<Vec<Log>, ChainError> {
        Ok(self.provider.get_logs(filter).await?)
    }

    /// All logs of the contract that match, in order.
    pub(super) async fn logs(&self, filter: Filter, from: u64, to: u64) -> Result<Vec<Log>, ChainError> {
        let filter = filter.address(self.config.contract);
        logs(&self.provider, filter, from.max(self.config.first_block), to).await
    }
}

/// All logs that match in the blocks `from..=to`, in order, range by range. A range that the node refuses is halved.
///
/// # Errors
///
/// [`ChainError::Behind`] if the node doesn't have the last of many blocks: a false number of its own would be asked for without an end.
pub(crate) async fn logs(provider: &DynProvider, filter: Filter, from: u64, to: u64) -> Result<Vec<Log>, ChainError> {
    let (mut found, mut ranges) = (Vec::new(), Ranges::new(from, to));
    if ranges.piece().is_some_and(|(_, end)| end < to) {
        let last = rpc::patiently(|| async { provider.get_block_by_number(to.into()).await }).await?;
        ensure!(last.is_some_and(|last| last.header.number == to), ChainError::Behind);
    }
    while let Some((start, end)) = ranges.piece() {
        let piece = filter.clone().from_block(start).to_block(end);
        match rpc::patiently(|| provider.get_logs(&piece)).await {
            Ok(logs) => {
                found.extend(logs);
                ranges.granted();
            }
            Err(error) if is_refusal(&error) && ranges.refused() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(sorted(found))
}

/// Whether a node answers and won't: less may be granted. One that can't be reached, or wants to be asked less often, is asked again later.
pub(super) fn is_refusal(error: &TransportError) -> bool {
    match error {
        RpcError::ErrorResp(_) => !rpc::is_busy(error),
        RpcError::Transport(TransportErrorKind::HttpError(answer)) => matches!(answer.status, 400 | 413 | 422),
        _ => false,
    }
}

/// Logs that stand, in the chain's order.
fn sorted(mut logs: Vec<Log>) -> Vec<Log> {
    logs.retain(|log| !log.removed);
    logs.sort_by_key(|log| (log.block_number, log.log_index));
    logs
}

/// The event of a game's log; none if it is no event of play.
fn logged(game: B256, log: &Log) -> Result<Option<Logged>, ChainError> {
    let place = (log.block_number, log.block_hash, log.transaction_hash, log.log_index);
    let (Some(block), Some(block_hash), Some(transaction), Some(index)) = place else {
        return Err(ChainError::Nonsense("a log has no place on the chain"));
    };
    let event = decode(log.data())?;
    Ok(event.map(|event| Logged { game, event, block, block_hash, transaction, index }))
}

fn decode(data: &LogData) -> Result<Option<ChainEvent>, ChainError> {
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
