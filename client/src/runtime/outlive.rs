//! Work beside the seat's task that may panic, which is a defect of this program: the user is told, and it is begun again, later and later. A game
//! goes on; only what can't be begun again ends it.

use std::fmt;
use std::future::Future;
use tokio::task::{JoinError, JoinSet};

/// A task has panicked.
#[derive(Debug)]
pub(super) struct Panicked(Option<JoinError>);

impl Panicked {
    /// A task of which nothing more is known than that it is gone.
    pub const UNKNOWN: Self = Self(None);

    /// What the user is told; `what` names the part of the program.
    pub fn sentence(&self, what: impl fmt::Display) -> String {
        let why = self.0.as_ref().map_or_else(String::new, |error| format!(" ({error})"));
        format!("{what} has failed by a defect of this program{why}: it is started again, and the game goes on")
    }
}

/// Does some work in a task of its own, which ends with whoever waits for it.
pub(super) async fn outlive<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, Panicked> {
    let mut task = JoinSet::new();
    task.spawn(work);
    match task.join_next().await {
        Some(done) => done.map_err(|error| Panicked(Some(error))),
        None => Err(Panicked::UNKNOWN),
    }
}
