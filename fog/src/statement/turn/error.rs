//! The relations of *turn* by name (protocol section 7): what a check refuses a statement for.
//!
//! Errors of messages are not here: those never reach a statement.

use rules::Square;

/// Which relation of *turn* doesn't hold. Indices count the opened squares, the viewer being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// A number of the private state doesn't fit its bits.
    #[error("the state doesn't fit its encoding")]
    StateRange,
    /// The commitment doesn't open to state and salt.
    #[error("the commitment doesn't open to this state and salt")]
    Commitment,
    /// No own piece on the square that the move leaves.
    #[error("no own piece stands on the square that the move leaves")]
    NoPiece,
    /// An own piece on the target.
    #[error("an own piece stands on the target")]
    OwnPieceOnTarget,
    /// The piece doesn't move that way.
    #[error("the piece doesn't move that way")]
    Geometry,
    /// A promotion that is missing, out of place, or to a pawn or king.
    #[error("a pawn promotes only and always on the last rank, to knight, bishop, rook or queen")]
    Promotion,
    /// Castling without the right.
    #[error("the right to castle on that side is gone")]
    CastlingRight,
    /// Castling without a rook in the corner.
    #[error("no rook stands in the corner to castle with")]
    CastlingRook,
    /// In an opening ply another move than a pawn's push or a knight's.
    #[error("the first move of a side is a pawn's push or a knight's move")]
    OpeningMove,
    /// Too many or too few squares opened.
    #[error("the move doesn't need this number of opened squares")]
    OpenedCount,
    /// An opened square that is not the one the move needs.
    #[error("opened square {0} is not the one that the move needs")]
    OpenedSquare(usize),
    /// The choice is not the viewer's type; elsewhere, not none.
    #[error("the choice of opened square {0} is not what it must be")]
    Choice(usize),
    /// The scalar of an opened square is zero.
    #[error("the scalar of opened square {0} is zero")]
    ZeroScalar(usize),
    /// The point of an opened square is not in the request.
    #[error("the point of opened square {0} is not in the request")]
    RequestPath(usize),
    /// The record of an opened square is not in the answer.
    #[error("the record of opened square {0} is not in the answer")]
    AnswerPath(usize),
    /// What a pawn, knight or king sees has too many bits.
    #[error("the unmasked payload has too many bits")]
    PayloadRange,
    /// Something stands on a square that the piece crosses.
    #[error("something stands on crossed square {0}")]
    Blocked(usize),
    /// Something stands ahead of the pawn.
    #[error("something stands ahead of the pawn")]
    PawnBlocked,
    /// Something stands two ahead of the pawn.
    #[error("something stands on the target of the double push")]
    DoublePushBlocked,
    /// A pawn moves diagonally with nothing to capture there or beside it.
    #[error("the pawn has nothing to capture there")]
    NothingToCapture,
    /// The public capture square is not where the move captures.
    #[error("the capture square is not the one of the move")]
    Capture,
    /// The king flag doesn't say whether a king fell.
    #[error("the king flag doesn't say whether a king fell")]
    KingFlag,
    /// The next commitment doesn't commit to the next state.
    #[error("the next commitment is not that of the next state")]
    NextCommitment,
    /// A scalar of the next request is zero.
    #[error("the scalar of {0} in the next request is zero")]
    NextScalar(Square),
    /// The root of the next request is not that of the next state's.
    #[error("the root of the next request is not that of the next state's request")]
    NextRequestRoot,
}
