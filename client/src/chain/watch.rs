//! Watching one game: its news in the order of [`Follower`], the moves with what their transactions carried, and the clocks after them. A
//! look that fails loses nothing: the next one tells all that it would have.

use std::time::{Duration, Instant};

use alloy::primitives::B256;
use game::{BlockRef, Clocks};

use super::time::{self, ChainClock};
use super::{Chain, ChainError, Follower, Logged, News};

/// How often a move's calldata is asked for, and the pause before it is asked for again.
const CALLDATA_TRIES: usize = 3;
const CALLDATA_PAUSE: Duration = Duration::from_millis(200);

/// What a look at the chain brings.
#[derive(Clone, Debug)]
pub struct Update {
    /// News, perhaps none.
    pub news: Vec<News>,
    /// The chain's time after them.
    pub time: ChainTime,
    /// The last block that is final.
    pub last_final: Option<BlockRef>,
    /// What the user should know of the nodes.
    pub notes: Vec<String>,
}

/// The clocks of a game and of its chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainTime {
    /// None while no clock runs.
    pub clocks: Option<Clocks>,
    /// The chain's own.
    pub chain: ChainClock,
}

impl ChainTime {
    /// The chain's time now, in seconds since 1970.
    pub fn now(&self) -> u64 {
        self.chain.at(Instant::now())
    }
}

/// Watches one game.
#[derive(Debug)]
pub struct Watcher {
    chain: Chain,
    game: B256,
    follower: Follower,
    /// A block that must be on the chain, until it is known to be.
    checkpoint: Option<BlockRef>,
    /// News that wait for the clocks after them.
    news: Vec<News>,
    /// Notes that wait with them.
    notes: Vec<String>,
    /// The chain's clock; none before anything has been told.
    clock: Option<ChainClock>,
}

impl Watcher {
    /// Watches a game from a block on, its creation's or any before. `checkpoint` is a block that counted as final once, and so must still be on
    /// the chain.
    pub fn new(chain: Chain, game: B256, from: u64, checkpoint: Option<BlockRef>) -> Self {
        let follower = match &checkpoint {
            Some(block) => Follower::again(chain.clone(), game, from, block.number),
            None => Follower::new(chain.clone(), game, from),
        };
        Self { chain, game, follower, checkpoint, news: Vec::new(), notes: Vec::new(), clock: None }
    }

    /// What is new: the first time something even if there are no news, later none without news or another final block.
    ///
    /// # Errors
    ///
    /// Those of [`Follower::poll`]; whatever it is, the next look may succeed.
    pub async fn look(&mut self) -> Result<Option<Update>, ChainError> {
        let looked = self.try_to_look().await;
        match looked {
            // What was signed for a chain that is no more doesn't go out again by itself.
            Err(ChainError::Reorganised(_)) => self.chain.hold(true),
            Ok(_) => self.chain.hold(false),
            Err(_) => {}
        }
        looked
    }

    async fn try_to_look(&mut self) -> Result<Option<Update>, ChainError> {
        if let Some(block) = self.checkpoint {
            self.chain.check(&block).await?;
            self.checkpoint = None;
        }
        let before = self.follower.last_final();
        let mut news = self.follower.poll().await?;
        for item in &mut news {
            if let News::Final(logged) = item {
                self.read_calldata(logged).await;
            }
        }
        self.news.append(&mut news);
        let last_final = self.follower.last_final();
        self.notes.extend(self.follower.take_notes());
        let (now, unix) = (Instant::now(), time::unix());
        let is_steady = self.clock.is_some_and(|clock| !clock.has_slept(now, unix));
        if self.notes.is_empty() && self.news.is_empty() && is_steady && before == last_final {
            return Ok(None);
        }
        // Without the clocks nobody could win on time, so news wait for them.
        let clocks = self.chain.clocks(self.game).await?;
        let chain = ChainClock::heard(self.clock, self.chain.block_time().await?, now, unix);
        let time = ChainTime { clocks: Some(clocks).filter(|clocks| clocks.deadline > 0), chain };
        self.clock = Some(chain);
        let (news, notes) = (std::mem::take(&mut self.news), std::mem::take(&mut self.notes));
        Ok(Some(Update { news, time, last_final, notes }))
    }

    /// Reads what a move's transaction carried, for the seat to verify. A node that fails again and again costs only that: the
    /// contract of a verified game has verified the move, and that of a challengeable one tells the proof in an event.
    async fn read_calldata(&self, logged: &mut Logged) {
        for _ in 0..CALLDATA_TRIES {
            match self.chain.with_calldata(self.game, logged.clone()).await {
                Ok(event) => {
                    logged.event = event;
                    return;
                }
                Err(_) => tokio::time::sleep(CALLDATA_PAUSE).await,
            }
        }
    }
}
