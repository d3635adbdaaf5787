//! The clocks as they stand between two looks at the chain, by this machine's own steady time, and what they say to a player.

use std::time::Instant;

use game::{Notice, clock_time};
use rules::Color;

/// A player is warned when so many seconds are left on its running clock.
const WARNINGS: [u64; 3] = [300, 60, 20];

/// The clocks as the chain last told them. Times are in seconds since 1970, by the chain.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    left: [u64; 2],
    turn: Option<Color>,
    runs_from: u64,
    hold: Option<u64>,
    deadline: u64,
    told: u64,
    since: Instant,
}

impl Clocks {
    /// Those that a notice tells, if it does.
    pub fn of(notice: &Notice) -> Option<Self> {
        let &Notice::Clocks { white, black, turn, runs_from, hold, deadline, now } = notice else {
            return None;
        };
        Some(Self { left: [white, black], turn, runs_from, hold, deadline, told: now, since: Instant::now() })
    }

    /// The chain's time now, as far as this machine can tell.
    pub fn now(&self) -> u64 {
        self.told.saturating_add(self.since.elapsed().as_secs())
    }

    /// Whether an open demand or claim holds the game up.
    pub fn is_held(&self) -> bool {
        self.hold.is_some()
    }

    /// When the running clock started from what was told of it.
    fn from(&self) -> u64 {
        self.runs_from.max(self.told)
    }

    /// Seconds left to a player at a time.
    pub fn left(&self, color: Color, at: u64) -> u64 {
        let runs = self.turn == Some(color) && self.hold.is_none();
        let used = if runs { at.saturating_sub(self.from()) } else { 0 };
        self.left[color.index()].saturating_sub(used)
    }

    /// Both clocks in a line.
    pub fn line(&self, at: u64) -> String {
        let [white, black] = Color::ALL.map(|color| clock_time(self.left(color, at)));
        format!("Clocks: White {white}, Black {black}.")
    }

    /// Both clocks, which of them runs, and what is due when.
    pub fn sentences(&self, at: u64) -> String {
        let within = |deadline: u64| clock_time(deadline.saturating_sub(at));
        let mut text = self.line(at);
        // The last second that the clocks themselves, or what stops them, leave.
        let usual = match (self.turn, self.hold) {
            (None, _) => {
                text += &format!(
                    " None runs: the next share of the coin toss must be revealed within {}.",
                    within(self.deadline)
                );
                self.deadline
            }
            (_, Some(hold)) => {
                text += &format!(" None runs: the open demand or claim must be answered within {}.", within(hold));
                hold
            }
            (Some(color), None) => {
                text += &match at < self.runs_from {
                    true => format!(" {} starts in {}.", owned(color), within(self.runs_from)),
                    false => format!(" {} runs.", owned(color)),
                };
                self.from().saturating_add(self.left[color.index()])
            }
        };
        if self.deadline < usual {
            text += &format!(" A sight that was demanded after a move is due within {}.", within(self.deadline));
        }
        text
    }

    /// The least of [`WARNINGS`] that a player's running clock has come down to.
    pub fn warning(&self, color: Color, at: u64) -> Option<u64> {
        let runs = self.turn == Some(color) && self.hold.is_none() && at >= self.runs_from;
        let left = self.left(color, at);
        WARNINGS.into_iter().filter(|limit| runs && left <= *limit).min()
    }
}

fn owned(color: Color) -> &'static str {
    match color {
        Color::White => "White's",
        Color::Black => "Black's",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White's clock starts at 1,060, with ten minutes on it.
    fn clocks() -> Clocks {
        let notice = Notice::Clocks {
            white: 600,
            black: 500,
            turn: Some(Color::White),
            runs_from: 1_060,
            hold: None,
            deadline: 1_660,
            now: 1_000,
        };
        Clocks::of(&notice).expect("clocks")
    }

    #[test]
    fn a_clock_stands_in_the_delay_and_runs_after_it() {
        let clocks = clocks();
        assert_eq!(clocks.sentences(1_000), "Clocks: White 10:00, Black 8:20. White's starts in 1:00.");
        assert_eq!(clocks.sentences(1_061), "Clocks: White 9:59, Black 8:20. White's runs.");
        assert_eq!(clocks.line(5_000), "Clocks: White 0:00, Black 8:20.");
        // Told in the middle of a turn, what is left is left from then.
        let later = Clocks { left: [540, 500], told: 1_120, ..clocks };
        assert_eq!(later.line(1_121), "Clocks: White 8:59, Black 8:20.");
    }

    #[test]
    fn what_stops_the_clocks_is_told_with_its_time() {
        let held = Clocks { hold: Some(4_600), deadline: 4_600, ..clocks() };
        let expected =
            "Clocks: White 10:00, Black 8:20. None runs: the open demand or claim must be answered within 1:00:00.";
        assert_eq!(held.sentences(1_000), expected);
        assert_eq!(held.line(3_000), "Clocks: White 10:00, Black 8:20.");
        let demanded = Clocks { deadline: 1_300, ..clocks() };
        assert!(demanded.sentences(1_000).ends_with("A sight that was demanded after a move is due within 5:00."));
        let toss = Clocks { turn: None, deadline: 1_300, ..clocks() };
        assert!(toss.sentences(1_000).ends_with("the next share of the coin toss must be revealed within 5:00."));
    }

    #[test]
    fn a_player_is_warned_of_its_own_running_clock() {
        let clocks = clocks();
        let warned = [1_000, 1_359, 1_360, 1_600, 1_640, 1_700].map(|at| clocks.warning(Color::White, at));
        assert_eq!(warned, [None, None, Some(300), Some(60), Some(20), Some(20)]);
        assert_eq!(clocks.warning(Color::Black, 1_640), None);
        assert_eq!(Clocks { hold: Some(9_000), ..clocks }.warning(Color::White, 1_640), None);
    }
}
