//! Watching one game: what its contract tells, with what its moves' transactions carried, and the clocks after them.

use std::future::Future;
use std::time::{Duration, Instant};

use alloy::primitives::{B256, LogData};
use chain::{BlockRef, Follower, Header, LogUpdate, Node, Nodes};
use events::{Declared, Nonsense};
use game::{ChainEvent, Clocks};

use super::time::{self, ChainClock};
use super::{Chain, ChainError};

/// How often a move's calldata is asked for. A node that fails again and again costs only that: the contract has verified the move.
pub const CALLDATA_TRIES: u32 = 3;
/// The pause before a move's calldata is asked for again.
const CALLDATA_PAUSE: Duration = Duration::from_millis(200);

/// What a poll brings.
#[derive(Clone, Debug)]
pub struct Update {
    pub logs: Vec<LogUpdate<ChainEvent>>,
    /// The chain's time after them.
    pub time: ChainTime,
    /// The last block that is final.
    pub last_final: Option<BlockRef>,
    /// The latest block that the node tells of.
    pub head: Option<Header>,
    /// What the user should know of the nodes.
    pub notes: Vec<String>,
}

/// The clocks of a game and of its chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainTime {
    /// Those of the game, as of the chain's last block; none while no clock runs.
    pub clocks: Option<Clocks>,
    pub chain: ChainClock,
}

impl ChainTime {
    /// The chain's time now, in seconds since 1970.
    pub fn now(&self) -> u64 {
        self.chain.at(Instant::now())
    }

    /// The game's clocks now. The chain tells them as of its last block, which may be old where there are few.
    pub fn clocks(&self) -> Option<Clocks> {
        self.clocks.map(|clocks| clocks.after(self.chain.of_block(), self.now()))
    }
}

/// A game on its chain, as it is watched.
pub trait Watched: Send + Sync {
    type Node: Node;

    /// The nodes that are asked.
    fn node(&self) -> &Self::Node;
    /// Reads an event of the game; none if the log tells nothing of its course.
    fn decode(&self, log: &LogData) -> Result<Option<ChainEvent>, &'static str>;
    /// What the transaction of a move declares, asked for [`CALLDATA_TRIES`] times; none if nobody can say.
    fn declared(&self, transaction: B256) -> impl Future<Output = Option<Declared>> + Send;
    /// The game's clocks, and the latest block's time in seconds since 1970.
    fn clocks(&self) -> impl Future<Output = Result<(Clocks, u64), ChainError>> + Send;
    /// This machine's steady clock, and its date in seconds since 1970.
    fn now(&self) -> (Instant, u64);
    /// The id by which the contract knows the game.
    fn game(&self) -> B256;
    /// Whether nothing that was signed before goes out again by itself: it is for a chain that is no more.
    fn hold(&self, is_held: bool);
    /// What the user should know of the nodes, told once.
    fn take_notes(&self) -> Vec<String>;
}

#[derive(Clone, Debug)]
pub struct Watcher<W = OnChain> {
    watched: W,
    follower: Follower<ChainEvent>,
    /// What is new and waits for the clocks after it.
    logs: Vec<LogUpdate<ChainEvent>>,
    notes: Vec<String>,
    /// The last block that was told as final, and the latest one.
    told: (Option<BlockRef>, Option<Header>),
    /// The time that was told last.
    time: Option<ChainTime>,
}

impl Watcher {
    /// Watches a game from a block on, its creation's or any before. `last_final` is a block that counted as final once, and so must still be on
    /// the chain.
    pub fn new(chain: Chain, game: B256, from: u64, last_final: Option<BlockRef>) -> Self {
        let follower = chain.follow(game, from, last_final);
        Self::of(OnChain { chain, game }, follower)
    }
}

impl<W: Watched> Watcher<W> {
    /// As [`Watcher::new`], for a game wherever it is watched.
    pub fn of(watched: W, follower: Follower<ChainEvent>) -> Self {
        Self { watched, follower, logs: Vec::new(), notes: Vec::new(), told: (None, None), time: None }
    }

