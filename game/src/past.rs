//! A ply that was made, as one of the two players knows it.

use crate::notice::shape;
use rules::{Move, PieceType, Square};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A ply that is final. Of the opponent's a player knows where it captured, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Past {
    /// Its number, from 0.
    pub ply: u16,
    /// Whether this player has made it.
    pub own: bool,
    /// The move, if this player has made it and its wallet finds it.
    #[serde(rename = "move")]
    #[schemars(with = "Option<String>")]
    pub mv: Option<Move>,
    /// What moved, if this player has made it; a pawn that is promoted is a pawn.
    #[schemars(with = "Option<shape::Piece>")]
    pub piece: Option<PieceType>,
    /// On which square it captured.
    #[schemars(with = "Option<String>")]
    pub capture: Option<Square>,
    /// What it captured there: the own piece that was lost, or the opponent's as far as this machine remembers its sight.
    #[schemars(with = "Option<shape::Piece>")]
    pub captured: Option<PieceType>,
    /// Whether a draw was offered with it.
    pub draw_offered: bool,
}
