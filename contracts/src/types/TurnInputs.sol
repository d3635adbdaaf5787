// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @dev The public inputs of *turn* in the verifier's order (protocol section 7, Encodings); all are field elements. In
/// memory they are thirteen words in a row.
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

using {pointer} for TurnInputs global;

/// @dev The number of words in `TurnInputs`.
uint256 constant TURN_INPUTS = 13;

/// @dev Where the inputs stand in memory: what `ProofGuard` takes.
function pointer(TurnInputs memory inputs) pure returns (uint256 start) {
    assembly ("memory-safe") {
        start := inputs
    }
}
