//! A look at the chain on its way: what it has found so far, and what looks that failed leave to the next one.

use super::{Header, Logged, Ranges, Trouble};
use alloy::primitives::B256;
use fog::ensure;
use game::BlockRef;
use std::collections::{HashMap, VecDeque};

/// Blocks below the latest from which on a range of numbers may be asked for: no machine in service is so far behind.
const DEEP: u64 = 64;

/// Blocks that are kept while looks fail: twice those that aren't final, so that also those of a fork that was left find room, but no fewer than the
/// first and no more than the second of these.
const KEPT: (u64, u64) = (4 * DEEP, 20_000);

/// Ranges of blocks that one look asks for at most: a head that is far too high costs no more before it is asked for again.
const PIECES: u32 = 512;

/// A block that isn't final, with what happened in it.
#[derive(Clone, Debug)]
pub(super) struct Coming {
    pub header: Header,
    pub events: Vec<Logged>,
    /// Whether that is all of it: a machine whose logs are behind its blocks answers as if there were nothing.
    pub is_sure: bool,
}

/// What looks that failed have found, for the next one: a node that answers one question in two answers all of a hundred never.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Blocks that aren't told, of any fork, by their hashes.
    blocks: HashMap<B256, Coming>,
    /// Their hashes, the one that was kept first in front.
    order: VecDeque<B256>,
    /// Final events of blocks that lie deep.
    pub events: Vec<Logged>,
    /// The last block whose final events are among them, as the node has shown it; none if none are.
    pub last: Option<BlockRef>,
    /// Whether the last look has found anything.
    pub has_grown: bool,
}

impl Kept {
    /// Keeps the final events of blocks up to one that the node has shown.
    pub fn keep_final(&mut self, events: Vec<Logged>, last: BlockRef) {
        self.events.extend(events);
        (self.last, self.has_grown) = (Some(last), true);
    }

    /// The final events aren't those of the chain that there is.
    pub fn forget_final(&mut self) {
        (self.events, self.last) = (Vec::new(), None);
    }

    /// A block that is kept.
    pub fn block(&self, hash: B256) -> Option<&Coming> {
        self.blocks.get(&hash)
    }

    /// Keeps a block of a look; `coming` is how many blocks from the latest down aren't told.
    pub fn keep(&mut self, block: Coming, coming: u64) {
        let hash = block.header.block.hash;
        if self.blocks.insert(hash, block).is_none() {
            self.order.push_back(hash);
        }
        let most = coming.saturating_mul(2).clamp(KEPT.0, KEPT.1);
        if self.order.len() as u64 > most
            && let Some(oldest) = self.order.pop_front()
        {
            self.blocks.remove(&oldest);
        }
        self.has_grown = true;
    }

    /// Forgets a block, if there is one.
    pub fn forget(&mut self, block: Option<&Coming>) {
        if let Some(block) = block {
            self.blocks.remove(&block.header.block.hash);
            self.order.retain(|hash| *hash != block.header.block.hash);
        }
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
    pub events: Vec<Logged>,
    /// Blocks from the head down, then those of them that aren't final, oldest first.
    pub path: Vec<Coming>,
    pub answering: Vec<bool>,
    /// The events of a range whose last block isn't shown yet.
    pub piece: Vec<Logged>,
    /// How many ranges were asked for.
    pub pieces: u32,
    pub stage: Stage,
}

/// What a look waits for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    Latest,
    Finalized,
    /// Whether the last block told as final is there.
    Last(BlockRef),
    /// Whether the last block whose events an earlier look has found is there, of those that lie deep up to a number.
    Kept {
        last: BlockRef,
        to: u64,
    },
    Events(Ranges),
    /// The last block of such a range.
    Shown(Ranges),
    EventsOf(Header),
    Parent(BlockRef),
    /// The events of the block at this place of the path once more.
    Again(usize),
    Witness(BlockRef),
}

impl Look {
    /// A look that is asked for the latest block.
    pub fn new(next: u64, last: Option<BlockRef>) -> Self {
        let none = BlockRef { number: 0, hash: B256::ZERO };
        Self {
            head: Header { block: none, parent: B256::ZERO, time: 0, may_have_events: false },
            last_final: None,
            finalized: None,
            next,
            last,
            events: Vec::new(),
            path: Vec::new(),
            answering: Vec::new(),
            piece: Vec::new(),
            pieces: 0,
            stage: Stage::Latest,
        }
    }

    /// One more range is to be asked for.
    pub fn count_piece(&mut self) -> Result<(), Trouble> {
        ensure!(self.pieces < PIECES, self.far_behind());
        self.pieces += 1;
        Ok(())
    }

    /// How many blocks from the latest down aren't told.
    pub fn coming(&self) -> u64 {
        self.head.block.number.saturating_sub(self.next)
    }

    /// Whether there are no more blocks to be followed one by one than anybody would.
    pub fn check_distance(&self) -> Result<(), Trouble> {
        ensure!(self.coming() < KEPT.1, self.far_behind());
        Ok(())
    }

    fn far_behind(&self) -> Trouble {
        Trouble::FarBehind { next: self.next, head: self.head.block.number }
    }

    /// The place and hash of a block of the path, from a place on, that is about to count as final though its events may not have been all.
    pub fn unsure(&self, from: usize) -> Option<(usize, B256)> {
        let mut path = self.path.iter().enumerate().skip(from);
        let found = path.find(|(_, block)| self.is_final(block) && !block.is_sure);
        found.map(|(place, block)| (place, block.header.block.hash))
    }

    /// Whether a block of the path counts as final.
    pub fn is_final(&self, block: &Coming) -> bool {
        self.last_final.is_some_and(|last| block.header.block.number <= last)
    }
}

/// The last block that lies deep and isn't told.
pub(super) fn deep(look: &Look) -> Option<u64> {
    look.head.block.number.checked_sub(DEEP).min(look.last_final).filter(|to| *to >= look.next)
}
