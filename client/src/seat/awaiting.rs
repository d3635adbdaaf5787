//! Whom the game waits for. It follows from the seat's state alone, and is told when it changes.

use super::Seat;
use super::effects::Effects;
use ff::Field;
use game::{Awaiting, Hold, Notice, What, Who};
use halo2curves::bn256::Fr;

/// Somebody, what for, and the last second for it if an open demand or claim sets one.
pub(super) type Awaited = (Who, What, Option<u64>);

impl Seat {
    /// Tells whom the game waits for, if that is somebody or something else than when it was told last. Before the first tick nobody knows since when.
    pub(super) fn tell_awaited(&mut self, fx: &mut Effects) {
        let (awaited, since) = (self.awaited(), self.clock.now);
        if since == 0 || self.told_awaited == awaited {
            return;
        }
        self.told_awaited = awaited;
        if let Some((who, what, until)) = awaited {
            fx.notify(Notice::Awaiting(Awaiting { who, what, since, until }));
        }
    }

    /// Whom the game waits for; nobody once it is over, or where this side can't go on.
    fn awaited(&self) -> Option<Awaited> {
        if let Some((revealer, _)) = self.table().to_reveal() {
            // The own share is sent by itself.
            return Some((if revealer == self.facts.me { Who::Chain } else { Who::Opponent }, What::Reveal, None));
        }
        if self.set_up.is_pending() {
            let who = if self.set_up.missing().is_some() { Who::Opponent } else { Who::Machine };
            return Some((who, What::SetUp, None));
        }
        let (player, play, _) = self.facts.in_play()?;
        if let Some(hold) = &play.hold {
            let who = if play.hold_owner() == Some(player.color()) { Who::Opponent } else { Who::Machine };
            let what = match hold {
                Hold::Sight(_) => What::Demand,
                Hold::FiftyMoves { .. } => What::Claim,
            };
            return Some((who, what, Some(hold.deadline())));
        }
        let (who, what) = match self.facts.my_turn() {
            None if self.facts.seen == Some(play.ply) => (Who::Chain, What::Finality),
            None => (Who::Opponent, What::Move),
            Some(_) => self.turn.awaited().unwrap_or_else(|| self.awaited_before_the_move(play.answer_root)),
        };
        Some((who, what, None))
    }

    /// What there has to be before this player can choose, or that it chooses.
    fn awaited_before_the_move(&self, posted: Fr) -> (Who, What) {
        if !self.verifying.is_done() {
            return (Who::Machine, What::Check);
        }
        if self.proven_sight().is_some() {
            return (Who::You, What::Move);
        }
        let is_here = posted != Fr::ZERO && self.receiving.missing().next().is_none();
        if is_here { (Who::Machine, What::Check) } else { (Who::Opponent, What::Sight) }
    }
}
