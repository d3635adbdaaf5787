//! A board as one player may see it (protocol, section 2 and section 6, step 2).

use fog::engine::Phase;
use rules::{Move, Side, Sight};

/// A board to be shown: own pieces, and what they see of the opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The ply of the own move that this is the sight before or after.
    pub ply: u16,
    /// Before or after it; always proven.
    pub phase: Phase,
    /// Own pieces and rights.
    pub side: Side,
    /// What they see; nothing on a player's first move.
    pub sight: Option<Sight>,
    /// The moves to choose from, if it is one's turn.
    pub legal: Vec<Move>,
}
