//! What the clocks say to a player, in sentences.

use std::time::Instant;

use rules::Color;
use tui::{Clocks, time_left};

/// A player is warned when so many seconds are left on its running clock.
const WARNINGS: [u64; 3] = [300, 60, 20];

/// Both clocks in a line.
pub fn line(clocks: &Clocks, now: Instant) -> String {
    let [white, black] = Color::ALL.map(|color| time_left(clocks.of_player(color, now).left));
    format!("Clocks: White {white}, Black {black}.")
}

/// Both clocks, which of them runs, and what is due when.
pub fn sentences(clocks: &Clocks, now: Instant) -> String {
    let due = clocks.until(clocks.deadline, now);
    // The time that the clocks themselves, or what stops them, leave.
    let (state, usual) = match (clocks.turn, clocks.hold) {
        (None, _) => {
            let within = time_left(due);
            (format!("None runs: the next share of the coin toss must be revealed within {within}."), due)
        }
        (_, Some(hold)) => {
            let left = clocks.until(hold, now);
            (format!("None runs: the open demand or claim must be answered within {}.", time_left(left)), left)
        }
        (Some(color), None) => {
            let owned = if color == Color::White { "White's" } else { "Black's" };
            let clock = clocks.of_player(color, now);
            let state = match clock.runs() {
                true => format!("{owned} runs."),
                false => format!("{owned} starts in {}.", time_left(clock.stands)),
            };
            (state, clock.stands + clock.left)
        }
    };
    let mut text = format!("{} {state}", line(clocks, now));
    if due < usual {
        text += &format!(" A sight that was demanded after a move is due within {}.", time_left(due));
    }
    text
}

/// The least of [`WARNINGS`] that a player's running clock has come down to.
pub fn warning(clocks: &Clocks, color: Color, now: Instant) -> Option<u64> {
    let clock = clocks.of_player(color, now);
    WARNINGS.into_iter().filter(|limit| clock.runs() && clock.left.as_secs_f64() <= *limit as f64).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Notice;
    use std::time::Duration;

    /// White's clock starts a minute after it is told, with ten minutes on it.
    fn told(hold: Option<u64>, turn: Option<Color>, deadline: u64) -> (Clocks, impl Fn(u64) -> Instant) {
        let notice = Notice::Clocks { white: 600, black: 500, turn, runs_from: 1_060, hold, deadline, now: 1_000 };
        let since = Instant::now();
        let at = move |second: u64| since + Duration::from_secs(second - 1_000);
        (Clocks::of(&notice, since).expect("clocks"), at)
    }

    #[test]
    fn a_clock_stands_in_the_delay_and_runs_after_it() {
        let (clocks, at) = told(None, Some(Color::White), 1_660);
        assert_eq!(sentences(&clocks, at(1_000)), "Clocks: White 10:00, Black 8:20. White's starts in 1:00.");
        assert_eq!(sentences(&clocks, at(1_061)), "Clocks: White 9:59, Black 8:20. White's runs.");
        assert_eq!(line(&clocks, at(5_000)), "Clocks: White 0:00, Black 8:20.");
    }

    #[test]
    fn what_stops_the_clocks_is_told_with_its_time() {
        let (held, at) = told(Some(4_600), Some(Color::White), 4_600);
        let expected =
            "Clocks: White 10:00, Black 8:20. None runs: the open demand or claim must be answered within 1:00:00.";
        assert_eq!(sentences(&held, at(1_000)), expected);
        assert_eq!(line(&held, at(3_000)), "Clocks: White 10:00, Black 8:20.");
        let (demanded, at) = told(None, Some(Color::White), 1_300);
        let late = "A sight that was demanded after a move is due within 5:00.";
        assert!(sentences(&demanded, at(1_000)).ends_with(late));
        let (toss, at) = told(None, None, 1_300);
        let share = "the next share of the coin toss must be revealed within 5:00.";
        assert!(sentences(&toss, at(1_000)).ends_with(share));
    }

    #[test]
    fn a_player_is_warned_of_its_own_running_clock() {
        let (clocks, at) = told(None, Some(Color::White), 1_660);
        let warned =
            [1_000, 1_359, 1_360, 1_600, 1_640, 1_700].map(|second| warning(&clocks, Color::White, at(second)));
        assert_eq!(warned, [None, None, Some(300), Some(60), Some(20), Some(20)]);
        assert_eq!(warning(&clocks, Color::Black, at(1_640)), None);
        let (held, at) = told(Some(9_000), Some(Color::White), 9_000);
        assert_eq!(warning(&held, Color::White, at(1_640)), None);
    }
}
