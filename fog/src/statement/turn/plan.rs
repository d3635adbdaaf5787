//! What kind of move a move is, and which squares it needs to see (protocol section 7, *Turn*).
//!
//! Geometry, castling rights and promotions are decided here from the own board alone; what stands on the squares of the
//! plan is decided by [`super::check()`] from the opened records. This is not a move generator.

use crate::{engine::sight_lines::geometry::knight_target, statement::Unmet};
use rules::{
    Color, Move, PieceType, Side, Square,
    castling::Wing,
    geometry::{FIRST_DIAGONAL, ahead, line, pawn_attacks, ray, two_ahead},
};

/// A move by the way it is seen to be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A bishop's, rook's or queen's move in direction `d`.
    Slide(usize),
    /// A knight's move to its target number `index`.
    Leap(usize),
    /// A king's step in direction `d`.
    Step(usize),
    /// Castling; the rook looks in direction `d`.
    Castle(usize),
    /// A pawn's step ahead.
    Push,
    /// A pawn's double step.
    DoublePush,
    /// A pawn's capture, en passant or not: 0 toward file a, 1 toward file h.
    PawnCapture(usize),
}

/// A move's kind and the squares to open, the viewer first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The kind of move.
    pub kind: MoveKind,
    /// Whose sight is used: the moving piece's square, for castling the rook's corner.
    pub viewer: Square,
    /// The type of the piece there: its choice in the request.
    pub viewer_type: PieceType,
    /// The squares whose pass is needed, outwards from the viewer.
    pub passes: Vec<Square>,
}

/// MoveKind, viewer and passes.
type Shape = (MoveKind, Square, Vec<Square>);

impl Plan {
    /// The plan of a move of `board`, the own side with the captured piece removed.
    pub fn new(board: &Side, mv: &Move) -> Result<Self, Unmet> {
        let piece = board.piece(mv.from).ok_or(Unmet::NoPiece)?;
        ensure!(board.piece(mv.to).is_none(), Unmet::OwnPieceOnTarget);
        let plan = match piece {
            PieceType::Pawn => Self::pawn(board.color, mv),
            PieceType::King => Self::king(board, mv)?,
            PieceType::Knight => (0..8)
                .find(|index| knight_target(mv.from, *index) == Some(mv.to))
                .map(|index| (MoveKind::Leap(index), mv.from, Vec::new())),
            PieceType::Bishop | PieceType::Rook | PieceType::Queen => Self::slide(piece, mv),
        };
        let (kind, viewer, passes) = plan.ok_or(Unmet::Geometry)?;
        check_promotion(board.color, piece, mv)?;
        let viewer_type = match kind {
            MoveKind::Castle(_) => PieceType::Rook,
            _ => piece,
        };
        Ok(Self { kind, viewer, viewer_type, passes })
    }

    fn slide(piece: PieceType, mv: &Move) -> Option<Shape> {
        let (d, distance) = line(mv.from, mv.to)?;
        let allowed = if d < FIRST_DIAGONAL { piece.is_orthogonal_slider() } else { piece.is_diagonal_slider() };
        let squares = ray(mv.from, d).take(distance.into()).collect();
        allowed.then_some((MoveKind::Slide(d), mv.from, squares))
    }

    fn pawn(color: Color, mv: &Move) -> Option<Shape> {
        let one = ahead(mv.from, color)?;
        if mv.to == one {
            return Some((MoveKind::Push, mv.from, Vec::new()));
        }
        if two_ahead(mv.from, color) == Some(mv.to) {
            return Some((MoveKind::DoublePush, mv.from, vec![one]));
        }
        let side = pawn_attacks(mv.from, color).iter().position(|target| *target == Some(mv.to))?;
        Some((MoveKind::PawnCapture(side), mv.from, Vec::new()))
    }

    fn king(board: &Side, mv: &Move) -> Result<Option<Shape>, Unmet> {
        let Some((d, distance)) = line(mv.from, mv.to) else {
            return Ok(None);
        };
        if distance == 1 {
            return Ok(Some((MoveKind::Step(d), mv.from, Vec::new())));
        }
        let color = board.color;
        let wing = Wing::ALL.into_iter().find(|wing| (mv.from, mv.to) == (Wing::king_from(color), wing.king_to(color)));
        let Some(wing) = wing else {
            return Ok(None);
        };
        ensure!(board.rights.has(wing), Unmet::CastlingRight);
        let corner = wing.rook_from(color);
        ensure!(board.piece(corner) == Some(PieceType::Rook), Unmet::CastlingRook);
        let squares = wing.between(color).collect();
        Ok(line(corner, mv.from).map(|(d, _)| (MoveKind::Castle(d), corner, squares)))
    }
}

/// Only and always on the last rank, to knight, bishop, rook or queen.
fn check_promotion(color: Color, piece: PieceType, mv: &Move) -> Result<(), Unmet> {
    let promotes = piece == PieceType::Pawn && mv.to.rank() == color.promotion_rank();
    let right = match mv.promotion {
        None => !promotes,
        Some(PieceType::Pawn | PieceType::King) => false,
        Some(_) => promotes,
    };
    if right { Ok(()) } else { Err(Unmet::Promotion) }
}
