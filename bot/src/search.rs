//! A move's worth on one open board: alpha-beta over a few plies, then captures until the board is quiet.
//!
//! There is no check in dark chess: a king that hangs is captured, which ends the game. So a player whose king is attacked can't be content with the
//! board as it is ("stand pat"), and all its moves are searched, beyond the full plies too.

use rules::{Move, PieceType};

use crate::bits::bit;
use crate::board::{Board, Wanted};
use crate::evaluation::{evaluate, worth};

/// The worth of a captured king: more than that of any board.
pub const WON: i32 = 30_000;
/// Captures are followed for so many plies after the full ones, and escapes of an attacked king for fewer.
const CAPTURES: u8 = 5;
const ESCAPES: u8 = 2;
/// What it costs to stand with an attacked king where nothing is searched any more.
const HANGING: i32 = 400;

/// Searches boards; keeps the lists of moves to use them again.
#[derive(Debug, Default)]
pub struct Search {
    lists: Vec<Vec<Move>>,
}

/// How early a move is searched: dear captures by cheap pieces first.
fn rank(board: &Board, mv: &Move) -> i32 {
    let victim = if board.other().all() & bit(mv.to) != 0 { board.other().piece(mv.to) } else { None };
    let gain = victim.map_or(0, |victim| 10 * worth(victim) - board.own().piece(mv.from).map_or(0, worth) / 100);
    -gain - mv.promotion.map_or(0, |piece| 10 * worth(piece))
}

impl Search {
    /// The worth of the board after a move to who made it, with `depth` plies searched in full, the move included.
    pub fn worth_of(&mut self, after: &Board, depth: u8) -> i32 {
        -self.value(after, i16::from(depth) - 1, 1, (-WON, WON))
    }

    /// The board's worth to its player to move, within a window. `depth` falls below zero where only captures are followed.
    fn value(&mut self, board: &Board, depth: i16, ply: u8, (mut alpha, beta): (i32, i32)) -> i32 {
        if board.can_capture_king() {
            return WON - i32::from(ply);
        }
        let is_attacked = board.is_king_attacked();
        let may_stand = depth <= 0 && !(is_attacked && depth > -i16::from(ESCAPES));
        let mut best = -WON;
        if may_stand {
            best = evaluate(board) - if is_attacked { HANGING } else { 0 };
            if best >= beta || depth <= -i16::from(CAPTURES) {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut moves = self.lists.pop().unwrap_or_default();
        moves.clear();
        board.add_moves(if may_stand { Wanted::Forcing } else { Wanted::All }, &mut moves);
        moves.sort_by_cached_key(|mv| rank(board, mv));
        for mv in &moves {
            let value = -self.value(&board.after(mv), depth - 1, ply.saturating_add(1), (-beta, -alpha));
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let has_move = !moves.is_empty();
        self.lists.push(moves);
        // Whoever has no move may claim a draw.
        if has_move || may_stand { best } else { 0 }
    }
}

/// Whether a move takes the king.
pub fn takes_king(board: &Board, mv: &Move) -> bool {
    board.capture(mv).is_some_and(|square| board.other().of_type(PieceType::King) & bit(square) != 0)
}
