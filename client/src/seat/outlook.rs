//! What a seat lets its user see and choose from (protocol, section 2 and section 6, step 2): own pieces, what they see as
//! far as it is proven, and the legal moves, which follow from these two.

use super::Seat;
use game::Board;
use game::Phase;
use game::View;
use rules::{Move, Sight};

impl Seat {
    /// Whether a move can be chosen now.
    pub fn can_move(&self) -> bool {
        self.my_turn().is_some() && self.turn.is_none() && self.proven_sight().is_some()
    }

    /// The moves to choose from; none while it isn't one's turn or the sight isn't proven.
    pub fn legal_moves(&self) -> Vec<Move> {
        let (Some(board), Some(own), Some(sight)) =
            (self.my_turn(), self.own.last(), self.proven_sight())
        else {
            return Vec::new();
        };
        let side = own.applied(board.pending);
        sight.map_or_else(|| side.opening_moves(), |sight| side.legal_moves(sight))
    }

    /// The board to be shown now.
    pub fn view(&self) -> Option<View> {
        let (board, own, color) = (self.table.board()?, self.own.last()?, self.color()?);
        if board.turn() == color {
            let side = own.applied(board.pending);
            let sight = self.proven_sight().flatten().cloned();
            return Some(View {
                ply: board.ply,
                phase: Phase::Pre,
                side,
                sight,
                legal: self.legal_moves(),
            });
        }
        let sight = self
            .post
            .as_ref()
            .and_then(|post| post.proven())
            .map(|proven| proven.sight.clone());
        let ply = board.ply.saturating_sub(1);
        Some(View {
            ply,
            phase: Phase::Post,
            side: own.side.clone(),
            sight,
            legal: Vec::new(),
        })
    }

    /// The board, if the game is on and it is one's own turn.
    pub(super) fn my_turn(&self) -> Option<&Board> {
        self.table
            .playing()
            .filter(|board| board.color_of(self.me) == Some(board.turn()))
    }

    /// What one may rely on for one's move: `Some(None)` on one's first move, which needs no sight.
    pub(super) fn proven_sight(&self) -> Option<Option<&Sight>> {
        if self.my_turn()?.opening() {
            return Some(None);
        }
        Some(Some(&self.pre.as_ref()?.proven()?.sight))
    }
}
