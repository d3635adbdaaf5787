//! A look at the chain on its way: what it has found so far, and what looks that failed leave to the next one.

use super::{Header, Logged, Ranges};
use alloy::primitives::B256;
use game::BlockRef;

/// Blocks below the latest from which on a range of numbers may be asked for: no machine in service is so far behind.
const DEEP: u64 = 64;

/// Blocks that are kept while looks fail: twice those that aren't final, so that also those of a fork that was left find room, but no fewer than the
/// first and no more than the second of these.
const KEPT: (u64, u64) = (4 * DEEP, 20_000);

/// A block that isn't final, with what happened in it.
#[derive(Clone, Debug)]
pub(super) struct Coming {
    pub header: Header,
    pub events: Vec<Logged>,
}

/// What looks that failed have found, for the next one: a node that answers one question in two answers all of a hundred never.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Blocks that aren't told, of any fork.
    pub blocks: Vec<Coming>,
    /// Final events of blocks that lie deep.
    pub events: Vec<Logged>,
    /// The first block whose final events aren't among them.
    pub next: u64,
    /// How many blocks the node grants at once.
    pub size: u64,
    /// Whether the last look has found anything.
    pub has_grown: bool,
}

impl Kept {
    pub fn new(next: u64) -> Self {
        Self { blocks: Vec::new(), events: Vec::new(), next, size: Ranges::MOST, has_grown: false }
    }

    /// Keeps a block of a look; `coming` is how many blocks from the latest down aren't told.
    pub fn keep(&mut self, block: Coming, coming: u64) {
        if self.blocks.len() as u64 >= (2 * coming).clamp(KEPT.0, KEPT.1) {
            self.blocks.remove(0);
        }
        self.blocks.push(block);
        self.has_grown = true;
    }
}

/// What a look has found so far.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub head: Header,
    pub last_final: Option<u64>,
    /// The block that a node has called `finalized`: the head that another one has told must be on its chain.
    pub finalized: Option<BlockRef>,
    /// As in the follower, once the look is done.
    pub next: u64,
    pub last: Option<BlockRef>,
    /// Final events.
    pub events: Vec<Logged>,
    /// Blocks from the head down, then those of them that aren't final, oldest first.
    pub path: Vec<Coming>,
    pub answering: Vec<bool>,
    pub stage: Stage,
}

/// What a look waits for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    Latest,
    Finalized,
    /// Whether the last block told as final is there.
    Last(BlockRef),
    Events {
        ranges: Ranges,
        to: u64,
    },
    /// The last block of such ranges.
    End,
    EventsOf(Header),
    Parent(B256),
    Witness(BlockRef),
}

/// The last block that lies deep and isn't told.
pub(super) fn deep(look: &Look) -> Option<u64> {
    look.head.block.number.checked_sub(DEEP).min(look.last_final).filter(|to| *to >= look.next)
}
