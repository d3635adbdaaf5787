//! How often something may happen: so often at once, and then once in so much time.
//!
//! The generic cell rate algorithm (ITU-T I.371, annex A), in the form that keeps one instant: the earliest at which a
//! sender that used its allowance evenly would be through with what it has used. Pure: the time is given.

use std::time::{Duration, Instant};

/// An allowance: `burst` at once, one more every `every`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rate {
    pub(super) burst: u32,
    pub(super) every: Duration,
}

/// What has been used of an allowance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    rate: Rate,
    spent_until: Option<Instant>,
}

impl Meter {
    pub(super) const fn new(rate: Rate) -> Self {
        Self { rate, spent_until: None }
    }

    /// Uses one of the allowance, unless there is none.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let spent_until = self.spent_until.map_or(now, |at| at.max(now));
        let is_free = spent_until.duration_since(now) <= self.rate.every * self.rate.burst.saturating_sub(1);
        if is_free {
            self.spent_until = Some(spent_until + self.rate.every);
        }
        is_free
    }

    /// Whether nothing is used any more: forgetting it makes no difference.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        self.spent_until.is_none_or(|at| at <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_the_rate() {
        let start = Instant::now();
        let every = Duration::from_secs(2);
        let mut meter = Meter::new(Rate { burst: 3, every });
        assert!(meter.is_idle(start));
        assert_eq!([(); 4].map(|()| meter.take(start)), [true, true, true, false]);
        assert!(!meter.take(start + every - Duration::from_millis(1)));
        assert!(meter.take(start + every) && !meter.take(start + every));
        // What is refused costs nothing, and what isn't used doesn't pile up beyond the burst.
        let later = start + every * 100;
        assert!(meter.is_idle(later));
        assert_eq!([(); 4].map(|()| meter.take(later)), [true, true, true, false]);
    }
}
