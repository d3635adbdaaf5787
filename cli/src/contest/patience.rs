//! Failures that another try may not have are borne for as long as the game lasts: no game may be lost to a node's mood.

use std::time::{Duration, Instant};

use chain::Classified as _;
use client::contest::{Contract, GameError};
use eyre::Result;

use super::common::told;
use crate::output::note;

/// How often the user is told that it still fails.
const TELL: Duration = Duration::from_secs(60);
/// How soon the user is told that it fails for another reason by now.
const TELL_OTHER: Duration = Duration::from_secs(5);
/// First and longest pause before a failed try is made again, where there is one.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Failures in a row of tries of one kind.
#[derive(Debug, Default)]
pub struct Patience(Option<Failing>);

#[derive(Debug)]
struct Failing {
    /// When the user was told last, and what.
    told: Instant,
    words: String,
    /// When the last try failed, and how long the next one waits.
    since: Instant,
    pause: Duration,
}

impl Patience {
    /// What came of a try; none of one that may go better another time. The user is told of the first such failure, and now and then of others.
    pub fn bear<T, G: Contract>(&mut self, result: Result<T, GameError<G>>) -> Result<Option<T>> {
        match result {
            Ok(found) => {
                self.0 = None;
                Ok(Some(found))
            }
            Err(error) if error.may_pass() => {
                let now = Instant::now();
                let before = self.0.take();
                let pause = before.as_ref().map_or(PAUSE.0, |failing| (failing.pause * 2).min(PAUSE.1));
                let words = error.to_string();
                // A node that comes back without the game is other news than one that is gone.
                let is_told =
                    |failing: &Failing| now - failing.told < if failing.words == words { TELL } else { TELL_OTHER };
                let (told, words) = match before {
                    Some(failing) if is_told(&failing) => (failing.told, failing.words),
                    _ => {
                        note!("note: {words}");
                        (now, words)
                    }
                };
                self.0 = Some(Failing { told, words, since: now, pause });
                Ok(None)
            }
            Err(error) => Err(told(error)),
        }
    }

    /// Whether it is time for a try, after the pause that the last failure asks for.
    pub fn is_over(&self) -> bool {
        self.0.as_ref().is_none_or(|failing| failing.since.elapsed() >= failing.pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use client::chain::ChainError;
    use contest::tag::Tag;

    type TagError = GameError<Tag>;

    #[test]
    fn what_may_pass_is_borne_with_growing_pauses_and_the_rest_is_not() {
        let mut patience = Patience::default();
        let mut pauses = Vec::new();
        for _ in 0..8 {
            let borne = patience.bear(Err::<(), _>(TagError::Chain(ChainError::Behind)));
            assert!(matches!(borne, Ok(None)) && !patience.is_over());
            pauses.push(patience.0.as_ref().expect("it fails").pause);
        }
        assert!(pauses.is_sorted() && pauses[0] == PAUSE.0 && pauses[7] == PAUSE.1);
        let done = patience.bear(Ok::<_, TagError>(7));
        assert!(matches!(done, Ok(Some(7))) && patience.is_over());
        // What a node makes up, and a revert without its reason, pass too: the next answer may be right.
        for mood in
            [TagError::Nonsense("it is"), TagError::Fails("execution reverted".to_owned()), TagError::NoContract]
        {
            assert!(matches!(patience.bear(Err::<(), _>(mood)), Ok(None)) && !patience.is_over());
        }
        assert!(patience.bear(Err::<(), _>(TagError::Stopped("it has".to_owned()))).is_err());
    }
}
