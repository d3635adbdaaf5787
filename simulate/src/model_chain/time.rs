//! Deadlines and clocks: what a game is decided by once it has passed, and whose time runs.

use super::Refusal;
use super::storage::{Hold, ModelChain, Status};
use fog::ensure;
use game::{Clocks, Outcome};
use rules::Color;

/// Plenty: a claim's or a demand's hold has no clock beside it.
const NEVER: u64 = u64::MAX;

/// What a deadline decides once it has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    /// The last second before it does.
    pub last: u64,
    /// The role that wins; nobody in a draw.
    pub winner: Option<usize>,
    pub outcome: Outcome,
}

impl ModelChain {
    /// The earliest deadline of a game that two players are in; none once it is over.
    pub fn deadline(&self) -> Option<u64> {
        self.earliest().map(|verdict| verdict.last)
    }

    /// The clocks as the contract tells them.
    pub fn clocks(&self) -> Clocks {
        let is_playing = self.status == Status::Playing;
        let clock = |color: usize| self.players.get(self.role_of(color)).map_or(0, |player| player.clock);
        let mut left = [clock(0), clock(1)];
        if is_playing {
            left[self.color_to_move()] = self.left();
        }
        Clocks {
            left,
            deadline: self.deadline().unwrap_or(0),
            turn: is_playing.then(|| Color::of_ply(self.ply().into())),
            runs_from: self.runs_from(),
            hold: self.demands[0].filter(|_| self.hold != Hold::None).map(|demand| demand.deadline),
        }
    }

    /// The earliest deadline and what it decides. Of several in one second the first of: the hold's, White's demand's, Black's,
    /// the clock's.
    pub(super) fn earliest(&self) -> Option<Verdict> {
        let reveal = u64::from(self.opening.terms.reveal);
        let unrevealed = |last, winner| Some(Verdict { last, winner, outcome: Outcome::Unrevealed });
        match self.status {
            Status::Open | Status::Over => None,
            Status::CreatorReveals => unrevealed(self.since + reveal, None),
            Status::JoinerReveals => unrevealed(self.since + 2 * reveal, Some(0)),
            // Of equal ones it gives the first.
            Status::Playing => self.verdicts().into_iter().min_by_key(|verdict| verdict.last),
        }
    }

    fn verdicts(&self) -> Vec<Verdict> {
        let mut all = Vec::new();
        let to_move = self.role_to_move();
        let of_hold = self.demands[0].filter(|_| self.hold != Hold::None).map_or(NEVER, |demand| demand.deadline);
        match self.hold {
            Hold::None => {}
            Hold::Sight => all.push(Verdict { last: of_hold, winner: Some(to_move), outcome: Outcome::Unanswered }),
            Hold::FiftyMoves => all.push(Verdict { last: of_hold, winner: None, outcome: Outcome::FiftyMoves }),
        }
        for color in 0..2 {
            if let Some(demand) = self.demands[1 + color].filter(|demand| demand.is_open) {
                let winner = Some(self.role_of(color));
                all.push(Verdict { last: demand.deadline, winner, outcome: Outcome::Unanswered });
            }
        }
        if self.hold == Hold::None {
            let last = self.runs_from() + self.players[to_move].clock;
            all.push(Verdict { last, winner: Some(1 - to_move), outcome: Outcome::TimedOut });
        }
        all
    }

    /// From when the clock of the player to move runs, if no hold stops it.
    fn runs_from(&self) -> u64 {
        self.since + u64::from(self.opening.terms.delay)
    }

    /// What is left to the player to move.
    pub(super) fn left(&self) -> u64 {
        let clock = self.players[self.role_to_move()].clock;
        match self.hold {
            Hold::None => clock.saturating_sub(self.now.saturating_sub(self.runs_from())),
            _ => clock,
        }
    }

    /// Refuses what comes after a deadline has decided the game, or before or after play.
    pub(super) fn expect_play(&self) -> Result<(), Refusal> {
        ensure!(self.status == Status::Playing, "WrongStatus");
        self.expect_time()
    }

    /// In play, where what a proof decides is to be had.
    pub(super) fn expect_proofs(&self) -> Result<(), Refusal> {
        self.expect_play()?;
        ensure!(self.opening.terms.mode.has_proofs(), "NoProofs");
        Ok(())
    }

    pub(super) fn expect_time(&self) -> Result<(), Refusal> {
        let in_time = self.earliest().is_some_and(|verdict| self.now <= verdict.last);
        in_time.then_some(()).ok_or("OutOfTime")
    }

    /// Opens a hold: the clock of the player to move keeps what is left.
    pub(super) fn stop_clock(&mut self, hold: Hold) {
        let (role, left) = (self.role_to_move(), self.left());
        self.players[role].clock = left;
        self.hold = hold;
    }

    /// A delay begins now.
    pub(super) fn restart_delay(&mut self) {
        self.since = self.now;
    }

    pub(super) fn claim_timeout(&mut self) -> Result<(), Refusal> {
        let verdict = self.earliest().ok_or("WrongStatus")?;
        ensure!(self.now > verdict.last, "StillInTime");
        self.end(verdict.winner, verdict.outcome);
        Ok(())
    }
}
