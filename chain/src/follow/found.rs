//! What polls that fail leave to the next one: a node that answers one question in two answers all of a hundred never.

use crate::node::{BlockRef, Header, Log};
use alloy::primitives::B256;
use std::collections::{HashMap, VecDeque};

/// Blocks that are kept while polls fail: twice those that aren't final, so that also those of a fork that was left find room, but no fewer than the
/// first and no more than the second of these.
pub(super) const KEPT: (u64, u64) = (256, 20_000);

/// A block that isn't final, with what happened in it.
#[derive(Clone, Debug)]
pub(super) struct Block<E> {
    pub header: Header,
    /// The events in it; none if they weren't asked for so far.
    pub logs: Option<Vec<Log<E>>>,
    /// Whether that is all of them: a machine whose logs are behind its blocks answers as if there were nothing.
    pub is_sure: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Found<E> {
    /// Blocks that aren't told, of any fork, by their hashes.
    blocks: HashMap<B256, Block<E>>,
    /// Their hashes, the one that was kept first in front.
    order: VecDeque<B256>,
    /// Final events of blocks that lie deep.
    pub logs: Vec<Log<E>>,
    /// The last block whose final events are among them, as the node has shown it; none if none are.
    pub last: Option<BlockRef>,
    /// Whether the last poll has found anything.
    pub has_grown: bool,
}

impl<E> Default for Found<E> {
    fn default() -> Self {
        Self { blocks: HashMap::new(), order: VecDeque::new(), logs: Vec::new(), last: None, has_grown: false }
    }
}

impl<E> Found<E> {
    /// Keeps the final events of blocks up to one that the node has shown.
    pub fn keep_final(&mut self, logs: Vec<Log<E>>, last: BlockRef) {
        self.logs.extend(logs);
        (self.last, self.has_grown) = (Some(last), true);
    }

    /// The final events aren't those of the chain that there is.
    pub fn forget_final(&mut self) {
        (self.logs, self.last) = (Vec::new(), None);
    }

    /// A block that is kept.
    pub fn block(&self, hash: B256) -> Option<&Block<E>> {
        self.blocks.get(&hash)
    }

    /// Keeps a block; `recent` is how many blocks from the latest down aren't told.
    pub fn keep(&mut self, block: Block<E>, recent: u64) {
        let hash = block.header.block.hash;
        if self.blocks.insert(hash, block).is_none() {
            self.order.push_back(hash);
        }
        let most = recent.saturating_mul(2).clamp(KEPT.0, KEPT.1);
        if self.order.len() as u64 > most
            && let Some(oldest) = self.order.pop_front()
        {
            self.blocks.remove(&oldest);
        }
        self.has_grown = true;
    }

    pub fn forget(&mut self, hash: B256) {
        self.blocks.remove(&hash);
        self.order.retain(|known| *known != hash);
    }
}
