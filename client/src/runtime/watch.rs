//! Polls the chain for a runtime again and again. A node that fails is asked again, later and later, whatever it has said: also one that has
//! taken back what was final. It may only be on another fork for a while, nobody may be there to start the game again, and meanwhile nothing is
//! released.

use super::outlive::outlive;
use crate::chain::{ChainError, Update, Watcher};
use std::future::Future;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// Shortest pause between two looks at the chain: each is several requests.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// Longest pause after a node has failed.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// What polling the chain brings.
#[derive(Debug)]
pub enum ChainUpdate {
    /// What a poll has found on the chain.
    Logs(Box<Update>),
    /// The node failed and is asked again.
    Unreachable(String),
}

/// Who polls the chain; a copy goes on from the same place.
pub trait Polls: Clone + Send + 'static {
    /// Asks the node what has come since the look before.
    fn poll(&mut self) -> impl Future<Output = Result<Option<Update>, ChainError>> + Send;
    /// Whether the last look, though it may have failed, has found something that the next one needn't ask for.
    fn has_advanced(&self) -> bool;
}

impl Polls for Watcher {
    fn poll(&mut self) -> impl Future<Output = Result<Option<Update>, ChainError>> + Send {
        Self::poll(self)
    }

    fn has_advanced(&self) -> bool {
        Self::has_advanced(self)
    }
}

/// Watches a game until nobody listens, with `poll` between two looks. After one that has panicked it goes on where the last good one ended.
pub async fn watch(mut watcher: impl Polls, poll: Duration, out: Sender<ChainUpdate>) {
    let pause = poll.max(SHORTEST_PAUSE);
    let (mut wait, mut sound) = (pause, watcher.clone());
    loop {
        let looked = outlive(async move {
            let looked = watcher.poll().await;
            (watcher, looked)
        });
        let update;
        (watcher, update) = match looked.await {
            Ok((watcher, Ok(found))) => {
                (wait, sound) = (pause, watcher.clone());
                (watcher, found.map(|found| ChainUpdate::Logs(Box::new(found))))
            }
            Ok((watcher, Err(error))) => {
                // One that answers some of what it is asked is asked for the rest soon.
                wait = if watcher.has_advanced() { pause } else { (wait * 2).min(LONGEST_PAUSE) };
                (watcher, Some(ChainUpdate::Unreachable(error.to_string())))
            }
            Err(panicked) => {
                wait = (wait * 2).min(LONGEST_PAUSE);
                (sound.clone(), Some(ChainUpdate::Unreachable(panicked.sentence("what follows the chain"))))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::BlockRef;
    use crate::chain::{ChainClock, ChainTime};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;
    use tokio::sync::mpsc;

    /// Comes one block further with each look; some looks panic half way.
    #[derive(Clone)]
    struct Walker {
        block: u64,
        looks: Arc<AtomicU64>,
    }

    impl Polls for Walker {
        async fn poll(&mut self) -> Result<Option<Update>, ChainError> {
            self.block += 1;
            let look = self.looks.fetch_add(1, Ordering::Relaxed);
            assert!(![1, 2].contains(&look), "a defect");
            let chain = ChainClock::heard(None, 0, Instant::now(), 0);
            let last_final = Some(BlockRef { number: self.block, hash: Default::default() });
            Ok(Some(Update {
                logs: Vec::new(),
                time: ChainTime { clocks: None, chain },
                last_final,
                head: None,
                notes: Vec::new(),
            }))
        }

        fn has_advanced(&self) -> bool {
            false
        }
    }

    #[tokio::test]
    async fn a_look_that_panics_is_told_and_the_next_one_goes_on_where_the_last_good_one_ended() {
        let (out, mut updates) = mpsc::channel(1);
        let (walker, start) = (Walker { block: 0, looks: Arc::default() }, Instant::now());
        let watching = tokio::spawn(watch(walker, Duration::ZERO, out));
        let mut told = Vec::new();
        while told.len() < 5 {
            told.push(match updates.recv().await.expect("it goes on") {
                ChainUpdate::Logs(update) => update.last_final.map_or(0, |block| block.number).to_string(),
                ChainUpdate::Unreachable(words) => words,
            });
        }
        let numbers: Vec<&str> =
            told.iter().filter_map(|told| told.parse::<u64>().ok().map(|_| told.as_str())).collect();
        assert_eq!(numbers, ["1", "2", "3"], "each block once: {told:?}");
        for words in &told[1..3] {
            assert!(words.starts_with("what follows the chain has failed by a defect"), "{words}");
            assert!(words.contains("a defect") && words.contains("the game goes on"), "{words}");
        }
        // Twice and four times as long a pause after the two of them.
        assert!(start.elapsed() >= SHORTEST_PAUSE * 7, "{:?}", start.elapsed());
        drop(updates);
        watching.await.expect("it ends when nobody listens");
    }
}
