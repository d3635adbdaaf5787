//! The least times of a game. Who opens a game sets them, and who joins it may have looked at the stake alone: with a second to reveal, to
//! answer or to move, a game would be lost before a machine can act.

use derive_more::Display;
use game::Terms;

/// To make a move or a demand and have it included, once what it follows is final. In seconds, like all here.
const LEAST_DELAY: u64 = 60;
/// To have a reveal included, once what it follows is final.
const LEAST_REVEAL: u64 = 5 * 60;
/// To be told of a demand, prove the answer, and have it included in times of congestion.
const LEAST_WINDOW: u64 = 11 * 60;

/// The contract's own bounds: of each time, and for a stake of those to move, to answer and to reveal.
const MOST: u32 = 30 * 86_400;
const LEAST_FOR_A_STAKE: u32 = 5 * 60;

/// A time of the terms.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Time {
    /// Off the clock at the start of each ply.
    #[display("delay")]
    Delay,
    /// To reveal the toss.
    #[display("time to reveal the toss")]
    Reveal,
    /// To answer a demand.
    #[display("time to answer a demand")]
    Window,
}

/// A time that is shorter than a machine that runs may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    pub time: Time,
    /// What it should be at least, in seconds.
    pub least: u64,
    /// What it is, in seconds.
    pub found: u32,
}

/// Whether the contract takes these times.
pub(super) fn are_fit(terms: &Terms) -> bool {
    let least = if terms.stake == 0 { 1 } else { LEAST_FOR_A_STAKE };
    let Terms { base, increment, delay, window, reveal, .. } = *terms;
    let is_long_enough = [base.saturating_add(delay), window, reveal].iter().all(|time| *time >= least);
    is_long_enough && [base, increment, delay, window, reveal].iter().all(|time| *time <= MOST)
}

/// The times that are too short where a block takes `finality` seconds to become final.
pub(super) fn shortages(terms: &Terms, finality: u64) -> Vec<Shortage> {
    let times = [
        (Time::Delay, terms.delay, LEAST_DELAY),
        (Time::Reveal, terms.reveal, LEAST_REVEAL),
        (Time::Window, terms.window, LEAST_WINDOW),
    ];
    let times = times.map(|(time, found, least)| Shortage { time, least: least.saturating_add(finality), found });
    // Where nothing is proven, nothing can be demanded.
    let counts = |time: &Shortage| time.time != Time::Window || terms.mode.has_proofs();
    times.into_iter().filter(|time| counts(time) && u64::from(time.found) < time.least).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Mode;

    const ENOUGH: Terms = Terms {
        mode: Mode::Verified,
        stake: 1,
        base: 0,
        increment: 0,
        delay: 60,
        window: 660,
        reveal: 300,
        expiry: 0,
        opponent: None,
    };

    #[test]
    fn times_that_the_contract_refuses_are_found() {
        let free = Terms { stake: 0, ..ENOUGH };
        assert!(
            [Terms { window: 1, reveal: 1, delay: 1, ..free }, Terms { base: 0, delay: 300, ..ENOUGH }]
                .iter()
                .all(are_fit)
        );
        let wrong = [
            Terms { window: 0, ..free },
            Terms { reveal: 0, ..free },
            Terms { delay: 0, ..free },
            Terms { window: 299, ..ENOUGH },
            Terms { increment: 30 * 86_400 + 1, ..free },
        ];
        assert!(!wrong.iter().any(are_fit));
    }

    #[test]
    fn each_time_must_cover_finality_and_what_is_done_after_it() {
        assert_eq!(shortages(&ENOUGH, 0), []);
        assert_eq!(shortages(&ENOUGH, 1).len(), 3);
        assert_eq!(shortages(&Terms { delay: 204, window: 804, reveal: 444, ..ENOUGH }, 144), []);
        let hasty = [
            (Time::Delay, Terms { delay: 59, ..ENOUGH }),
            (Time::Window, Terms { window: 659, ..ENOUGH }),
            (Time::Reveal, Terms { reveal: 299, ..ENOUGH }),
        ];
        for (time, terms) in hasty {
            let found: Vec<Time> = shortages(&terms, 0).iter().map(|shortage| shortage.time).collect();
            assert_eq!(found, [time]);
        }
    }
}
