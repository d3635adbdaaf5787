//! The clocks between two looks at the chain, by this machine's steady time.

use game::{Notice, clock_time};
use rules::Color;
use std::time::{Duration, Instant};

/// Below this a clock shows tenths of a second.
const SHORT: Duration = Duration::from_secs(10);

/// The clocks as they were told, and when. Times are in seconds since 1970, by the chain.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    left: [u64; 2],
    /// Whose clock runs, or will; none before the coin toss.
    pub turn: Option<Color>,
    runs_from: u64,
    /// While an open demand or claim stops it: the last second to answer that.
    pub hold: Option<u64>,
    /// The game's earliest deadline.
    pub deadline: u64,
    told: u64,
    since: Instant,
}

/// A player's clock at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left of the player's time.
    pub left: Duration,
    /// Whether it runs now or will in this turn.
    pub is_due: bool,
    /// How long it still stands at the start of the turn.
    pub stands: Duration,
    /// Whether an open demand or claim stops it.
    pub is_held: bool,
}

impl Clocks {
    /// Those that a notice tells, if it does.
    pub fn of(notice: &Notice, since: Instant) -> Option<Self> {
        let &Notice::Clocks { white, black, turn, runs_from, hold, deadline, now } = notice else {
            return None;
        };
        Some(Self { left: [white, black], turn, runs_from, hold, deadline, told: now, since })
    }

    /// Whether an open demand or claim stops the game.
    pub fn is_held(&self) -> bool {
        self.hold.is_some()
    }

    /// Time until a second of the chain's.
    pub fn until(&self, second: u64, now: Instant) -> Duration {
        let then = Duration::from_secs(second.saturating_sub(self.told));
        then.saturating_sub(now.saturating_duration_since(self.since))
    }

    /// A player's clock at a time.
    pub fn of_player(&self, color: Color, now: Instant) -> Clock {
        let is_due = self.turn == Some(color);
        let is_held = is_due && self.is_held();
        let stands = if is_due { self.until(self.runs_from, now) } else { Duration::ZERO };
        let told = Duration::from_secs(self.left[color.index()]);
        let since = now.saturating_duration_since(self.since);
        let used = since.saturating_sub(Duration::from_secs(self.runs_from.saturating_sub(self.told)));
        let left = if is_due && !is_held { told.saturating_sub(used) } else { told };
        Clock { left, is_due, stands, is_held }
    }
}

impl Clock {
    /// Whether it runs now.
    pub fn runs(&self) -> bool {
        self.is_due && !self.is_held && self.stands.is_zero()
    }

    /// Whether its tenths are shown.
    pub fn is_short(&self) -> bool {
        self.left < SHORT
    }

    /// What is left; a clock that shows 0:00 has run out.
    pub fn text(&self) -> String {
        match self.is_short() {
            true => format!("0:{:04.1}", (self.left.as_millis().div_ceil(100)) as f64 / 10.0),
            false => time_left(self.left),
        }
    }

    /// Why it doesn't run although it is the player's turn.
    pub fn why_it_stands(&self) -> Option<String> {
        match self {
            Self { is_held: true, .. } => Some("stopped".to_owned()),
            Self { is_due: true, stands, .. } if !stands.is_zero() => {
                Some(format!("stands for {}", time_left(*stands)))
            }
            _ => None,
        }
    }
}

/// A time that is left, as clocks show it. Its seconds are those that have begun.
pub fn time_left(left: Duration) -> String {
    clock_time(left.as_millis().div_ceil(1_000) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_stands_runs_and_shows_tenths_at_the_end() {
        let notice = |hold| Notice::Clocks {
            white: 30,
            black: 40,
            turn: Some(Color::White),
            runs_from: 1_060,
            hold,
            deadline: 1_090,
            now: 1_000,
        };
        let since = Instant::now();
        let at = |clocks: Clocks, ms| {
            let clock = clocks.of_player(Color::White, since + Duration::from_millis(ms));
            (clock.text(), clock.why_it_stands(), clock.runs())
        };
        let clocks = Clocks::of(&notice(None), since).expect("clocks");
        assert_eq!(at(clocks, 0), ("0:30".to_owned(), Some("stands for 1:00".to_owned()), false));
        assert_eq!(at(clocks, 59_900), ("0:30".to_owned(), Some("stands for 0:01".to_owned()), false));
        assert_eq!(at(clocks, 61_500), ("0:29".to_owned(), None, true));
        assert_eq!(at(clocks, 80_700), ("0:09.3".to_owned(), None, true));
        assert_eq!(at(clocks, 99_000), ("0:00.0".to_owned(), None, true));
        let black = clocks.of_player(Color::Black, since + Duration::from_secs(90));
        assert_eq!((black.text(), black.why_it_stands(), black.runs()), ("0:40".to_owned(), None, false));
        let held = Clocks::of(&notice(Some(4_600)), since).expect("clocks");
        assert_eq!(at(held, 90_000), ("0:30".to_owned(), Some("stopped".to_owned()), false));
        assert_eq!(held.until(4_600, since + Duration::from_secs(600)), Duration::from_secs(3_000));
    }
}
