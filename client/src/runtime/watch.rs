//! Follows the chain for a runtime: news in the order of [`Follower`], the clocks after them, and how far the chain's time
//! is ahead of this machine's. A node that fails is asked again; a chain that takes back what was final ends the game here.

use crate::chain::{Chain, ChainError, Follower, News};
use alloy::primitives::B256;
use game::Clocks;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc::Sender;

/// Shortest pause between two looks at the chain: each is several requests.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// Longest pause after a node has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// What was seen of the chain.
pub(super) enum Sighting {
    /// News, perhaps none the first time.
    News {
        news: Vec<News>,
        clocks: Option<Clocks>,
        ahead: u64,
    },
    /// The node failed and is asked again.
    Trouble(String),
    /// The chain can't be followed any more.
    Broken(ChainError),
}

/// Follows a game until nobody listens.
pub(super) async fn watch(chain: Chain, game: B256, out: Sender<Sighting>) {
    let mut follower = Follower::new(chain.clone(), game);
    let pause = chain.config().poll.max(SHORTEST_PAUSE);
    let (mut wait, mut first) = (pause, true);
    loop {
        let sighting = match look(&chain, game, &mut follower, first).await {
            Ok(sighting) => {
                (wait, first) = (pause, false);
                sighting
            }
            Err(error @ ChainError::Reorganised(_)) => Some(Sighting::Broken(error)),
            Err(error) => {
                wait = (wait * 2).min(LONGEST_PAUSE);
                Some(Sighting::Trouble(error.to_string()))
            }
        };
        let broken = matches!(sighting, Some(Sighting::Broken(_)));
        if let Some(sighting) = sighting
            && (out.send(sighting).await.is_err() || broken)
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
    first: bool,
) -> Result<Option<Sighting>, ChainError> {
    let news = follower.poll().await?;
    if news.is_empty() && !first {
        return Ok(None);
    }
    // Outside a game in play there are no clocks, and news that were polled must not get lost for want of them.
    let clocks = chain.clocks(game).await.ok();
    let clocks = clocks.filter(|clocks| clocks.deadline > 0);
    let ahead = match chain.block_time().await {
        Ok(time) => time.saturating_sub(unix_time()),
        Err(_) => 0,
    };
    Ok(Some(Sighting::News {
        news,
        clocks,
        ahead,
    }))
}

/// This machine's time, in seconds since 1970.
pub(super) fn unix_time() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}
