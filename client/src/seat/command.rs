//! What the player can ask for, and when it is refused (protocol, section 6, step 2): nothing that is sent may depend on a
//! sight that isn't proven. A refusal is one sentence and sends nothing.

use super::Seat;
use super::claims::{Claim, FIFTY};
use super::effects::Effects;
use crate::journal::Entry;
use fog::ensure;
use game::{Command, CommandError, PlayState, Transaction};
use rules::Move;

/// Plies without a capture that a claim of fifty moves needs.
const QUIET_PLIES: u16 = 100;

impl Seat {
    pub(super) fn on_command(&mut self, command: Command, fx: &mut Effects) -> Result<(), CommandError> {
        match command {
            Command::Move { mv, offer_draw } => self.choose(mv, offer_draw, fx)?,
            Command::DontWait => ensure!(self.turn.hurry(), CommandError::NothingToSkip),
            Command::GiveAgain => ensure!(self.released.allow(fx), CommandError::NothingRefused),
            // The machine beside the seat takes it where it means anything.
            Command::AskOpponent => return Err(CommandError::NothingForgotten),
            // It hangs on no sight, proven or not.
            Command::Resign => {
                self.play_state()?;
                fx.transact(Transaction::Resign);
            }
            Command::AcceptDraw => self.accept_draw(fx)?,
            Command::ClaimTimeout => self.claim_timeout(fx)?,
            Command::ClaimFifty => self.claim_fifty()?,
            Command::ClaimNoMove => self.claim_no_move()?,
            Command::PublishViewKey => {
                self.table().ending().ok_or(CommandError::NotOver)?;
                let key = self.facts.secrets.view_key().to_bytes();
                if self.table().view_key(self.facts.me) != Some(key) || self.clock.config.posts_transcript {
                    fx.transact(Transaction::PublishViewKey { key, transcript: Vec::new() });
                }
            }
            Command::Withdraw => {
                self.table().ending().ok_or(CommandError::NotOver)?;
                fx.transact(Transaction::Withdraw);
            }
            Command::Show => self.show_board(fx),
        }
        Ok(())
    }

    fn play_state(&self) -> Result<&PlayState, CommandError> {
        let is_over = self.table().ending().is_some();
        let missing = if is_over { CommandError::Over } else { CommandError::NotBegun };
        self.facts.playing().ok_or(missing)
    }

    /// Whether the player may act: on its own turn only with a proven sight (protocol, section 6, step 2).
    fn free_to_act(&self) -> Result<(), CommandError> {
        self.play_state()?;
        ensure!(!self.set_up.is_pending(), CommandError::SettingUp);
        ensure!(!self.facts.set_up_failed(), CommandError::NotSetUp);
        ensure!(self.facts.my_turn().is_none() || self.verifying.is_done(), CommandError::NotVerified);
        ensure!(self.facts.my_turn().is_none() || self.proven_sight().is_some(), CommandError::SightNotProven);
        Ok(())
    }

    /// The game in play, if the player has its move to make.
    fn my_move(&self) -> Result<&PlayState, CommandError> {
        self.play_state()?;
        let play = self.facts.my_turn().ok_or(CommandError::NotYourTurn)?;
        self.turn.mv().map_or(Ok(()), |mv| Err(CommandError::AlreadyChosen { mv }))?;
        self.free_to_act()?;
        Ok(play)
    }

    /// The ply for which the player may choose this move now.
    ///
    /// # Errors
    ///
    /// Why it can't be chosen.
    pub fn may_choose(&self, mv: &Move) -> Result<u16, CommandError> {
        let ply = self.my_move()?.ply;
        ensure!(self.legal_moves().contains(mv), CommandError::Illegal { mv: *mv });
        let is_held = self.play_state()?.hold.is_some();
        ensure!(!is_held || self.captures_king(mv), CommandError::OnHold);
        Ok(ply)
    }

    fn choose(&mut self, mv: Move, offer_draw: bool, fx: &mut Effects) -> Result<(), CommandError> {
        let ply = self.may_choose(&mv)?;
        fx.journal(Entry::Chosen { ply, mv, offer_draw, captured: self.captured_by(&mv) });
        self.turn.choose(mv, offer_draw);
        Ok(())
    }

    fn accept_draw(&mut self, fx: &mut Effects) -> Result<(), CommandError> {
        let play = self.my_move()?;
        ensure!(play.draw_offered, CommandError::NoDrawOffered);
        let commitment = play.commitments[(!play.turn()).index()];
        fx.transact(Transaction::AcceptDraw { ply: play.ply, commitment });
        Ok(())
    }

    /// Claims a draw by fifty moves: what the contract and the statement would refuse is refused here.
    fn claim_fifty(&mut self) -> Result<(), CommandError> {
        let play = self.my_move()?;
        ensure!(self.facts.is_on_chain(), CommandError::NoProofs);
        ensure!(play.hold.is_none() && !self.claims.is_pending(), CommandError::OnHold);
        let (ply, plies, color) = (play.ply, play.quiet_plies, play.turn().index());
        let barred = play.claims_from[color];
        let own = self.facts.own().map_or(0, |own| own.side.since_pawn);
        ensure!(plies >= QUIET_PLIES && own >= FIFTY, CommandError::NotFifty { plies, own });
        ensure!(ply >= barred, CommandError::ClaimBarred { ply: barred });
        self.claims.make(Claim::Fifty, ply);
        Ok(())
    }

    /// Claims a draw for want of a move.
    fn claim_no_move(&mut self) -> Result<(), CommandError> {
        let play = self.my_move()?;
        ensure!(self.facts.is_on_chain(), CommandError::NoProofs);
        ensure!(play.hold.is_none() && !self.claims.is_pending(), CommandError::OnHold);
        let ply = play.ply;
        ensure!(self.legal_moves().is_empty(), CommandError::HasMove);
        self.claims.make(Claim::NoMove, ply);
        Ok(())
    }

    /// Claims what a deadline of the opponent has decided.
    fn claim_timeout(&mut self, fx: &mut Effects) -> Result<(), CommandError> {
        if self.table().to_reveal().is_none() {
            self.play_state()?;
        }
        ensure!(self.has_won_by_time(), CommandError::NotTimedOut);
        fx.transact(Transaction::ClaimTimeout);
        Ok(())
    }

    /// Whether a deadline has passed that doesn't decide against this player.
    pub(super) fn has_won_by_time(&self) -> bool {
        let Some(deadline) = self.clock.passed_deadline() else {
            return false;
        };
        if let Some((revealer, _)) = self.table().to_reveal() {
            return revealer != self.facts.me;
        }
        // The engine's set-up may still be under way here.
        let Some((play, color)) = self.table().playing().zip(self.color()) else {
            return false;
        };
        play.decided_by(deadline) != Some(!color)
    }
}
