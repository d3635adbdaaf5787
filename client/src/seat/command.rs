//! What the user can ask for, and when it is refused (protocol, section 6, step 2): nothing that is sent may depend on a
//! sight that isn't proven. A refusal is one sentence and sends nothing.

use super::Seat;
use super::event::Effect;
use super::turn::Turn;
use crate::journal::Entry;
use game::Board;
use game::{Command, CommandError, Transaction};
use rules::Move;

impl Seat {
    pub(super) fn on_command(
        &mut self,
        command: Command,
        fx: &mut Vec<Effect>,
    ) -> Result<(), CommandError> {
        match command {
            Command::Move { mv, offer_draw } => self.choose(mv, offer_draw, fx)?,
            Command::DontWait => self.hurry(),
            Command::Resign => {
                self.free_to_act()?;
                fx.push(Effect::SendTransaction(Transaction::Resign));
            }
            Command::AcceptDraw => self.accept_draw(fx)?,
            Command::ClaimTimeout => self.claim_timeout(fx)?,
            Command::PublishViewKey => {
                self.table.ending().ok_or(CommandError::NotOver)?;
                let key = self.secrets.view_key().to_bytes();
                fx.push(Effect::SendTransaction(Transaction::PublishViewKey { key }));
            }
            Command::Withdraw => {
                self.table.ending().ok_or(CommandError::NotOver)?;
                fx.push(Effect::SendTransaction(Transaction::Withdraw));
            }
            Command::Show => self.show_board(fx),
        }
        Ok(())
    }

    fn board_in_play(&self) -> Result<&Board, CommandError> {
        let missing = if self.table.ending().is_some() {
            CommandError::Over
        } else {
            CommandError::NotBegun
        };
        self.table
            .playing()
            .filter(|board| board.color_of(self.me).is_some())
            .ok_or(missing)
    }

    /// Whether one may act: on one's own turn only with a proven sight (protocol, section 6, step 2).
    fn free_to_act(&self) -> Result<(), CommandError> {
        self.board_in_play()?;
        if self.my_turn().is_some() && self.proven_sight().is_none() {
            return Err(CommandError::SightNotProven);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        mv: Move,
        offer_draw: bool,
        fx: &mut Vec<Effect>,
    ) -> Result<(), CommandError> {
        let ply = self.board_in_play()?.ply;
        self.my_turn().ok_or(CommandError::NotYourTurn)?;
        if let Some(turn) = &self.turn {
            return Err(CommandError::AlreadyChosen { mv: turn.mv });
        }
        self.free_to_act()?;
        if !self.legal_moves().contains(&mv) {
            return Err(CommandError::Illegal { mv });
        }
        fx.push(Effect::Journal(Entry::Chosen {
            ply,
            mv,
            offer_draw,
        }));
        self.turn = Some(Turn::chosen(mv, offer_draw));
        Ok(())
    }

    fn accept_draw(&mut self, fx: &mut Vec<Effect>) -> Result<(), CommandError> {
        let offered = self.board_in_play()?.draw_offered;
        self.my_turn().ok_or(CommandError::NotYourTurn)?;
        self.free_to_act()?;
        if let Some(turn) = &self.turn {
            return Err(CommandError::AlreadyChosen { mv: turn.mv });
        }
        if !offered {
            return Err(CommandError::NoDrawOffered);
        }
        fx.push(Effect::SendTransaction(Transaction::AcceptDraw));
        Ok(())
    }

    /// Claims the game when the time of the opponent, who is to move or to open the coin toss, has run out.
    fn claim_timeout(&mut self, fx: &mut Vec<Effect>) -> Result<(), CommandError> {
        if !self.table.toss_open() {
            self.board_in_play()?;
        }
        let mine = self.my_turn().is_some()
            || (self.table.toss_open() && self.table.creator() == Some(self.me));
        let late = self
            .clock
            .deadline
            .is_some_and(|deadline| self.clock.now > deadline);
        if mine || !late {
            return Err(CommandError::NotTimedOut);
        }
        fx.push(Effect::SendTransaction(Transaction::ClaimTimeout));
        Ok(())
    }
}
