//! How much of what the user has asked for isn't done yet: a program whose input has ended stays for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Commands that haven't reached the seat, and transactions that are under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Work(Arc<AtomicUsize>);

impl Work {
    pub fn begin(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn end(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn is_done(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}
