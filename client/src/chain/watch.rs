//! Watching one game: [`follow::Watcher`] with its nodes and a clock.

use std::time::Instant;

use alloy::primitives::B256;
use game::{BlockRef, Clocks};

use super::time::{self, ChainClock};
use super::{Chain, ChainError};
use crate::follow::{self, News, Question, Report};

/// What a look at the chain brings.
#[derive(Clone, Debug)]
pub struct Update {
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

#[derive(Clone, Debug)]
pub struct Watcher {
    chain: Chain,
    game: B256,
    machine: follow::Watcher,
    /// The chain's clock; none before anything has been told.
    clock: Option<ChainClock>,
}

impl Watcher {
    /// Watches a game from a block on, its creation's or any before. `checkpoint` is a block that counted as final once, and so must still be on
    /// the chain.
    pub fn new(chain: Chain, game: B256, from: u64, checkpoint: Option<BlockRef>) -> Self {
        let from = from.max(chain.config().first_block);
        let machine = follow::Watcher::new(chain.follow_rules(), from, checkpoint);
        Self { chain, game, machine, clock: None }
    }

    /// What is new: the first time something even if there are no news, later none without news or another final block. A look that fails loses
    /// nothing: the next one tells all that it would have.
    ///
    /// # Errors
    ///
    /// Those of [`super::Follower::poll`]; whatever it is, the next look may succeed.
    pub async fn look(&mut self) -> Result<Option<Update>, ChainError> {
        let wants_clocks = self.clock.is_none_or(|clock| clock.has_slept(Instant::now(), time::unix()));
        let (question, mut asked) = (self.machine.look(wants_clocks), (Instant::now(), time::unix()));
        let (machine, game) = (&mut self.machine, self.game);
        let note_time = |question: &Question| {
            if *question == Question::Clocks {
                asked = (Instant::now(), time::unix());
            }
        };
        let looked = self.chain.converse(game, question, |answer| machine.answer(answer), note_time).await;
        // What was signed for a chain that is no more doesn't go out again by itself.
        self.chain.hold(self.machine.is_held());
        let Some(Report { news, clocks, block_time, last_final, notes }) = looked? else {
            return Ok(None);
        };
        let chain = ChainClock::heard(self.clock, block_time, asked.0, asked.1);
        self.clock = Some(chain);
        let notes = notes.into_iter().filter_map(|note| self.chain.words(note)).collect();
        Ok(Some(Update { news, time: ChainTime { clocks, chain }, last_final, notes }))
    }

    /// Whether the last look, though it may have failed, has found something that the next one needn't ask for.
    pub fn has_advanced(&self) -> bool {
        self.machine.has_advanced()
    }
}
