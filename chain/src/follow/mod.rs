//! Following a contract's logs of one topic: what is included, what the chain has taken back, and what is final.
//!
//! Protocol section 6: nothing that depends on an event is released before the event is final. So an event is told twice, when it is
//! included and when it is final, and may be taken back in between. What events mean, and when to poll again, is the caller's.
//!
//! An address of a node is often many machines, of which some are behind, and each question may reach another one. So recent blocks are
//! followed from parent to child by their hashes, and the events of a block are asked for by its hash (EIP-234), which a machine that doesn't
//! have the block can't answer as if there were none. One that has the block and not yet its logs can; so what is empty though its bloom says
//! that something may be there is asked for once more before it counts as final. Only blocks that lie deep are asked for by ranges of numbers, and
//! what a range is answered with counts once its last block was shown.

mod finality;
mod found;
mod path;
mod ranges;

use crate::NodeError;
use crate::node::{BlockRef, Blocks, Header, Log, Node, Topic};
use alloy::eips::BlockId;
use alloy::primitives::LogData;
pub use finality::{Finality, FinalityParseError};
use found::{Block, Found, KEPT};
pub use ranges::{Pace, Ranges};
use thiserror::Error;

/// Blocks below the latest from which on a range of numbers may be asked for: no machine in service is so far behind.
const DEEP: u64 = 64;

/// Ranges of blocks that one poll asks for at most: a head that is far too high costs no more before it is asked for again.
const PIECES: u32 = 512;

/// What a poll brings, each in the chain's order.
#[derive(Clone, Debug, PartialEq)]
pub enum LogUpdate<E> {
    /// An event in a block that isn't final yet.
    Included(Log<E>),
    /// An event that was included and is no longer on the chain, or has moved to another block.
    Reorged(Log<E>),
    /// An event that is final, told once.
    Final(Log<E>),
}

