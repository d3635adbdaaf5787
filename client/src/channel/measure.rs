//! How long somebody takes (protocol, section 8): clocks of a game between the machines, by this machine's own measure. No proof of it is tried: whoever
//! finds the other's time used up wakes the game, where the chain's clock decides.

use super::line::Line;
use super::{Channel, Stage};
use crate::seat::{Effect, Seat};
use game::{Clocks, Notice, Terms, Waking};
use rules::Color;

/// How many seconds better than by the own measure the opponent's clock may be after each ply.
pub(super) const TOLERANCE: u64 = 5;
/// And in a whole game besides, for a link that is down for a while: this part of what each has for the game.
const TRUSTED_PART: u32 = 4;

/// The most seconds from one tick to the next that are believed to have passed.
const STEP: u64 = 600;

/// What is left of a clock after a ply that took so long, the increment added; none if the time was up.
pub(super) fn left_after(terms: &Terms, clock: u32, used: u64) -> Option<u32> {
    let over = u32::try_from(used.saturating_sub(terms.delay.into())).unwrap_or(u32::MAX);
    Some(clock.checked_sub(over)?.saturating_add(terms.increment))
}

/// How many seconds the opponent's clock shows more after its ply than by this side's measure of how long that took; none if no measure could be so wrong.
fn better_by(terms: &Terms, clock: u32, used: u64, shown: u32) -> Option<u64> {
    let (clock, most) = (u64::from(clock), clock.saturating_add(terms.increment));
    let over = used.saturating_sub(TOLERANCE).saturating_sub(terms.delay.into());
    let better = u64::from(shown).saturating_add(over).saturating_sub(most.into()).max(over.saturating_sub(clock));
    (shown <= most).then_some(better)
}

/// What is to be done for want of something.
enum Overdue {
    Close,
    Wake(Waking),
}

impl Channel {
    /// Ticks come each second: else the date was set right, or the machine was suspended for long.
    pub(super) fn pass_to(&mut self, date: u64) {
        if !(self.date..=self.date.saturating_add(STEP)).contains(&date) {
            self.since = date;
            self.sent_at = self.sent_at.min(date);
            self.ready = self.ready.map(|(ply, at)| (ply, at.min(date)));
        }
        self.date = date;
    }

    /// For how long what began at a time has gone on, as far as this machine was there. A time to come was told by a clock that has been set right since.
    pub(super) fn gone_on(&self, at: u64) -> u64 {
        let at = if at > self.date { self.since } else { at.max(self.since) };
        self.date.saturating_sub(at)
    }

    /// How long what the opponent owes is waited for: the user's grace. Before it was heard of since a start it may not know where this machine is: then as
    /// long as it has for the game.
    pub(super) fn patience(&self) -> u64 {
        let unheard = self.line.as_ref().filter(|_| !self.is_heard).map_or(0, |line| line.terms.base.into());
        self.config.grace.max(unheard)
    }

    /// How many seconds of what it is trusted with the opponent's clock takes, by a ply that has come now; none if it shows too much. Who lacks plies has
    /// no measure of when they were made.
    pub(super) fn trusted_for(&self, line: &Line, shown: u32) -> Option<u64> {
        let (clock, used) = (line.position().clocks[(!line.own).index()], self.gone_on(self.last_at()));
        let most = match self.stage {
            Stage::Behind(_) => u64::MAX,
            _ => u64::from(line.terms.base / TRUSTED_PART).saturating_sub(self.trusted),
        };
        better_by(&line.terms, clock, used, shown).filter(|better| *better <= most)
    }

    /// When the last ply was made or came; the beginning if there is none.
    pub(super) fn last_at(&self) -> u64 {
        self.line.as_ref().and_then(|line| line.last()).map_or(0, |made| made.kept.at)
    }

    /// Since when the own ply can be made: from then on its time is used.
    pub(super) fn note_ready(&mut self, seat: &Seat) {
        let due = self.line.as_ref().filter(|line| line.is_own_turn()).map(Line::len);
        let Some(ply) = due.filter(|_| self.date > 0 && seat.has_sight()) else { return };
        if self.ready.is_none_or(|(known, _)| known != ply) {
            let last = self.line.as_ref().and_then(Line::last).map(|made| made.kept.at);
            // After a restart nobody knows better than that the sight, if it was there, came with the opponent's ply.
            self.ready = Some((
                ply,
                last.filter(|at| (1..self.since).contains(at) && self.sighted == Some(ply)).unwrap_or(self.date),
            ));
        }
    }

