//! Following a game's logs, each with the time of its block: what is told is final, and comes once.

use alloy::primitives::{B256, LogData};
use chain::{FollowError, Follower, Log, LogUpdate, Node as _};

use crate::chain::{BlockRef, ChainError, Connection};

/// A log, with its place and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub data: LogData,
    pub block: BlockRef,
    pub transaction: B256,
    /// The block's time, in seconds since 1970.
    pub time: u64,
}

/// All that has become final of a game.
#[derive(Clone, Debug)]
pub struct Following {
    game: B256,
    /// The block from which on it is followed.
    from: u64,
    follower: Follower<LogData>,
    /// What is final, and waits for its time.
    untimed: Vec<Log>,
    told: Vec<Told>,
}

impl Following {
    /// Follows a game from a block on, or from the contract's first.
    pub fn new(chain: &Connection, game: B256, from: u64) -> Self {
        Self { game, from, follower: chain.follow(game, from, None), untimed: Vec::new(), told: Vec::new() }
    }

    /// All logs in final blocks, in order. A poll that fails, or is dropped, loses nothing. Where the chain was taken back deeper than its final blocks,
    /// it is read anew.
    pub async fn poll(&mut self, chain: &Connection) -> Result<&[Told], ChainError> {
        let decode = |log: &LogData| Ok(Some(log.clone()));
        loop {
            match self.follower.poll(&chain.nodes, &decode).await {
                Ok(updates) => {
                    let is_final = |update| if let LogUpdate::Final(log) = update { Some(log) } else { None };
                    self.untimed.extend(updates.into_iter().filter_map(is_final));
                    break;
                }
                Err(FollowError::Reorged(_)) => self.forget(chain),
                Err(FollowError::FarBehind { .. }) if self.follower.has_advanced() => {}
                Err(error) => return Err(error.into()),
            }
        }
        while let Some(log) = self.untimed.first() {
            let time = match self.told.last().filter(|last| last.block == log.block) {
                Some(last) => last.time,
                None => chain.nodes.block(log.block.hash.into()).await?.ok_or(ChainError::Behind)?.time,
            };
            let Log { event: data, block, transaction, .. } = self.untimed.remove(0);
            self.told.push(Told { data, block, transaction, time });
        }
        Ok(&self.told)
    }

    /// Whatever was told is asked for again: it makes no sense, so the node may have garbled it.
    pub fn forget(&mut self, chain: &Connection) {
        *self = Self::new(chain, self.game, self.from);
    }
}
