//! Following one game: what has become final, what is coming, and what the chain has taken back.
//!
//! Protocol section 6: nothing that depends on a move is released before the move is final (N blocks, per chain). So
//! an event is told twice, when it is seen and when it is final, and may be dropped in between. Polling is the
//! caller's; what events mean is the seat's.

use alloy::eips::BlockNumberOrTag;
use alloy::primitives::B256;
use alloy::providers::Provider as _;

use super::{Chain, ChainError, Logged};

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

/// Follows one game from its beginning.
#[derive(Clone, Debug)]
pub struct Follower {
    chain: Chain,
    game: B256,
    /// The first block that hasn't been told as final.
    next: u64,
    /// The last block that has, by number and hash.
    last: Option<(u64, B256)>,
    /// Events that were seen and aren't final yet.
    seen: Vec<Logged>,
}

impl Follower {
    /// Follows a game; the first poll tells everything from its beginning.
    pub fn new(chain: Chain, game: B256) -> Self {
        let next = chain.config().first_block;
        Self { chain, game, next, last: None, seen: Vec::new() }
    }

    /// All news since the last poll. After an error the next poll tells them again.
    pub async fn poll(&mut self) -> Result<Vec<News>, ChainError> {
        let latest = self.chain.latest_block().await?;
        let last_final = latest.checked_sub(self.chain.config().confirmations);
        self.check_last().await?;
        let mut news = Vec::new();
        let mut next = self.next;
        let mut last = self.last;
        if let Some(to) = last_final.filter(|to| *to >= self.next) {
            last = Some((to, self.block_hash(to).await?));
            let events = self.chain.events(self.game, self.next, to).await?;
            news.extend(events.into_iter().map(News::Final));
            next = to + 1;
        }
        let coming = if next <= latest { self.chain.events(self.game, next, latest).await? } else { Vec::new() };

        let became_final = |seen: &Logged| news.iter().any(|n| matches!(n, News::Final(logged) if logged == seen));
        let gone = self.seen.iter().filter(|seen| !coming.contains(seen) && !became_final(seen));
        let gone: Vec<News> = gone.cloned().map(News::Dropped).collect();
        let new = coming.iter().filter(|logged| !self.seen.contains(logged));
        let new: Vec<News> = new.cloned().map(News::Seen).collect();
        // What is dropped may be what is final or seen again elsewhere, so it comes first.
        let news = gone.into_iter().chain(news).chain(new).collect();
        (self.next, self.last, self.seen) = (next, last, coming);
        Ok(news)
    }

    /// A chain that is reorganised below what counted as final has broken the promise on which sights were released.
    async fn check_last(&self) -> Result<(), ChainError> {
        match self.last {
            Some((number, hash)) if self.block_hash(number).await? != hash => Err(ChainError::Reorganised(number)),
            _ => Ok(()),
        }
    }

    async fn block_hash(&self, number: u64) -> Result<B256, ChainError> {
        let block = self.chain.provider.get_block_by_number(BlockNumberOrTag::Number(number)).await?;
        block.map(|block| block.header.hash).ok_or(ChainError::Reorganised(number))
    }
}
