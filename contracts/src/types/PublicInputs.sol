// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The public inputs of the statements that the contract verifies, in the verifiers' order (protocol section 7, Encodings).
// All are field elements; in memory each struct is as many words in a row as it has fields.

/// @dev The number of public inputs of the narrow verifier; a statement with fewer has zeros behind its own.
uint256 constant NARROW_INPUTS = 13;
/// @dev The number of public inputs of the wide verifier.
uint256 constant WIDE_INPUTS = 12;

/// @dev *turn*: the move is legal by the posted answer, and the next request is for the board after it.
struct TurnInputs {
    /// The mover's commitment before the move, C.
    uint256 commitment;
    /// The square on which the last move captured a piece of the mover, 64 if none.
    uint256 pending;
    /// The mover's commitment after the move, C'.
    uint256 nextCommitment;
    /// Root of the mover's request for the sight that it moves by; 0 in the opening, which has none.
    uint256 requestRoot;
    /// Root of the opponent's answer to that request; 0 in the opening.
    uint256 answerRoot;
    /// ctx of that sight, see `SightContext`; 0 in the opening.
    uint256 context;
    /// The opponent's fog key, first coordinate.
    uint256 fogKeyX;
    /// The opponent's fog key, second coordinate.
    uint256 fogKeyY;
    /// Root of the mover's request for sight from its board after the move.
    uint256 nextRequestRoot;
    /// The mover's colour: 0 White, 1 Black.
    uint256 color;
    /// 1 on plies 0 and 1, else 0.
    uint256 opening;
    /// The square on which the move captures (en passant: the captured pawn's), 64 if none.
    uint256 capture;
    /// 1 if the captured piece is the king, else 0.
    uint256 kingFell;
}

/// @dev *request data*: the points published are those of the request.
struct RequestDataInputs {
    /// Root of the request.
    uint256 requestRoot;
    /// Where the points' polynomial is evaluated, see `Binding`.
    uint256 z;
    /// The value of the polynomial at `z`.
    uint256 y;
}

/// @dev *fifty*: how many moves without capture or pawn move the committed state counts.
struct FiftyInputs {
    uint256 commitment;
    /// 1 if it is fifty at least, else 0.
    uint256 atLeastFifty;
}

/// @dev *no move*: by the posted answer, the committed state has no move.
struct NoMoveInputs {
    /// The commitment of the player to move.
    uint256 commitment;
    /// The square on which it lost a piece last, 64 if none.
    uint256 pending;
    /// Root of its request for the sight that it would move by.
    uint256 requestRoot;
    /// Root of the opponent's answer to that request.
    uint256 answerRoot;
    /// ctx of that sight.
    uint256 context;
    /// The opponent's fog key, first coordinate.
    uint256 fogKeyX;
    /// The opponent's fog key, second coordinate.
    uint256 fogKeyY;
    /// The colour of the player to move: 0 White, 1 Black.
    uint256 color;
}

/// @dev *answer*, in its on-chain form: the elements published are what the sender's board makes them.
struct AnswerInputs {
    uint256 commitment;
    /// The square on which the sender lost a piece, if the sight is after the receiver's move; else 64.
    uint256 pendingSender;
    /// The sender's fog key, first coordinate.
    uint256 fogKeyX;
    /// The sender's fog key, second coordinate.
    uint256 fogKeyY;
    /// ctx of the sight.
    uint256 context;
    /// The receiver's colour: 0 White, 1 Black.
    uint256 receiver;
    /// 0 before the receiver's move, 1 after it.
    uint256 phase;
    /// The square on which the receiver lost a piece, if the sight is before its move; else 64.
    uint256 pendingReceiver;
    /// Root of the receiver's request.
    uint256 requestRoot;
    /// Root over the records of the answer.
    uint256 answerRoot;
    /// Where the elements' polynomial is evaluated, see `Binding`.
    uint256 z;
    /// The value of the polynomial at `z`.
    uint256 y;
}
