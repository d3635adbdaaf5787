//! How a game between the machines ends (protocol, section 8): by a result that each signs who doesn't win by it. Who signs a result signs nothing after it:
//! else the opponent could play on for a win, and take the draw when it loses.

use super::plies::cannot_sign;
use super::{Channel, Stage};
use crate::journal::Entry;
use crate::seat::{Effect, Seat};
use game::{GameResult, Message, Notice, Outcome, Transaction, signer};

/// A result with a player's signature, and since when it is here.
pub(super) struct SignedResult {
    pub result: GameResult,
    pub signature: [u8; 64],
    pub at: u64,
}

impl SignedResult {
    pub fn message(&self) -> Message {
        Message::Result { result: self.result, signature: self.signature }
    }
}

impl Channel {
    /// This player has lost, and signs that.
    pub(super) fn sign_loss(&mut self, outcome: Outcome, out: &mut Vec<Effect>) {
        let is_creator = self.line.as_ref().is_some_and(|line| line.is_creator);
        self.sign_result(Some(!is_creator), outcome, out);
    }

    /// This player takes the draw that was offered.
    pub(super) fn sign_draw(&mut self, out: &mut Vec<Effect>) {
        self.sign_result(None, Outcome::DrawAgreed, out);
    }

    fn sign_result(&mut self, creator_won: Option<bool>, outcome: Outcome, out: &mut Vec<Effect>) {
        let Some(line) = self.line.as_ref().filter(|_| !self.has_result()) else { return };
        let result = GameResult { creator_won, outcome, last: line.digest() };
        let Some(signature) = (self.sign.0)(&result.digest(&line.game)) else { return out.push(cannot_sign()) };
        let signed = SignedResult { result, signature, at: self.date };
        out.push(Effect::Journal(Entry::Result { own: true, result, signature }));
        out.push(Effect::SendMessage(signed.message()));
        out.push(Effect::Notify(Notice::ResultSigned { outcome }));
        (self.own_result, self.arriving) = (Some(signed), None);
    }

    /// Resigns where nobody can be asked to close: this player does it itself.
    pub(super) fn resign_at_once(&mut self, out: &mut Vec<Effect>) {
        self.sign_loss(Outcome::Resigned, out);
        self.close(out);
    }

    /// The opponent has signed how the game ended. It is of use if this player wins by it, or has offered the draw in the last position.
    pub(super) fn on_result(&mut self, result: GameResult, signature: [u8; 64], out: &mut Vec<Effect>) {
        let Some(line) = self.line.as_ref().filter(|_| self.their_result.is_none()) else { return };
        let is_signed = signer(&result.digest(&line.game), &signature) == Some(line.opponent());
        let is_won = result.creator_won == Some(line.is_creator)
            && matches!(result.outcome, Outcome::KingCaptured | Outcome::Resigned);
        let is_offered = !line.is_own_turn() && line.position().draw_offered && result.last == line.digest();
        // After an own result nothing is signed, and a draw is signed by closing it.
        let is_draw = result.creator_won.is_none()
            && result.outcome == Outcome::DrawAgreed
            && is_offered
            && self.own_result.is_none()
            && matches!(self.stage, Stage::Asleep);
        if !is_signed || !(is_won || is_draw) {
            return;
        }
        out.push(Effect::Journal(Entry::Result { own: false, result, signature }));
        out.push(Effect::Notify(Notice::Closing { outcome: result.outcome }));
        // Whoever takes a result signs nothing after it either.
        (self.their_result, self.arriving) = (Some(SignedResult { result, signature, at: self.date }), None);
        self.close(out);
    }

    /// Whether either player has signed how the game ended.
    pub(super) fn has_result(&self) -> bool {
        self.own_result.is_some() || self.their_result.is_some()
    }

    /// Whether this player has signed that the game is drawn.
    pub(super) fn is_drawn(&self) -> bool {
        self.own_result.as_ref().is_some_and(|own| own.result.creator_won.is_none())
    }

    /// Whether this player has signed the draw that it can take now, on the chain.
    pub(super) fn is_taking_the_draw(&self, seat: &Seat) -> bool {
        self.is_drawn() && seat.table().playing().is_some_and(|play| play.draw_offered) && seat.can_move()
    }

    /// The result by which the chain can end the game, with the opponent's signature if that is needed.
    fn closing(&self) -> Option<(GameResult, Option<[u8; 64]>)> {
        match (&self.their_result, &self.own_result) {
            (Some(theirs), _) => Some((theirs.result, Some(theirs.signature))),
            (None, own) => own.as_ref().filter(|_| !self.is_drawn()).map(|own| (own.result, None)),
        }
    }

    pub(super) fn is_closable(&self) -> bool {
        self.closing().is_some()
    }

    /// Has the chain end the game, if it can by what is signed. The sender's own signature goes without saying.
    pub(super) fn close(&mut self, out: &mut Vec<Effect>) {
        let (Some(line), Some((result, signature))) = (&self.line, self.closing()) else { return };
        let signatures = if line.is_creator { [None, signature] } else { [signature, None] };
        self.sent_at = self.date;
        out.push(Effect::SendTransaction(Transaction::Close { result, signatures }));
    }
}
