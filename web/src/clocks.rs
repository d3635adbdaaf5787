//! The chess clock, as the contract reckons it from block times (protocol, section 8).

use game::{PlayState, Terms};
use rules::Color;

/// Both players' clocks while a game is read.
pub struct Clocks {
    terms: Terms,
    left: [u64; 2],
    /// When the ply, or what came after a hold, began.
    since: u64,
}

impl Clocks {
    /// Those of a game that begins now.
    pub fn start(terms: Terms, now: u64) -> Self {
        Self { terms, left: [terms.base.into(); 2], since: now }
    }

    /// What both have now, by color, in a position from which no event is left out.
    pub fn at(&self, play: &PlayState, now: u64) -> [u64; 2] {
        let mut left = self.left;
        if play.hold.is_none() {
            let used = now.saturating_sub(self.since + u64::from(self.terms.delay));
            let own = &mut left[play.turn().index()];
            *own = own.saturating_sub(used);
        }
        left
    }

    /// Goes on from one position to the next, which an event of this time has made of it.
    pub fn follow(&mut self, before: &PlayState, after: &PlayState, now: u64) {
        let is_moved = after.ply != before.ply;
        if !is_moved && before.hold.is_some() == after.hold.is_some() {
            return;
        }
        self.left = self.at(before, now);
        if is_moved {
            let own: &mut u64 = &mut self.left[before.turn().index()];
            *own = (*own + u64::from(self.terms.increment)).min(u32::MAX.into());
        }
        self.since = now;
    }

    /// The last second in which the player to move is in time, if its clock runs.
    pub fn deadline(&self, play: &PlayState) -> Option<u64> {
        let turn: Color = play.turn();
        play.hold.is_none().then(|| self.since + u64::from(self.terms.delay) + self.left[turn.index()])
    }
}
