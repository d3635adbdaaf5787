//! Follows the chain for a runtime: news in the order of [`Follower`], the clocks after them, and how far the chain's time
//! is ahead of this machine's. A node that fails is asked again; a chain that takes back what was final ends the game here.

use crate::chain::{Chain, ChainError, Follower, Logged, News};
use alloy::primitives::B256;
use game::Clocks;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc::Sender;

/// Shortest pause between two looks at the chain: each is several requests.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// Longest pause after a node has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// How often a move's calldata is asked for.
const CALLDATA_TRIES: usize = 3;

/// What following the chain brings.
pub(super) enum ChainUpdate {
    /// News, perhaps none the first time, and the chain's time after them.
    News(Vec<News>, ChainTime),
    /// The node failed and is asked again.
    Unreachable(String),
    /// The chain can't be followed any more.
    Broken(ChainError),
}

/// Follows a game until nobody listens.
pub(super) async fn watch(chain: Chain, game: B256, out: Sender<ChainUpdate>) {
    let mut follower = Follower::new(chain.clone(), game);
    let pause = chain.config().poll.max(SHORTEST_PAUSE);
    // Whether the clocks are to be read though there may be no news.
    let (mut wait, mut stale) = (pause, true);
    loop {
        let update = match look(&chain, game, &mut follower, &mut stale).await {
            Ok(update) => {
                wait = pause;
                update
            }
            Err(error @ ChainError::Reorganised(_)) => Some(ChainUpdate::Broken(error)),
            Err(error) => {
                wait = (wait * 2).min(LONGEST_PAUSE);
                Some(ChainUpdate::Unreachable(error.to_string()))
            }
        };
        let broken = matches!(update, Some(ChainUpdate::Broken(_)));
        if let Some(update) = update
            && (out.send(update).await.is_err() || broken)
        {
            return;
        }
        tokio::time::sleep(wait).await;
    }
}

async fn look(
    chain: &Chain,
    game: B256,
    follower: &mut Follower,
    stale: &mut bool,
) -> Result<Option<ChainUpdate>, ChainError> {
    let mut news = follower.poll().await?;
    if news.is_empty() && !*stale {
        return Ok(None);
    }
    for item in &mut news {
        if let News::Final(logged) = item {
            read_calldata(chain, game, logged).await;
        }
    }
    // News that were polled must not get lost for want of clocks; these are read at the next look, or nobody would notice that the
    // opponent's time is up. Outside a game in play there are none.
    let clocks = chain.clocks(game).await;
    *stale = clocks.is_err();
    let clocks = clocks.ok().filter(|clocks| clocks.deadline > 0);
    let ahead = match chain.block_time().await {
        Ok(time) => time.saturating_sub(unix_time()),
        Err(_) => 0,
    };
    Ok(Some(ChainUpdate::News(news, ChainTime { clocks, ahead })))
}

/// Reads what a move's transaction carried, for the seat to verify. A node that fails again and again costs only that: the
/// contract of a verified game has verified the move, and that of a challengeable one tells the proof in an event.
async fn read_calldata(chain: &Chain, game: B256, logged: &mut Logged) {
    for _ in 0..CALLDATA_TRIES {
        match chain.with_calldata(game, logged.clone()).await {
            Ok(event) => {
                logged.event = event;
                return;
            }
            Err(_) => tokio::time::sleep(SHORTEST_PAUSE).await,
        }
    }
}

/// The clocks of a game and of its chain.
#[derive(Clone, Copy)]
pub(super) struct ChainTime {
    /// None while no clock runs.
    pub clocks: Option<Clocks>,
    /// Seconds by which the chain's clock is ahead of this machine's.
    pub ahead: u64,
}

impl ChainTime {
    /// The chain's time now, in seconds since 1970.
    pub fn now(&self) -> u64 {
        unix_time().saturating_add(self.ahead)
    }
}

/// This machine's time, in seconds since 1970.
fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
