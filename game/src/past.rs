//! A ply that was made, as one of the two players knows it.

use rules::{Move, PieceType, Square};
use serde::{Deserialize, Serialize};

/// A ply that is final. Of the opponent's a player knows where it captured, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    /// Its number, from 0.
    pub ply: u16,
    /// Whether this player has made it.
    pub own: bool,
    /// The move, if this player has made it and its wallet finds it.
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    /// What moved, if this player has made it; a pawn that is promoted is a pawn.
    pub piece: Option<PieceType>,
    /// On which square it captured.
    pub capture: Option<Square>,
    /// What it captured there: the own piece that was lost, or the opponent's as far as this machine remembers its sight.
    pub captured: Option<PieceType>,
    /// Whether a draw was offered with it.
    pub draw_offered: bool,
}
