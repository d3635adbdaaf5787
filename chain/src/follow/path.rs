//! The blocks from the latest down to the last final one, from child to parent, with their events.

use super::{Block, BlockRef, Blocks, Decode, FollowError, Follower, Header, KEPT, Log, Node, Sight, decoded};
use futures_util::future::join_all;

/// Questions that are asked at once: a node of 300 ms would take a minute to tell two hundred things one after the other.
const AT_ONCE: usize = 8;

impl<E: Clone + PartialEq> Follower<E> {
    /// The blocks after the ones that lie deep, oldest first. `next` is the first of them, `last` the block before it, if it counts as final.
    pub(super) async fn read_recent(
        &mut self,
        node: &impl Node,
        decode: Decode<'_, E>,
        sight: &Sight,
        (next, last): (u64, Option<BlockRef>),
    ) -> Result<Vec<Block<E>>, FollowError> {
        let head = sight.head.block.number;
        let recent = head.saturating_sub(next);
        // More blocks than are kept aren't followed one by one.
        ensure!(recent < KEPT.1, FollowError::FarBehind { next, head });
        let (mut path, joint) = self.descend(node, sight.head, (next, recent)).await?;
        if let Some(block) = last.filter(|block| block.hash != joint) {
            ensure!(last != self.last, FollowError::Reorged(block.number));
            // It isn't told yet: one of two machines is on a fork that was left.
            self.found.forget_final();
            return Err(FollowError::Behind);
        }
        // The head may be on a chain that another machine has left.
        ensure!(path.iter().all(|block| self.may_have(sight, block.header.block)), FollowError::Behind);
        self.ask_logs(node, decode, &mut path, recent, |block| block.logs.is_none()).await?;
        // Those that are about to count as final and may have more than was told are asked once more.
        let is_final = |block: &Block<E>| sight.last_final.is_some_and(|last| block.header.block.number <= last);
        self.ask_logs(node, decode, &mut path, recent, |block| is_final(block) && !block.is_sure).await?;
        path.reverse();
        Ok(path)
    }

    /// The blocks from the head down to `next`, and the hash of the one before them.
    async fn descend(
        &mut self,
        node: &impl Node,
        head: Header,
        (next, recent): (u64, u64),
    ) -> Result<(Vec<Block<E>>, alloy::primitives::B256), FollowError> {
        let mut path: Vec<Block<E>> = Vec::new();
        if head.block.number < next {
            return Ok((path, head.block.hash));
        }
        // Another machine may have told another parent of it.
        let known = self.known(head.block).filter(|block| block.header == head).cloned();
        path.push(known.unwrap_or(Block { header: head, logs: None, is_sure: false }));
        let mut child = head;
        while let Some(parent) = child.parent().filter(|parent| parent.number >= next) {
            let known = match self.known(parent) {
                Some(known) => known.clone(),
                None => self.ask_parent(node, child.block, parent, (next, recent)).await?,
            };
            child = known.header;
            path.push(known);
        }
        Ok((path, child.parent))
    }

    /// A block that was asked for before, by its hash and its number: one that a node has told with another number isn't it.
    fn known(&self, block: BlockRef) -> Option<&Block<E>> {
        let first = self.recent.first().map_or(0, |first| first.header.block.number);
        let place = block.number.checked_sub(first).and_then(|place| usize::try_from(place).ok());
        let told = place.and_then(|place| self.recent.get(place));
        // What was asked for last first: it may be more.
        self.found.block(block.hash).into_iter().chain(told).find(|known| known.header.block == block)
    }

    /// Asks for a parent; where those before it aren't known either, for some of them at once by their numbers, of which those are kept that lead
    /// to one another.
    async fn ask_parent(
        &mut self,
        node: &impl Node,
        child: BlockRef,
        parent: BlockRef,
        (next, recent): (u64, u64),
    ) -> Result<Block<E>, FollowError> {
        let known_to = self.recent.last().map(|block| block.header.block.number + 1).filter(|to| *to <= parent.number);
        let lowest = next.max(known_to.unwrap_or(0)).max(parent.number.saturating_sub(AT_ONCE as u64 - 1));
        let mut wanted = Some(parent);
        if lowest < parent.number {
            let asked = (lowest..=parent.number).rev().map(|number| node.block(number.into()));
            for found in join_all(asked.collect::<Vec<_>>()).await.into_iter().flatten().flatten() {
                if Some(found.block) == wanted {
                    self.keep_header(found, recent);
                    wanted = found.parent();
                }
            }
        }
        if let Some(known) = self.known(parent) {
            return Ok(known.clone());
        }
        let Some(found) = node.block(parent.hash.into()).await? else {
            // What the node has said of its child may be wrong, and is asked for again.
            self.found.forget(child.hash);
            return Err(FollowError::Behind);
        };
        ensure!(found.block == parent, FollowError::Nonsense("a block is not the parent that its child names"));
        Ok(self.keep_header(found, recent))
    }

    fn keep_header(&mut self, header: Header, recent: u64) -> Block<E> {
        let block = Block { header, logs: None, is_sure: false };
        self.found.keep(block.clone(), recent);
        block
    }

    /// Asks for the events of those blocks of a path that want it, unless their blooms rule them out. What was answered is kept though other answers
    /// fail.
    async fn ask_logs(
        &mut self,
        node: &impl Node,
        decode: Decode<'_, E>,
        path: &mut [Block<E>],
        recent: u64,
        wants: impl Fn(&Block<E>) -> bool,
    ) -> Result<(), FollowError> {
        let topic = self.topic;
        let mut wanting: Vec<&mut Block<E>> = path.iter_mut().filter(|block| wants(block)).collect();
        for block in wanting.extract_if(.., |block| !block.header.may_have(&topic)) {
            (block.logs, block.is_sure) = (Some(Vec::new()), true);
        }
        for blocks in wanting.chunks_mut(AT_ONCE) {
            let asked = blocks.iter().map(|block| node.logs(&topic, Blocks::Hash(block.header.block.hash)));
            let answers = join_all(asked.collect::<Vec<_>>()).await;
            let mut failed = Ok(());
            for (block, answer) in blocks.iter_mut().zip(answers) {
                match answer.map_err(FollowError::from).and_then(|logs: Vec<Log>| decoded(logs, decode)) {
                    Ok(logs) => {
                        let is_second = block.logs.is_some();
                        block.is_sure = is_second || !logs.is_empty();
                        block.logs = Some(logs);
                        self.found.keep(block.clone(), recent);
                    }
                    Err(error) => failed = Err(error),
                }
            }
            failed?;
        }
        Ok(())
    }
}
