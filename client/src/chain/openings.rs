//! The games of a contract that wait for an opponent, as its events tell them: the newest first, because only they are of interest.

use std::collections::BTreeSet;

use alloy::primitives::{Address, B256};
use alloy::rpc::types::Filter;
use alloy::sol_types::SolEvent as _;
use events::IFogmate::{GameCreated, GameEnded, GameJoined};
use events::{Status, decode};
use game::{ChainEvent, Opening};

use super::{Chain, ChainError};

/// Blocks that are looked through at once: what nodes commonly grant.
const WINDOW: u64 = 2_000;

/// A game that somebody has opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenGame {
    pub game: B256,
    pub opening: Opening,
    /// The time of its block, in seconds since 1970.
    pub since: Option<u64>,
}

/// A game that somebody has opened for one opponent alone, and that isn't over.
#[derive(Clone, Debug, PartialEq)]
pub struct GameBetween {
    pub game: B256,
    pub opening: Opening,
    pub status: Status,
    /// Where the chain has its opening: the block, and the place of the log in it.
    pub place: (u64, u64),
}

/// How far games are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Blocks before this time are left out, in seconds since 1970.
    pub since: u64,
    /// So many games at most.
    pub games: usize,
}

impl Chain {
    /// The games that can be joined at the time `now`, the latest first.
    pub async fn open_games(&self, now: u64, reach: Reach) -> Result<Vec<OpenGame>, ChainError> {
        let events = vec![GameCreated::SIGNATURE_HASH, GameJoined::SIGNATURE_HASH, GameEnded::SIGNATURE_HASH];
        let filter = Filter::new().event_signature(events);
        let (mut taken, mut found) = (BTreeSet::new(), Vec::new());
        let mut to = self.latest_block().await?;
        while found.len() < reach.games {
            let from = to.saturating_sub(WINDOW - 1).max(self.config.first_block);
            for log in self.logs(filter.clone(), from, to).await?.into_iter().rev() {
                let Some(game) = log.topics().get(1).copied() else { continue };
                match decode(&log.inner.data)? {
                    Some(ChainEvent::Created(opening)) if !taken.contains(&game) && opening.terms.expiry >= now => {
                        found.push((game, opening, log.block_number.unwrap_or_default()));
                    }
                    Some(ChainEvent::Joined { .. } | ChainEvent::Ended { .. }) => {
                        taken.insert(game);
                    }
                    _ => {}
                }
            }
            if from <= self.config.first_block || self.time_of(from).await?.is_none_or(|time| time < reach.since) {
                break;
            }
            to = from - 1;
        }
        found.truncate(reach.games);
        let mut games = Vec::new();
        for (game, opening, block) in found {
            let since = self.time_of(block).await?;
            if since.is_none_or(|since| since >= reach.since) {
                games.push(OpenGame { game, opening, since });
            }
        }
        Ok(games)
    }

    /// The games that `creator` has opened for `invited` alone from a block on and that aren't over, the latest first.
    pub async fn games_between(
        &self,
        creator: Address,
        invited: Address,
        from: u64,
    ) -> Result<Vec<GameBetween>, ChainError> {
        let filter = Filter::new().event_signature(GameCreated::SIGNATURE_HASH);
        let filter = filter.topic2(creator.into_word()).topic3(invited.into_word());
        let mut found = Vec::new();
        for to in (from..=self.latest_block().await?).rev().step_by(WINDOW as usize) {
            let first = to.saturating_sub(WINDOW - 1).max(from);
            for log in self.logs(filter.clone(), first, to).await?.into_iter().rev() {
                let place = (log.block_number.unwrap_or_default(), log.log_index.unwrap_or_default());
                let (Some(game), Some(ChainEvent::Created(opening))) =
                    (log.topics().get(1).copied(), decode(&log.inner.data)?)
                else {
                    continue;
                };
                let status = self.game(game).await?.status;
                if status != Status::Over {
                    found.push(GameBetween { game, opening, status, place });
                }
            }
        }
        Ok(found)
    }
}
