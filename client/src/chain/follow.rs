//! Following one game: what has become final, what is coming, and what the chain has taken back.
//!
//! Protocol section 6: nothing that depends on a move is released before the move is final. So an event is told twice, when it is
//! seen and when it is final, and may be dropped in between. What events mean is the seat's, and when to look again the caller's.
//!
//! An address of a node is often many machines, of which some are behind. So recent blocks are followed from parent to child by their
//! hashes, and the events of a block are asked for by its hash (EIP-234), which a machine that doesn't have the block can't answer as if there
//! were none. Only blocks that lie deep are asked for by ranges of numbers.

use super::blocks::Header;
use super::{Chain, ChainError, Logged};
use alloy::primitives::B256;
use fog::ensure;
use game::BlockRef;

/// Blocks below the latest from which on a range of numbers may be asked for: no machine in service is so far behind.
const DEEP: u64 = 64;

/// News of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// An event that is final. In the chain's order, each once.
    Final(Logged),
    /// An event in a block that isn't final yet.
    Seen(Logged),
    /// An event that was seen and is no longer on the chain, or has moved to another block.
    Dropped(Logged),
}

/// A block that isn't final, with what happened in it.
#[derive(Clone, Debug)]
struct Coming {
    header: Header,
    events: Vec<Logged>,
}

/// Follows one game from its beginning.
#[derive(Clone, Debug)]
pub struct Follower {
    chain: Chain,
    game: B256,
    /// The last block that counted as final before, to an earlier follower: it still does.
    floor: Option<u64>,
    /// The first block that hasn't been told as final.
    next: u64,
    /// The last block that has.
    last: Option<BlockRef>,
    /// The blocks after it, oldest first.
    coming: Vec<Coming>,
    /// Which of the other nodes answered when they were last asked; before, all.
    answering: Vec<bool>,
    /// What the user should know of them.
    notes: Vec<String>,
}

impl Follower {
    /// Follows a game from a block on, its creation's or any before; the first poll tells everything from there.
    pub fn new(chain: Chain, game: B256, from: u64) -> Self {
        let next = from.max(chain.config().first_block);
        let answering = vec![true; chain.config().witnesses.len()];
        Self { chain, game, floor: None, next, last: None, coming: Vec::new(), answering, notes: Vec::new() }
    }

    /// The same for one that has told a block as final before, which must still be on the chain. What lies below stays final, however
    /// far behind the node's finality is, or the user's has become.
    pub fn again(chain: Chain, game: B256, from: u64, told: u64) -> Self {
        Self { floor: Some(told), ..Self::new(chain, game, from) }
    }

    /// The last block whose events have been told as final.
    pub fn last_final(&self) -> Option<BlockRef> {
        self.last
    }

    /// All news since the last poll. After an error the next poll tells them again.
    ///
    /// # Errors
    ///
    /// [`ChainError::Reorganised`] if what was told as final is on the chain no more; [`ChainError::Behind`] and a node's failures, which
    /// pass; [`ChainError::NodesDisagree`].
    pub async fn poll(&mut self) -> Result<Vec<News>, ChainError> {
        let head = self.chain.head().await?;
        if self.last.is_some_and(|last| head.block.number < last.number) {
            // A machine that is behind. A chain that was taken back grows again, and is found out then.
            return Ok(Vec::new());
        }
        ensure!(self.floor.is_none_or(|floor| head.block.number >= floor), ChainError::Behind);
        let last_final = self.chain.last_final(&head).await?.max(self.floor);
        let mut new = Self { coming: Vec::new(), ..self.clone() };
        let mut news = new.catch_up(&head, last_final).await?;
        let mut path = self.path(&head, &new).await?;
        let coming = path.partition_point(|block| last_final.is_some_and(|last| block.header.block.number <= last));
        new.coming = path.split_off(coming);
        if let Some(block) = path.last() {
            new.next = block.header.block.number + 1;
            new.last = Some(block.header.block);
        }
        if let Some(last) = new.last.filter(|_| new.last != self.last) {
            let answers = self.chain.check_witnesses(&last).await?;
            new.hear(answers);
        }
        news.extend(path.into_iter().flat_map(|block| block.events));

        let seen: Vec<&Logged> = self.coming.iter().flat_map(|block| &block.events).collect();
        let coming: Vec<&Logged> = new.coming.iter().flat_map(|block| &block.events).collect();
        let gone = seen.iter().filter(|logged| !coming.contains(logged) && !news.contains(logged));
        let new_ones = coming.iter().filter(|logged| !seen.contains(logged));
        // What is dropped may be what is final or seen again elsewhere, so it comes first.
        let gone = gone.map(|logged| News::Dropped((*logged).clone()));
        let final_ones = news.iter().map(|logged| News::Final(logged.clone()));
        let told = gone.chain(final_ones).chain(new_ones.map(|logged| News::Seen((*logged).clone()))).collect();
        *self = new;
        Ok(told)
    }

    /// What the user should know of the nodes that blocks are compared with, told once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Notes which of the other nodes have fallen silent, or answer again.
    fn hear(&mut self, answers: Vec<bool>) {
        let changed = self.chain.config().witnesses.iter().zip(self.answering.iter().zip(&answers));
        for (node, _) in changed.clone().filter(|(_, (before, now))| **before && !**now) {
            self.notes.push(format!(
                "the node {} can't be asked: until it answers, no block is compared with it",
                rpc::host(node)
            ));
        }
        for (node, _) in changed.filter(|(_, (before, now))| !**before && **now) {
            self.notes.push(format!("the node {} answers again: blocks are compared with it", rpc::host(node)));
        }
        self.answering = answers;
    }

    /// The final events of the blocks that lie deep, by their numbers.
    async fn catch_up(&mut self, head: &Header, last_final: Option<u64>) -> Result<Vec<Logged>, ChainError> {
        let Some(to) = head.block.number.checked_sub(DEEP).min(last_final).filter(|to| *to >= self.next) else {
            return Ok(Vec::new());
        };
        if let Some(last) = self.last {
            self.chain.check(&last).await?;
        }
        let events = self.chain.events(self.game, self.next, to).await?;
        let last = self.chain.header(to.into()).await?.ok_or(ChainError::Behind)?;
        (self.next, self.last) = (to + 1, Some(last.block));
        Ok(events)
    }

    /// The blocks from `from`'s next to the head, oldest first; those known already aren't asked for again.
    async fn path(&self, head: &Header, from: &Self) -> Result<Vec<Coming>, ChainError> {
        let known = |hash: B256| self.coming.iter().find(move |block| block.header.block.hash == hash);
        let (mut path, mut header) = (Vec::new(), *head);
        while header.block.number >= from.next {
            let hash = header.block.hash;
            let events = match known(hash) {
                Some(block) => block.events.clone(),
                None => self.chain.events_of_block(self.game, hash).await?,
            };
            path.push(Coming { header, events });
            if header.block.number == from.next {
                break;
            }
            header = match known(header.parent) {
                Some(block) => block.header,
                None => self.chain.header(header.parent.into()).await?.ok_or(ChainError::Behind)?,
            };
        }
        if let Some(last) = from.last {
            // Without a new block the head is the last one itself.
            let joint = path.last().map_or(header.block.hash, |block| block.header.parent);
            ensure!(joint == last.hash, ChainError::Reorganised(last.number));
        }
        path.reverse();
        Ok(path)
    }
}
