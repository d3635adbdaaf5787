//! Looks at the chain for a runtime again and again. A node that fails is asked again, later and later, whatever it has said: also one that has
//! taken back what was final. It may only be on another fork for a while, nobody may be there to start the game again, and meanwhile nothing is
//! released.

use crate::chain::{Update, Watcher};
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// Shortest pause between two looks at the chain: each is several requests.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// Longest pause after a node has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// What looking at the chain brings.
pub(super) enum ChainUpdate {
    /// What is new.
    News(Update),
    /// The node failed and is asked again.
    Unreachable(String),
}

/// Watches a game until nobody listens, with `poll` between two looks.
pub(super) async fn watch(mut watcher: Watcher, poll: Duration, out: Sender<ChainUpdate>) {
    let pause = poll.max(SHORTEST_PAUSE);
    let mut wait = pause;
    loop {
        let looked = watcher.look().await;
        let update = match looked {
            Ok(update) => {
                wait = pause;
                update.map(ChainUpdate::News)
            }
            Err(error) => {
                // One that answers some of what it is asked is asked for the rest soon.
                wait = if watcher.has_advanced() { pause } else { (wait * 2).min(LONGEST_PAUSE) };
                Some(ChainUpdate::Unreachable(error.to_string()))
            }
        };
        if let Some(update) = update
            && out.send(update).await.is_err()
        {
            return;
        }
        tokio::time::sleep(wait).await;
    }
}
