//! What the clocks showed, by the times of the blocks and the terms (protocol, section 8).

use crate::{PlayState, Position, Terms};

/// Both clocks of a game whose events are followed.
#[derive(Debug)]
pub struct Watch {
    terms: Terms,
    left: [u64; 2],
    /// When the delay of the player to move began.
    since: u64,
}

impl Watch {
    /// The clocks of a game that began at a time.
    pub fn start(terms: Terms, time: u64) -> Self {
        Self { terms, left: [terms.base.into(); 2], since: time }
    }

    /// The clocks of a game that was woken in a position, or at its start: they run from a time on.
    pub fn woken(terms: Terms, position: &Position, since: u64) -> Self {
        let left = if position.ply == 0 { [terms.base; 2] } else { position.clocks };
        Self { terms, left: left.map(u64::from), since }
    }

    /// What both clocks show at a time, White's first, in the position that was taken last.
    pub fn at(&self, play: &PlayState, time: u64) -> [u64; 2] {
        let mut left = self.left;
        if play.hold.is_none() {
            let runs_from = self.since.saturating_add(self.terms.delay.into());
            let own = &mut left[play.turn().index()];
            *own = own.saturating_sub(time.saturating_sub(runs_from));
        }
        left
    }

    /// The last second in which the player to move is in time, if its clock isn't held.
    pub fn deadline(&self, play: &PlayState) -> Option<u64> {
        let left = self.left[play.turn().index()];
        play.hold.is_none().then(|| self.since.saturating_add(self.terms.delay.into()).saturating_add(left))
    }

    /// Takes what an event at a time made of a position; gives what is left then to who was to move before it.
    pub fn take(&mut self, before: &PlayState, after: &PlayState, time: u64) -> u64 {
        let (was_held, is_held, has_moved) = (before.hold.is_some(), after.hold.is_some(), after.ply > before.ply);
        if is_held || has_moved {
            self.left = self.at(before, time);
        }
        let left = &mut self.left[before.turn().index()];
        if has_moved {
            *left += u64::from(self.terms.increment);
        }
        if has_moved || was_held && !is_held {
            self.since = time;
        }
        *left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hold, Mode};
    use rules::Color;

    #[test]
    fn a_hold_stops_a_clock_and_a_move_adds_its_increment() {
        let times = |base, increment, delay| Terms {
            mode: Mode::Verified,
            stake: 0,
            base,
            increment,
            delay,
            window: 0,
            reveal: 0,
            expiry: 0,
            opponent: None,
        };
        let mut watch = Watch::start(times(100, 5, 10), 1_000);
        let first = PlayState::start([Default::default(); 2], [[0; 64]; 2], [0; 32]);
        let second = PlayState { ply: 1, ..first.clone() };
        let third = PlayState { ply: 2, ..first.clone() };
        let claim = Hold::FiftyMoves { claimant: Color::White, deadline: 0, bond: 0 };
        let held = PlayState { hold: Some(claim), ..third.clone() };
        let fourth = PlayState { ply: 3, ..first.clone() };
        // The delay is free.
        assert_eq!(watch.take(&first, &second, 1_010), 105);
        assert_eq!(watch.take(&second, &third, 1_050), 100 - 30 + 5);
        // Before the hold the clock ran 20 s, during it not at all, and a delay begins after it.
        assert_eq!(watch.at(&third, 1_080), [85, 75]);
        assert_eq!(watch.deadline(&third), Some(1_050 + 10 + 105));
        assert_eq!(watch.take(&third, &held, 1_080), 85);
        assert_eq!((watch.at(&held, 1_900), watch.deadline(&held)), ([85, 75], None));
        assert_eq!(watch.take(&held, &third, 2_000), 85);
        assert_eq!(watch.take(&third, &fourth, 2_015), 85 - 5 + 5);
    }
}
