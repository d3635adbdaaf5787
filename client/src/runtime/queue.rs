//! Proofs that wait for the machine: the one that somebody needs first goes first, and one that nobody waits for any more is
//! taken out, or stopped if it is being made.

use crate::seat::JobId;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Who waits for a proof, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Urgency {
    /// This player, whose clock runs: its own move.
    OwnMove,
    /// The opponent, who wants to see what its move has uncovered.
    PostAnswer,
    /// The opponent, once this player's move is final.
    PreAnswer,
}

/// What tells the maker of a proof that nobody wants it any more.
#[derive(Clone, Debug, Default)]
pub(super) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Jobs of one seat.
#[derive(Debug)]
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    news: Notify,
}

#[derive(Debug)]
struct State<T> {
    waiting: Vec<(Urgency, JobId, T)>,
    running: Option<(JobId, Cancel)>,
    closed: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { state: Mutex::new(State { waiting: Vec::new(), running: None, closed: false }), news: Notify::new() }
    }
}

impl<T> Queue<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn push(&self, urgency: Urgency, id: JobId, job: T) {
        self.state().waiting.push((urgency, id, job));
        self.news.notify_one();
    }

    /// Waits until there is a job; false when there will be none.
    pub async fn wait(&self) -> bool {
        loop {
            let state = {
                let state = self.state();
                (state.waiting.is_empty(), state.closed)
            };
            match state {
                (_, true) => return false,
                (false, _) => return true,
                (true, _) => self.news.notified().await,
            }
        }
    }

    /// The most urgent job, of equals the first. It counts as running until the next one is taken.
    pub fn take(&self) -> Option<(JobId, T, Cancel)> {
        let mut state = self.state();
        state.running = None;
        let most_urgent = state.waiting.iter().enumerate().min_by_key(|(_, (urgency, id, _))| (*urgency, *id));
        let (place, _) = most_urgent?;
        let (_, id, job) = state.waiting.remove(place);
        let cancel = Cancel::default();
        state.running = Some((id, cancel.clone()));
        Some((id, job, cancel))
    }

    /// Forgets the jobs whose results nobody awaits.
    pub fn keep(&self, awaits: impl Fn(JobId) -> bool) {
        let mut state = self.state();
        state.waiting.retain(|(_, id, _)| awaits(*id));
        if let Some((id, cancel)) = &state.running
            && !awaits(*id)
        {
            cancel.cancel();
        }
    }

    /// There will be no more jobs, and those that there are aren't wanted.
    pub fn close(&self) {
        self.keep(|_| false);
        self.state().closed = true;
        self.news.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_urgent_goes_first_and_of_equals_the_first() {
        let queue = Queue::default();
        let ids: Vec<JobId> = (0..5).map(JobId::test).collect();
        queue.push(Urgency::PreAnswer, ids[0], 'a');
        queue.push(Urgency::PostAnswer, ids[1], 'b');
        queue.push(Urgency::OwnMove, ids[2], 'c');
        queue.push(Urgency::PostAnswer, ids[3], 'd');
        queue.push(Urgency::OwnMove, ids[4], 'e');
        let order: String = std::iter::from_fn(|| queue.take().map(|(_, job, _)| job)).collect();
        assert_eq!(order, "cebda");
    }

    #[test]
    fn what_nobody_awaits_is_forgotten_or_stopped() {
        let queue = Queue::default();
        let ids: Vec<JobId> = (0..3).map(JobId::test).collect();
        ids.iter().for_each(|id| queue.push(Urgency::OwnMove, *id, ()));
        let (running, (), cancel) = queue.take().unwrap();
        queue.keep(|id| id != ids[1]);
        assert!(running == ids[0] && !cancel.is_cancelled());
        queue.keep(|id| id == ids[2]);
        assert!(cancel.is_cancelled());
        let (next, (), next_cancel) = queue.take().unwrap();
        assert!(next == ids[2] && !next_cancel.is_cancelled());
        assert!(queue.take().is_none());
        queue.keep(|_| false);
        assert!(!next_cancel.is_cancelled(), "it has run");
    }

    #[tokio::test]
    async fn a_closed_queue_stops_what_runs_and_wakes_who_waits() {
        let queue = Arc::new(Queue::default());
        queue.push(Urgency::OwnMove, JobId::test(1), ());
        assert!(queue.wait().await);
        let (_, (), cancel) = queue.take().unwrap();
        let waiting = tokio::spawn({
            let queue = queue.clone();
            async move { queue.wait().await }
        });
        queue.close();
        assert!(cancel.is_cancelled() && !waiting.await.unwrap());
    }
}