    /// How long the own ply has taken.
    pub(super) fn used(&self) -> u64 {
        let due = self.line.as_ref().map(Line::len);
        let ready = self.ready.filter(|(ply, _)| Some(*ply) == due);
        self.date.saturating_sub(ready.map_or_else(|| self.last_at().max(self.since), |(_, at)| at))
    }

    /// Time passes while the game is asleep: what is overdue is brought to the chain.
    pub(super) fn measure(&mut self, seat: &Seat, out: &mut Vec<Effect>) {
        match self.overdue(seat) {
            Some(Overdue::Close) if self.resend_due() => self.close(out),
            Some(Overdue::Wake(why)) => self.wake(why, out),
            Some(Overdue::Close) | None => {}
        }
    }

    /// Whether it is time to send a transaction again that has come to nothing.
    pub(super) fn resend_due(&self) -> bool {
        self.date >= self.sent_at.saturating_add(self.config.resend_every)
    }

    /// What is to be done because somebody has taken too long.
    fn overdue(&self, seat: &Seat) -> Option<Overdue> {
        let (line, at) = (self.line.as_ref()?, self.last_at());
        let is_late = |at: u64| self.gone_on(at) > self.config.grace;
        if self.their_result.is_some() {
            return Some(Overdue::Close);
        }
        if let Some(own) = &self.own_result {
            // Who has lost by it may close as well.
            let what = if own.result.creator_won.is_some() { Overdue::Close } else { Overdue::Wake(Waking::NotClosed) };
            return is_late(own.at).then_some(what);
        }
        let why = if line.is_over() {
            is_late(at).then_some(Waking::NoResult)
        } else if line.is_own_turn() {
            let is_late = self.gone_on(at) > self.patience();
            (is_late && line.len() >= 2 && !seat.has_sight()).then_some(Waking::NoSight)
        } else {
            let (clock, used) = (line.position().clocks[(!line.own).index()], self.gone_on(at));
            let is_out = left_after(&line.terms, clock, used.saturating_sub(TOLERANCE)).is_none();
            (is_out && !self.is_arriving()).then_some(Waking::OpponentOutOfTime)
        };
        why.map(Overdue::Wake)
    }

    /// Tells the clocks, after a ply or a restart. The opponent's has run since the own ply was made, and this player's begins now.
    pub(super) fn tell_clocks(&mut self, out: &mut Vec<Effect>) {
        let Some(line) = self.line.as_ref().filter(|line| !line.is_over()) else { return };
        self.is_timed = true;
        let (turn, clocks) = (Color::of_ply(line.len().into()), line.position().clocks);
        let made = line.last().filter(|made| made.kept.own).map_or(self.date, |made| made.kept.at);
        let begun = self.now.saturating_sub(self.date.saturating_sub(made));
        let runs_from = begun.saturating_add(line.terms.delay.into());
        let deadline = runs_from.saturating_add(clocks[turn.index()].into());
        let clocks = Clocks { left: clocks.map(Into::into), deadline, turn: Some(turn), runs_from, hold: None };
        out.push(Effect::Notify(Notice::clocks(clocks, self.now)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Mode;

    const TERMS: Terms = Terms {
        mode: Mode::Channel,
        stake: 0,
        base: 60,
        increment: 3,
        delay: 10,
        window: 60,
        reveal: 60,
        expiry: 0,
        opponent: None,
    };

    #[test]
    fn a_clock_runs_after_the_delay_and_gains_the_increment() {
        assert_eq!([0, 10, 11, 70].map(|used| left_after(&TERMS, 60, used)), [63, 63, 62, 3].map(Some));
        assert_eq!(left_after(&TERMS, 60, 71), None);
        assert_eq!(left_after(&TERMS, u32::MAX, 0), Some(u32::MAX));
    }

    #[test]
    fn the_opponent_s_clock_may_be_five_seconds_better_and_more_is_counted() {
        let better = |used, shown| better_by(&TERMS, 60, used, shown);
        assert_eq!([better(0, 63), better(0, 64)], [Some(0), None], "nobody gains more than the increment");
        assert_eq!([better(20, 58), better(20, 59), better(40, 58)], [Some(0), Some(1), Some(20)]);
        assert_eq!(better(20, 0), Some(0), "whoever says less harms itself");
        assert_eq!([better(75, 3), better(76, 0)], [Some(0), Some(1)], "its time was up");
        assert_eq!(better(u64::MAX, u32::MAX), None);
    }
}