/// Why a poll has failed. The next one may succeed, and tells all that this one would have.
#[derive(Debug, Error)]
pub enum FollowError {
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The node doesn't have a block that it told of, or that counted as final: one of several machines may be behind.
    #[error("the node doesn't have all blocks that it told of, or that counted as final: it may be behind")]
    Behind,
    #[error("block {0} counted as final and is on the chain no more")]
    Reorged(u64),
    #[error("another node has another block {0}, which is about to count as final, or does")]
    NodesDisagree(u64),
    /// So much is still to be read that the poll ends before it; the next one goes on.
    #[error("the chain has been read to block {next} so far, of {head}")]
    FarBehind {
        /// The first block that isn't read.
        next: u64,
        /// The latest block, as the node tells it.
        head: u64,
    },
    #[error("the node says what can't be: {0}")]
    Nonsense(&'static str),
}

/// Reads an event from a log: none if it is nothing to be told. A node that garbles a log is asked for it again.
type Decode<'a, E> = &'a (dyn Fn(&LogData) -> Result<Option<E>, &'static str> + Send + Sync);

/// Follows the events of a topic.
#[derive(Clone, Debug)]
pub struct Follower<E> {
    topic: Topic,
    finality: Finality,
    /// The last block that counted as final before, to an earlier follower: it still does. And whether it is known to be on the chain.
    floor: Option<BlockRef>,
    is_floor_there: bool,
    /// The first block that hasn't been told as final.
    next: u64,
    /// The last block that has.
    last: Option<BlockRef>,
    /// The blocks after it, oldest first.
    recent: Vec<Block<E>>,
    found: Found<E>,
    /// How many blocks the node grants at once.
    pace: Pace,
    is_held: bool,
    head: Option<Header>,
}

/// What one poll goes by.
struct Sight {
    head: Header,
    /// The number of the last final block.
    last_final: Option<u64>,
    /// The block that a node has called `finalized`: the head that another one has told must be on its chain.
    finalized: Option<BlockRef>,
}

impl<E: Clone + PartialEq> Follower<E> {
    /// Follows a topic from a block on. `told` is a block that counted as final before, which must still be on the chain: what lies below stays
    /// final, however far behind the node's finality is, or the user's has become.
    pub fn new(topic: Topic, finality: Finality, from: u64, told: Option<BlockRef>) -> Self {
        Self {
            topic,
            finality,
            floor: told,
            is_floor_there: told.is_none(),
            next: from,
            last: None,
            recent: Vec::new(),
            found: Found::default(),
            pace: Pace::default(),
            is_held: false,
            head: None,
        }
    }

    /// The latest block, as the last poll has found it.
    pub fn head(&self) -> Option<Header> {
        self.head
    }

    /// The last block whose events have been told as final.
    pub fn last_final(&self) -> Option<BlockRef> {
        self.last
    }

    /// Whether the last poll, though it may have failed, has found something that the next one needn't ask for.
    pub fn has_advanced(&self) -> bool {
        self.found.has_grown
    }

    /// Whether what was signed is for a chain that is no more, as far as the last poll knows: then none of it goes out again by itself.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// All that is new since the last poll. One that fails, or is dropped before its end, loses nothing: the next one tells all that it would
    /// have.
    pub async fn poll(&mut self, node: &impl Node, decode: Decode<'_, E>) -> Result<Vec<LogUpdate<E>>, FollowError> {
        self.found.has_grown = false;
        let polled = self.look(node, decode).await;
        let block = match polled {
            Err(FollowError::Reorged(_)) => self.last.or(self.floor),
            _ => None,
        };
        if let Err(FollowError::Reorged(_) | FollowError::NodesDisagree(_) | FollowError::Nonsense(_)) = polled {
            self.found = Found::default();
        }
        let Some(block) = block else { return polled };
        // A final block is on the chain no more, as the node says. Another one may deny it.
        self.is_held = true;
        match node.elsewhere(block.number).await.contains(&block) {
            true => Err(FollowError::NodesDisagree(block.number)),
            false => polled,
        }
    }

    async fn look(&mut self, node: &impl Node, decode: Decode<'_, E>) -> Result<Vec<LogUpdate<E>>, FollowError> {
        if let Some(floor) = self.floor.filter(|_| !self.is_floor_there) {
            self.check(node, floor).await?;
            self.is_floor_there = true;
        }
        let head =
            node.block(BlockId::latest()).await?.ok_or(FollowError::Nonsense("the chain has no latest block"))?;
        let number = head.block.number;
        // Below it each number has one after it.
        ensure!(number < u64::MAX, FollowError::Nonsense("the latest block has the highest number that there is"));
        if self.last.is_some_and(|last| number < last.number) {
            // A machine that is behind. A chain that was taken back grows again, and is found out then.
            return Ok(Vec::new());
        }
        ensure!(self.floor.is_none_or(|floor| number >= floor.number), FollowError::Behind);
        self.head = Some(head);
        let (counted, named) = self.finality.last_final(node, head.block).await?;
        let finalized = named.map(|named| named.block);
        let sight = Sight { head, last_final: counted.max(self.floor.map(|floor| floor.number)), finalized };
        let (next, last, final_logs) = self.read_deep(node, decode, &sight).await?;
        let path = self.read_recent(node, decode, &sight, (next, last)).await?;
        let updates = self.conclude(node, &sight, last, final_logs, path).await?;
        self.is_held = false;
        Ok(updates)
    }

    /// Fails unless a block that counts as final is on the chain.
    async fn check(&self, node: &impl Node, block: BlockRef) -> Result<(), FollowError> {
        let found = node.block(block.number.into()).await?.ok_or(FollowError::Behind)?;
        if found.block == block { Ok(()) } else { Err(FollowError::Reorged(block.number)) }
    }

    /// Whether a block may be on the chain of what counted as final before, and of what is called `finalized`: another one of their numbers isn't.
    fn may_have(&self, sight: &Sight, block: BlockRef) -> bool {
        let is_other = |known: &BlockRef| known.number == block.number && *known != block;
        !self.floor.iter().chain(&sight.finalized).any(is_other)
    }

    /// The final events of the blocks that lie deep, range by range; with the block after them, and the last one of them.
    async fn read_deep(
        &mut self,
        node: &impl Node,
        decode: Decode<'_, E>,
        sight: &Sight,
    ) -> Result<(u64, Option<BlockRef>, Vec<Log<E>>), FollowError> {
        let head = sight.head.block.number;
        let deep = head.checked_sub(DEEP).min(sight.last_final).filter(|to| *to >= self.next);
        let Some(to) = deep else { return Ok((self.next, self.last, Vec::new())) };
        if let Some(last) = self.last {
            self.check(node, last).await?;
        }
        // What an earlier poll has found counts if its last block is there still.
        let known = match self.found.last.filter(|known| known.number <= head) {
            Some(known) => {
                node.block(known.number.into()).await?.map(|found| found.block).filter(|found| *found == known)
            }
            None => None,
        };
        if known.is_none() {
            self.found.forget_final();
        }
        let start = known.map_or(self.next, |known| known.number + 1);
        let (mut ranges, mut pieces) = (Ranges::of(start, to, self.pace), 0);
        while let Some((from, end)) = ranges.piece() {
            ensure!(pieces < PIECES, FollowError::FarBehind { next: from, head });
            pieces += 1;
            let logs = match node.logs(&self.topic, Blocks::Range(from, end)).await {
                Err(error) if error.is_refusal() && ranges.refused() => {
                    self.pace = ranges.pace();
                    continue;
                }
                logs => decoded(logs?, decode)?,
            };
            // Of blocks that nobody has, many nodes say that nothing happened in them.
            let shown = node.block(end.into()).await?.ok_or(FollowError::Behind)?.block;
            if shown.number != end {
                return Err(FollowError::Nonsense("a block has another number than the one that was asked for"));
            }
            if !self.may_have(sight, shown) {
                // Another fork's: the events of its blocks, which came with it, are forgotten too.
                self.found.forget_final();
                return Err(FollowError::Behind);
            }
            ranges.granted();
            self.pace = ranges.pace();
            self.found.keep_final(logs, shown);
        }
        let last = self.found.last.or(self.last);
        Ok((last.map_or(self.next, |last| last.number + 1), last, self.found.logs.clone()))
    }

    /// Tells what is new, once no other node denies the last final block.
    async fn conclude(
        &mut self,
        node: &impl Node,
        sight: &Sight,
        deep: Option<BlockRef>,
        mut final_logs: Vec<Log<E>>,
        mut path: Vec<Block<E>>,
    ) -> Result<Vec<LogUpdate<E>>, FollowError> {
        let is_final = |block: &Block<E>| sight.last_final.is_some_and(|last| block.header.block.number <= last);
        let recent = path.split_off(path.partition_point(is_final));
        let last = path.last().map(|block| block.header.block).or(deep);
        final_logs.extend(path.into_iter().flat_map(|block| block.logs).flatten());
        if let Some(block) = last.filter(|_| last != self.last)
            && node.elsewhere(block.number).await.iter().any(|other| other.hash != block.hash)
        {
            return Err(FollowError::NodesDisagree(block.number));
        }
        let before: Vec<&Log<E>> = self.recent.iter().flat_map(|block| &block.logs).flatten().collect();
        let now: Vec<&Log<E>> = recent.iter().flat_map(|block| &block.logs).flatten().collect();
        let gone = before.iter().filter(|log| !now.contains(log) && !final_logs.contains(log));
        let new_ones = now.iter().filter(|log| !before.contains(log));
        // What is taken back may be what is final or included again elsewhere, so it comes first.
        let gone = gone.map(|log| LogUpdate::Reorged((*log).clone()));
        let included = new_ones.map(|log| LogUpdate::Included((*log).clone())).collect::<Vec<_>>();
        let told = gone.chain(final_logs.iter().cloned().map(LogUpdate::Final)).chain(included).collect();
        (self.last, self.recent, self.found) = (last, recent, Found::default());
        self.next = last.map_or(self.next, |last| last.number + 1);
        Ok(told)
    }
}

/// The events of logs.
fn decoded<E>(logs: Vec<Log>, decode: Decode<'_, E>) -> Result<Vec<Log<E>>, FollowError> {
    let mut events = Vec::new();
    for Log { event, block, transaction, index } in logs {
        let event = decode(&event).map_err(NodeError::Nonsense)?;
        events.extend(event.map(|event| Log { event, block, transaction, index }));
    }
    Ok(events)
}