    /// Whether the last poll, though it may have failed, has found something that the next one needn't ask for.
    pub fn has_advanced(&self) -> bool {
        self.follower.has_advanced()
    }

    /// What is new: the first time something even if there are no events, later none without another block. A poll that fails, or
    /// is dropped, loses nothing: the next one tells all that it would have.
    ///
    /// # Errors
    ///
    /// [`ChainError::Reorganised`] if what was told as final is on the chain no more; [`ChainError::Behind`] and a node's failures, which
    /// pass; [`ChainError::NodesDisagree`]. Whatever it is, the next poll may succeed.
    pub async fn poll(&mut self) -> Result<Option<Update>, ChainError> {
        let (instant, date) = self.watched.now();
        let wants_clocks = self.time.is_none_or(|time| time.chain.has_slept(instant, date));
        let watched = &self.watched;
        let polled = self.follower.poll(watched.node(), &|log| watched.decode(log)).await;
        watched.hold(self.follower.is_held());
        self.logs.extend(polled?);
        self.notes.extend(watched.take_notes());
        for update in &mut self.logs {
            // What the moves' transactions carried, for the seat to verify.
            if let LogUpdate::Final(log) = update
                && matches!(log.event, ChainEvent::Moved { proof: None, .. })
                && let Some(declared) = watched.declared(log.transaction).await
            {
                declared.complete(watched.game(), &mut log.event);
            }
        }
        let (last_final, head) = (self.follower.last_final(), self.follower.head());
        let is_new = !self.logs.is_empty() || !self.notes.is_empty() || self.told.0 != last_final;
        let time = match self.time.filter(|_| !is_new && !wants_clocks) {
            Some(_) if self.told.1 == head => return Ok(None),
            // The clocks go on as they were, and by the time of the new head it is known how old what is known is.
            Some(time) => {
                let head_time = head.as_ref().map_or(time.chain.of_block(), |head| head.time);
                ChainTime { chain: ChainClock::heard(Some(time.chain), head_time, watched.now().0, date), ..time }
            }
            None => {
                // Without these nobody could win on time, so what is new waits for them.
                let instant = watched.now().0;
                let (clocks, block_time) = watched.clocks().await?;
                // By the date of before: a machine that was suspended meanwhile may have been told what was true then.
                let chain = ChainClock::heard(self.time.map(|time| time.chain), block_time, instant, date);
                ChainTime { clocks: Some(clocks).filter(|clocks| clocks.deadline > 0), chain }
            }
        };
        (self.time, self.told) = (Some(time), (last_final, head));
        let (logs, notes) = (std::mem::take(&mut self.logs), std::mem::take(&mut self.notes));
        Ok(Some(Update { logs, time, last_final, head, notes }))
    }
}

/// A game on the chain of a connection.
#[derive(Clone, Debug)]
pub struct OnChain {
    chain: Chain,
    game: B256,
}

impl Watched for OnChain {
    type Node = Nodes;

    fn node(&self) -> &Nodes {
        &self.chain.nodes
    }

    fn decode(&self, log: &LogData) -> Result<Option<ChainEvent>, &'static str> {
        events::decode(log).map_err(|Nonsense(what)| what)
    }

    async fn declared(&self, transaction: B256) -> Option<Declared> {
        for _ in 1..CALLDATA_TRIES {
            match self.chain.declared_in(transaction).await {
                Ok(declared) => return Some(declared),
                Err(ChainError::Nonsense(_)) => return None,
                Err(_) => tokio::time::sleep(CALLDATA_PAUSE).await,
            }
        }
        self.chain.declared_in(transaction).await.ok()
    }

    async fn clocks(&self) -> Result<(Clocks, u64), ChainError> {
        Ok((self.chain.clocks(self.game).await?, self.chain.block_time().await?))
    }

    fn now(&self) -> (Instant, u64) {
        (Instant::now(), time::unix())
    }

    fn game(&self) -> B256 {
        self.game
    }

    fn hold(&self, is_held: bool) {
        self.chain.hold(is_held);
    }

    fn take_notes(&self) -> Vec<String> {
        self.chain.nodes.take_notes()
    }
}
