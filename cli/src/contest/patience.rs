//! Failures that another try may not have are borne for a while.

use std::time::{Duration, Instant};

use client::connection::GameError;
use eyre::Result;

use super::args::told;
use crate::output::note;

/// How long failures in a row are borne.
const LONGEST: Duration = Duration::from_secs(60);

/// Since when everything fails.
#[derive(Debug, Default)]
pub struct Patience(Option<Instant>);

impl Patience {
    /// What came of a try; none of one that may go better another time, unless that has been so for too long.
    pub fn bear<T, R, F>(
        &mut self,
        result: Result<T, GameError<R, F>>,
        may_pass: impl Fn(&GameError<R, F>) -> bool,
    ) -> Result<Option<T>>
    where
        GameError<R, F>: std::error::Error + Send + Sync + 'static,
    {
        match result {
            Ok(found) => {
                self.0 = None;
                Ok(Some(found))
            }
            Err(error) if may_pass(&error) => {
                let since = *self.0.get_or_insert_with(|| {
                    note!("note: {error}");
                    Instant::now()
                });
                if since.elapsed() > LONGEST { Err(told(error)) } else { Ok(None) }
            }
            Err(error) => Err(told(error)),
        }
    }
}
