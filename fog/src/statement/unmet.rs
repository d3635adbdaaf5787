//! The relations of all statements by name (protocol section 7): what a check refuses a statement for.

use crate::engine::sight_lines::{answer::WireError, request::RequestError};
use rules::Square;

/// Which relation of a statement doesn't hold. Numbers count the opened squares from 0, of which *turn* has one before the others,
/// the viewer's; in *own step* they count the crossed squares from 1, and those of [`Unmet::Element`] the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the statement doesn't hold: {self:?}")]
pub enum Unmet {
    /// A number of the private state doesn't fit its bits.
    StateRange,
    /// The commitment doesn't open to state and salt.
    Commitment,
    /// No own piece stands on the square that the move leaves.
    NoPiece,
    /// The move's target has an own piece on it.
    OwnPieceOnTarget,
    /// The piece doesn't move that way.
    Geometry,
    /// A promotion that is missing, out of place, or to a pawn or king.
    Promotion,
    /// The right to castle on that side is gone.
    CastlingRight,
    /// No rook stands in the corner to castle with.
    CastlingRook,
    /// In an opening ply the move is neither a pawn's push nor a knight's.
    OpeningMove,
    /// Too many or too few squares are opened.
    OpenedCount,
    /// The opened square is not one that is needed, or was opened before.
    OpenedSquare(usize),
    /// The choice of the opened square is not the viewer's type, or elsewhere not none.
    Choice(usize),
    /// The scalar of the opened square is zero.
    ZeroScalar(usize),
    /// The point of the opened square is not in the request.
    RequestPath(usize),
    /// The record of the opened square is not in the answer.
    AnswerPath(usize),
    /// What a pawn, knight or king on the opened square sees has too many bits.
    PayloadRange(usize),
    /// Something stands on a square that the piece crosses.
    Blocked(usize),
    /// Something stands ahead of the pawn.
    PawnBlocked,
    /// Something stands on the target of the double push.
    DoublePushBlocked,
    /// A pawn moves diagonally with nothing to capture there or beside it.
    NothingToCapture,
    /// The public capture square is not where the move captures.
    Capture,
    /// The king flag doesn't say whether a king fell.
    KingFlag,
    /// The next commitment doesn't commit to the next state.
    NextCommitment,
    /// The root of the next request is not that of the next state's.
    NextRequestRoot,
    /// Of *no move*: the piece on the first square can step onto the second, where no own piece stands.
    Step(Square, Square),
    /// Of *no move*: there are more pawns than a side can have.
    TooManyPawns,
    /// Of *no move*: the pawn sees something that it can capture.
    Captures(Square),
    /// Of *no move*: the pawn can capture *en passant*.
    EnPassant(Square),
    /// Of *no move*: nothing stands ahead of the pawn.
    Advances(Square),
    /// Of *fifty*: the counter says otherwise than the public bit.
    Bit,
    /// Of an answer: the board is one of the receiver's color.
    Color,
    /// The fog key is not `a·g`.
    FogKey,
    /// The request can't be answered, or the next one can't be made.
    Request(#[from] RequestError),
    /// The elements have another number, or no place in records.
    Wire(#[from] WireError),
    /// The element is not what board, secret, request and `ctx` make it.
    Element(usize),
    /// The request's root is not the points'.
    RequestRoot,
    /// The answer's root is not that of what the board makes.
    AnswerRoot,
    /// The words in calldata have another value at `z`.
    Value,
}
