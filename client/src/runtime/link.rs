//! The link to the opponent, which is opened again where its task has panicked. What was on its way then is asked for again by whoever lacks it,
//! as after a restart of the program.

use super::outlive::Panicked;
use crate::link::{self, LinkConfig, LinkError, LinkEvent, LinkHandle};
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::time::Instant;

/// Pauses before a link that has failed is opened again: the first one, and the longest.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// What comes of a link.
pub(super) enum News {
    /// Something has happened on it.
    Event(LinkEvent),
    /// It has failed, or couldn't be opened again, and will be tried again; in words.
    Failed(String),
    /// It is there again.
    Again(LinkHandle),
}

/// The events of one link after another.
pub(super) struct Links {
    config: LinkConfig,
    events: Option<Receiver<LinkEvent>>,
    opened: Instant,
    pause: Duration,
    /// When the next one is opened.
    due: Instant,
}

impl Links {
    /// Opens the first one.
    pub async fn open(config: LinkConfig) -> Result<(Self, LinkHandle), LinkError> {
        let (handle, events) = link::spawn(config.clone()).await?;
        Ok((Self::of(config, events), handle))
    }

    fn of(config: LinkConfig, events: Receiver<LinkEvent>) -> Self {
        let now = Instant::now();
        Self { config, events: Some(events), opened: now, pause: PAUSE.0, due: now }
    }

    /// What comes next. May be given up and asked again at any time.
    pub async fn next(&mut self) -> News {
        if let Some(events) = &mut self.events {
            return match events.recv().await {
                Some(event) => News::Event(event),
                None => self.failed(Panicked::UNKNOWN.sentence("the link")),
            };
        }
        tokio::time::sleep_until(self.due).await;
        match link::spawn(self.config.clone()).await {
            Ok((handle, events)) => {
                (self.events, self.opened) = (Some(events), Instant::now());
                News::Again(handle)
            }
            Err(error) => self.failed(error.to_string()),
        }
    }

    fn failed(&mut self, words: String) -> News {
        self.events = None;
        if self.opened.elapsed() > PAUSE.1 {
            self.pause = PAUSE.0;
        }
        self.due = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(PAUSE.1);
        News::Failed(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Frames, Identity};
    use crate::wallet::Wallet;
    use alloy::primitives::{Address, B256};
    use game::GameRef;
    use tokio::sync::mpsc;

    const GAME: GameRef = GameRef { chain_id: 31337, contract: Address::ZERO, game_id: B256::ZERO };

    fn config(own: &Wallet, other: &Wallet) -> LinkConfig {
        LinkConfig {
            identity: Identity::new(own, GAME).expect("an identity"),
            opponent: other.address(),
            listen: "/ip4/127.0.0.1/tcp/0".parse().expect("an address"),
            dial: Vec::new(),
            relays: Vec::new(),
            patient: false,
            frames: Frames::Answers,
        }
    }

    /// A task that has panicked leaves a channel whose other end is gone.
    #[tokio::test]
    async fn a_link_whose_task_is_gone_is_opened_again() {
        let [alice, bob] = [1, 2].map(|byte| Wallet::from_secret(&[byte; 32]).expect("a wallet"));
        let mut links = Links::of(config(&alice, &bob), mpsc::channel(1).1);
        assert!(matches!(links.next().await, News::Failed(words) if words.contains("the link has failed")));
        let again = match links.next().await {
            News::Again(handle) => handle,
            News::Failed(words) => panic!("{words}"),
            News::Event(event) => panic!("{event:?}"),
        };
        let (_bobs, mut events) =
            link::spawn(LinkConfig { dial: again.addresses(), ..config(&bob, &alice) }).await.expect("a link");
        loop {
            tokio::select! {
                news = links.next() => match news {
                    News::Event(LinkEvent::Connected(_)) => return,
                    News::Event(_) => {}
                    News::Failed(words) => panic!("{words}"),
                    News::Again(_) => panic!("it has not failed"),
                },
                Some(_) = events.recv() => {}
            }
        }
    }

    /// Each failure in a row is waited for longer, up to a bound.
    #[tokio::test]
    async fn pauses_grow_to_a_bound() {
        let [alice, bob] = [1, 2].map(|byte| Wallet::from_secret(&[byte; 32]).expect("a wallet"));
        let mut links = Links::of(config(&alice, &bob), mpsc::channel(1).1);
        let pauses: Vec<u64> = (0..8)
            .map(|_| {
                links.failed(String::new());
                links.due.duration_since(Instant::now()).as_secs_f64().round() as u64
            })
            .collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
    }
}
