//! What values of `rules` look like in JSON, for the schema alone.

#![allow(dead_code, reason = "only their schemas are used")]

use schemars::JsonSchema;

/// The color that a player has.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum Color {
    White,
    Black,
}

/// A kind of piece.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum Piece {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// A player's own pieces and rights.
#[derive(JsonSchema)]
pub struct Side {
    color: Color,
    /// 64 characters from a1, b1 to h8: `p`, `n`, `b`, `r`, `q`, `k`, or `.` for a square without an own piece.
    pieces: String,
    /// The castlings that neither the king nor that rook has lost by moving.
    rights: Rights,
    /// The file, 0 to 7, of the own last move if it was a pawn's by two squares.
    double_push: Option<u8>,
    /// Own moves since the own last pawn move.
    since_pawn: u8,
}

/// Whether a player may still castle on either side.
#[derive(JsonSchema)]
pub struct Rights {
    king_side: bool,
    queen_side: bool,
}

/// What the own pieces see of the opponent.
#[derive(JsonSchema)]
pub struct Sight {
    /// 64 characters from a1, b1 to h8: `*` for a square in the dark, `.` for one that is seen and has no piece of the opponent, `?` for one that is
    /// occupied by a piece of unknown kind, else the opponent's piece.
    squares: String,
    /// The square on which one of the own pawns may capture *en passant*.
    en_passant: Option<String>,
}
