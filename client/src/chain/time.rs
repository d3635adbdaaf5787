//! The chain's time between two blocks. It runs by this machine's steady clock, so that setting the machine's date while a game is played changes
//! nothing; only where no block has told better is the date believed.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The date may run ahead of the steady clock by so much before the machine must have slept: then the steady clock has stood still.
const SLEPT: Duration = Duration::from_secs(30);
/// A machine of a node may be behind another for so long. After that a block's time that only earlier ones have followed was no block's.
const BEHIND: Duration = Duration::from_secs(60);

/// A clock that shows the chain's time, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainClock {
    told: u64,
    since: Instant,
    /// The machine's date when the chain was last heard of,
    date: u64,
    /// and when that was.
    heard: Instant,
    /// The time of the last block.
    block: u64,
    /// The latest time that a block has told,
    latest: u64,
    /// and when one last told that or a later one.
    confirmed: Instant,
    /// A block's time since which blocks were told no faster than the steady clock goes,
    steady: u64,
    /// and when it was told.
    steady_since: Instant,
    /// Whether it goes by the machine's date, the last block having been older: the next block corrects it.
    is_guess: bool,
}

impl ChainClock {
    /// The clock after a look at the chain's last block, at `now` by the steady clock and `date` by the machine's. What a block has told isn't set
    /// back, because another machine of the node may be behind, until only earlier blocks have been heard of for a minute: then it was false.
    pub fn heard(before: Option<Self>, block: u64, now: Instant, date: u64) -> Self {
        let is_false = |clock: &Self| block < clock.latest && now.saturating_duration_since(clock.confirmed) > BEHIND;
        let (told, since, is_guess) = match before {
            // A block may be old already, where there are few.
            None => (block.max(date), now, date > block),
            Some(clock) if is_false(&clock) => (block, now, false),
            Some(clock) if clock.is_guess && block > clock.block => (block, now, false),
            Some(clock) if block > clock.at(now) => (block, now, false),
            // It goes on, parts of a second too: whoever hears often must not hold it up.
            Some(clock) => (clock.told, clock.since, clock.is_guess && clock.at(now) > block),
        };
        let (latest, confirmed) = match before {
            Some(clock) if block < clock.latest && !is_false(&clock) => (clock.latest, clock.confirmed),
            _ => (block, now),
        };
        let goes_on = |clock: &Self| {
            let passed = now.saturating_duration_since(clock.steady_since) + SLEPT;
            !clock.has_slept(now, date) && Duration::from_secs(block.saturating_sub(clock.steady)) <= passed
        };
        let (steady, steady_since) =
            before.filter(goes_on).map_or((block, now), |clock| (clock.steady, clock.steady_since));
        Self { told, since, date, heard: now, block, latest, confirmed, steady, steady_since, is_guess }
    }

    pub fn at(&self, now: Instant) -> u64 {
        self.told.saturating_add(now.saturating_duration_since(self.since).as_secs())
    }

    /// The time of the last block, as of which the chain has told what it has told.
    pub fn of_block(&self) -> u64 {
        self.block
    }

    /// Whether the last block is older than so many seconds, by the steady clock or by the date. A node that catches up tells of old blocks faster than time
    /// passes; where new ones come at their pace for a minute, the date is wrong.
    pub fn is_old(&self, most: u64, now: Instant, date: u64) -> bool {
        let is_live = self.block > self.steady && now.saturating_duration_since(self.steady_since) > BEHIND;
        self.at(now).saturating_sub(self.block) > most || !is_live && date.saturating_sub(self.block) > most
    }

    /// Whether the machine seems to have slept since: the chain is to be asked.
    pub fn has_slept(&self, now: Instant, date: u64) -> bool {
        let steady = now.saturating_duration_since(self.heard);
        Duration::from_secs(date.saturating_sub(self.date)) > steady + SLEPT
    }
}

/// This machine's date, in seconds since 1970.
pub fn unix() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_moves_nothing() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let old = ChainClock::heard(None, 1_000, start, 1_500);
        assert_eq!((old.at(start), old.at(after(7))), (1_500, 1_507), "the last block is old");
        let clock = ChainClock::heard(None, 1_500, start, 900);
        for date in [0, 1_510, 99_999] {
            let clock = ChainClock::heard(Some(clock), 1_490, after(10), date);
            assert_eq!(clock.at(after(20)), 1_520, "{date}");
        }
        let ahead = ChainClock::heard(Some(clock), 2_000, after(10), 1_510);
        assert_eq!(ahead.at(after(11)), 2_001, "the chain knows better");
        let again = ChainClock::heard(Some(ahead), 1_999, after(12), 1_512);
        assert_eq!(again.at(after(12)), 2_002, "another machine is behind");
    }

    /// One machine of a node tells a time two hours ahead, and no other block bears it out.
    #[test]
    fn a_false_time_is_set_back_after_a_minute() {
        let start = Instant::now();
        let hear = |clock, block, seconds| {
            ChainClock::heard(clock, block, start + Duration::from_secs(seconds), 1_000 + seconds)
        };
        let mut clock = hear(None, 1_000, 0);
        clock = hear(Some(clock), 9_000, 2);
        for seconds in (12..=60).step_by(12) {
            clock = hear(Some(clock), 1_000 + seconds, seconds);
            assert!(clock.at(start + Duration::from_secs(seconds)) > 9_000, "another machine may be behind");
        }
        clock = hear(Some(clock), 1_072, 72);
        assert_eq!(clock.at(start + Duration::from_secs(75)), 1_075);
    }

    /// Where there are no new blocks, the last one is heard of again and again.
    #[test]
    fn a_chain_that_stands_still_sets_nothing_back() {
        let start = Instant::now();
        let mut clock = ChainClock::heard(None, 1_000, start, 1_000);
        for seconds in (10..=600).step_by(10) {
            clock = ChainClock::heard(Some(clock), 1_000, start + Duration::from_secs(seconds), 1_000);
        }
        assert_eq!(clock.at(start + Duration::from_secs(600)), 1_600);
    }

    #[test]
    fn a_wrong_date_at_the_start_is_corrected_by_the_next_block() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let clock = ChainClock::heard(None, 1_000, start, 10_000);
        let clock = ChainClock::heard(Some(clock), 1_000, after(6), 10_006);
        assert_eq!(clock.at(after(6)), 10_006, "no block has told better");
        let clock = ChainClock::heard(Some(clock), 1_012, after(12), 1_012);
        assert_eq!(clock.at(after(13)), 1_013);
    }

    #[test]
    fn hearing_often_does_not_hold_it_up() {
        let start = Instant::now();
        let mut clock = ChainClock::heard(None, 1_000, start, 1_000);
        for look in 1..=200 {
            clock = ChainClock::heard(Some(clock), 1_000, start + Duration::from_millis(50 * look), 1_000);
        }
        assert_eq!(clock.at(start + Duration::from_secs(10)), 1_010);
    }

    #[test]
    fn a_machine_that_slept_asks() {
        let start = Instant::now();
        let clock = ChainClock::heard(None, 1_000, start, 1_000);
        let later = start + Duration::from_secs(100);
        assert!(!clock.has_slept(later, 1_100) && !clock.has_slept(later, 0) && !clock.has_slept(later, 1_130));
        assert!(clock.has_slept(later, 1_131));
        // Once it has asked it is awake, though no block has come.
        let awake = ChainClock::heard(Some(clock), 1_000, later, 1_131);
        assert!(!awake.has_slept(later + Duration::from_secs(1), 1_132));
    }
}
