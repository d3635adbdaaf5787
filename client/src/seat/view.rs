//! What a seat lets its player see and choose from (protocol, section 2 and section 6, step 2): own pieces, what they see as
//! far as it is proven, and the legal moves, which follow from these two.

use super::Seat;
use super::effects::Effects;
use game::{MessageId, Notice, Phase, View};
use halo2curves::bn256::Fr;
use rules::{Color, Move, PieceType, Seen, Sight, Square};

impl Seat {
    /// Whether a move can be chosen now.
    pub fn can_move(&self) -> bool {
        self.turn.mv().is_none() && self.proven_sight().is_some()
    }

    /// The moves to choose from; none while it isn't this player's turn or the sight isn't proven.
    pub fn legal_moves(&self) -> Vec<Move> {
        let (Some(play), Some(own), Some(sight)) = (self.facts.my_turn(), self.facts.own(), self.proven_sight()) else {
            return Vec::new();
        };
        let side = own.side.without(play.pending);
        sight.map_or_else(|| side.opening_moves(), |sight| side.legal_moves(sight))
    }

    /// The board to be shown now.
    pub fn view(&self) -> Option<View> {
        let (play, own) = (self.facts.table().begun()?, self.facts.own()?);
        if Some(play.turn()) != self.color() {
            let seen = self.facts.exchange(Phase::Post).map(|(ctx, _)| ctx);
            return self.view_after(play.ply.saturating_sub(1), seen);
        }
        Some(View::new(
            play.ply,
            Phase::Pre,
            own.side.without(play.pending),
            self.proven_sight().flatten().cloned(),
            self.legal_moves(),
            self.points(play.ply),
        ))
    }

    /// The board after the own move of a ply, with the sight of the exchange `seen`.
    fn view_after(&self, ply: u16, seen: Option<Fr>) -> Option<View> {
        Some(View::new(
            ply,
            Phase::Post,
            self.facts.own()?.side.clone(),
            seen.and_then(|ctx| Some(self.receiving.proven(ctx)?.sight.clone())),
            Vec::new(),
            self.points(ply.saturating_add(1)),
        ))
    }

    /// How often White and Black have captured before a ply.
    fn points(&self, before: u16) -> [u16; 2] {
        let captures = self.facts.past.iter().filter(|past| past.ply < before && past.capture.is_some());
        captures.fold([0; 2], |mut points, past| {
            points[Color::of_ply(past.ply.into()).index()] += 1;
            points
        })
    }

    /// What the player may rely on for its move: `Some(None)` on its first move, which needs no sight.
    pub(super) fn proven_sight(&self) -> Option<Option<&Sight>> {
        // A seat that has lost its state has no sight of anything.
        let (player, play, _) = self.facts.in_play()?;
        // Nothing hangs on a move whose proof may be false.
        if play.turn() != player.color() || !self.verifying.is_done() {
            return None;
        }
        if play.opening() {
            return Some(None);
        }
        let (ctx, _) = self.facts.exchange(Phase::Pre)?;
        Some(Some(self.receiving.proven(ctx)?.sight))
    }

    /// Whether a move captures the king, by the proven sight.
    pub(super) fn captures_king(&self, mv: &Move) -> bool {
        self.captured_by(mv) == Some(PieceType::King)
    }

    /// What a move captures, by the proven sight.
    pub(super) fn captured_by(&self, mv: &Move) -> Option<PieceType> {
        let (Some(sight), (_, play, own)) = self.proven_sight().zip(self.facts.in_play())? else { return None };
        self.captured(own.side.without(play.pending).capture_square(mv, sight)?)
    }

    /// What stands on the opponent's square that the own move of this ply captures on, by the proven sight of it.
    pub(super) fn captured(&self, square: Square) -> Option<PieceType> {
        match self.proven_sight()??.at(square) {
            Seen::Piece(piece) => Some(piece),
            // What is captured *en passant* may stand in the dark.
            _ => Some(PieceType::Pawn),
        }
    }

    /// Tells who plays whom.
    pub(super) fn introduce(&self, fx: &mut Effects) {
        if let Some(introduction) = self.facts.introduction() {
            fx.notify(Notice::Game(Box::new(introduction)));
        }
    }

    /// Tells the plies that were made.
    pub(super) fn tell_history(&self, fx: &mut Effects) {
        if !self.facts.past.is_empty() {
            fx.notify(Notice::History { plies: self.facts.past.clone() });
        }
    }

    /// Tells all moves, if the game is over and they are known.
    pub(super) fn tell_replay(&self, fx: &mut Effects) {
        if let Some((moves, fault)) = self.facts.laid_open() {
            fx.notify(Notice::Replay { moves, fault });
        }
    }

    /// Shows the board as it is.
    pub(super) fn show_board(&self, fx: &mut Effects) {
        show(self.view(), fx);
    }

    /// Shows a sight that has just been proven. One after the own move may come when the opponent has moved already, but one that
    /// comes when the player chooses its next move, or has made it, is of a board that is gone.
    pub(super) fn show_sight(&self, ctx: Fr, id: MessageId, fx: &mut Effects) {
        match id.phase {
            Phase::Pre => self.show_board(fx),
            Phase::Post if Some(id.ply) == self.facts.own_ply() && self.proven_sight().is_none() => {
                show(self.view_after(id.ply, Some(ctx)), fx);
            }
            Phase::Post => {}
        }
    }
}

fn show(view: Option<View>, fx: &mut Effects) {
    if let Some(view) = view {
        fx.notify(Notice::View(Box::new(view)));
    }
}
