// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";

/// @dev All of a game that changes with every ply, and what is read with it, in one storage word:
///
///   bits      0   8  16  32  48  56  64  65  66  68  70  72  74  75  77  79     80    120     152     184        208   232    256
///             | status | outcome | ply | quiet | pending | previous | white | draw | keys | winner | hold | posts | pre |
///             | demanded | mode | - | since | clock 0 | clock 1 | increment | delay | window |
///
///   status     0..8      IFogmate.Status
///   outcome    8..16     IFogmate.Outcome
///   ply       16..32     plies made
///   quiet     32..48     plies since the last capture; at most `ply`
///   pending   48..56     square of the last capture, 64 if none
///   previous  56..64     what `pending` was before the last move
///   white     64         the role that plays White
///   draw      65         the last move offered a draw
///   keys      66..68     a bit per role: its view key has been published
///   winner    68..70     role of the winner, 2 if none
///   hold      70..72     IFogmate.Hold
///   posts     72..74     a bit per colour: its demand for the sight after a move is open
///   pre       74         the sight before the ply to come has been demanded
///   demanded  75..77     a bit per colour: it has demanded the sight after its latest move
///   mode      77..79     IFogmate.Mode
///   since     80..120    see IFogmate.Game
///   clocks   120..184    32 bits per role: seconds left at `since`, or when the hold began
///   increment 184..208   seconds
///   delay    208..232    seconds
///   window   232..256    seconds
///
/// Enums are read without the check of their range, which only values of their types are ever written to.
///
/// A *role* is 0 for the creator and 1 for the joiner, whichever colour it plays; `role ^ 1` is the opponent's.
type Progress is uint256;

using {
    status,
    outcome,
    ply,
    quietPlies,
    pending,
    previousPending,
    whiteRole,
    drawOffered,
    viewKeyPublished,
    winnerRole,
    hold,
    postOpen,
    preDemanded,
    postDemanded,
    mode,
    since,
    clock,
    increment,
    delay,
    window,
    roleToMove,
    roleOf,
    isOpening,
    movesOf,
    withStatus,
    withOutcome,
    withPly,
    withQuietPlies,
    withPending,
    withPreviousPending,
    withWhiteRole,
    withDrawOffered,
    withViewKeyPublished,
    withWinnerRole,
    withHold,
    withPostOpen,
    withPreDemanded,
    withPostDemanded,
    withSince,
    withClock
} for Progress global;

/// @dev The role of the player who opened the game.
uint256 constant CREATOR = 0;
/// @dev The role of the player who joined it.
uint256 constant JOINER = 1;
/// @dev Stands for the winner's role when nobody has won.
uint256 constant NOBODY = 2;

/// @notice The word of a game that waits for an opponent; the times are in seconds and must fit their bits.
function openProgress(IFogmate.Terms calldata terms) pure returns (Progress) {
    uint256 word = uint256(IFogmate.Status.Open) | (NOBODY << 68) | (uint256(terms.mode) << 77);
    word |= (uint256(terms.increment) << 184) | (uint256(terms.delay) << 208) | (uint256(terms.window) << 232);
    return Progress.wrap(word).withClock(CREATOR, terms.base).withClock(JOINER, terms.base);
}

function status(Progress p) pure returns (IFogmate.Status value) {
    assembly ("memory-safe") {
        value := and(shr(0, p), 255)
    }
}

function outcome(Progress p) pure returns (IFogmate.Outcome value) {
    assembly ("memory-safe") {
        value := and(shr(8, p), 255)
    }
}

function ply(Progress p) pure returns (uint256) {
    return uint16(Progress.unwrap(p) >> 16);
}

function quietPlies(Progress p) pure returns (uint256) {
    return uint16(Progress.unwrap(p) >> 32);
}

function pending(Progress p) pure returns (uint256) {
    return uint8(Progress.unwrap(p) >> 48);
}

function previousPending(Progress p) pure returns (uint256) {
    return uint8(Progress.unwrap(p) >> 56);
}

function whiteRole(Progress p) pure returns (uint256) {
    return (Progress.unwrap(p) >> 64) & 1;
}

function drawOffered(Progress p) pure returns (bool) {
    return _bit(p, 65);
}

function viewKeyPublished(Progress p, uint256 role) pure returns (bool) {
    return _bit(p, 66 + role);
}

function winnerRole(Progress p) pure returns (uint256) {
    return (Progress.unwrap(p) >> 68) & 3;
}

function hold(Progress p) pure returns (IFogmate.Hold value) {
    assembly ("memory-safe") {
        value := and(shr(70, p), 3)
    }
}

function postOpen(Progress p, uint256 color) pure returns (bool) {
    return _bit(p, 72 + color);
}

function preDemanded(Progress p) pure returns (bool) {
    return _bit(p, 74);
}

function postDemanded(Progress p, uint256 color) pure returns (bool) {
    return _bit(p, 75 + color);
}

function mode(Progress p) pure returns (IFogmate.Mode value) {
    assembly ("memory-safe") {
        value := and(shr(77, p), 3)
    }
}

function since(Progress p) pure returns (uint256) {
    return uint40(Progress.unwrap(p) >> 80);
}

function clock(Progress p, uint256 role) pure returns (uint256) {
    return uint32(Progress.unwrap(p) >> (120 + 32 * role));
}

function increment(Progress p) pure returns (uint256) {
    return uint24(Progress.unwrap(p) >> 184);
}

function delay(Progress p) pure returns (uint256) {
    return uint24(Progress.unwrap(p) >> 208);
}

function window(Progress p) pure returns (uint256) {
    return uint24(Progress.unwrap(p) >> 232);
}

/// @notice The role of the player to move: White's on even plies.
function roleToMove(Progress p) pure returns (uint256) {
    return ((Progress.unwrap(p) >> 16) ^ (Progress.unwrap(p) >> 64)) & 1;
}

/// @notice The role of a colour, and the colour of a role.
function roleOf(Progress p, uint256 color) pure returns (uint256) {
    return color ^ whiteRole(p);
}

/// @notice Whether the ply to come is its player's first, which has no sight and needs none (protocol section 6).
function isOpening(Progress p) pure returns (bool) {
    return ply(p) < 2;
}

/// @notice The number of moves that a colour has made.
function movesOf(Progress p, uint256 color) pure returns (uint256) {
    return (ply(p) + 1 - color) / 2;
}

function withStatus(Progress p, IFogmate.Status value) pure returns (Progress) {
    return _set(p, 0, 8, uint256(value));
}

function withOutcome(Progress p, IFogmate.Outcome value) pure returns (Progress) {
    return _set(p, 8, 8, uint256(value));
}

function withPly(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 16, 16, value);
}

function withQuietPlies(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 32, 16, value);
}

function withPending(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 48, 8, value);
}

function withPreviousPending(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 56, 8, value);
}

function withWhiteRole(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 64, 1, value);
}

function withDrawOffered(Progress p, bool value) pure returns (Progress) {
    return _set(p, 65, 1, value ? 1 : 0);
}

function withViewKeyPublished(Progress p, uint256 role) pure returns (Progress) {
    return _set(p, 66 + role, 1, 1);
}

function withWinnerRole(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 68, 2, value);
}

function withHold(Progress p, IFogmate.Hold value) pure returns (Progress) {
    return _set(p, 70, 2, uint256(value));
}

function withPostOpen(Progress p, uint256 color, bool value) pure returns (Progress) {
    return _set(p, 72 + color, 1, value ? 1 : 0);
}

function withPreDemanded(Progress p, bool value) pure returns (Progress) {
    return _set(p, 74, 1, value ? 1 : 0);
}

function withPostDemanded(Progress p, uint256 color, bool value) pure returns (Progress) {
    return _set(p, 75 + color, 1, value ? 1 : 0);
}

function withSince(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 80, 40, value);
}

function withClock(Progress p, uint256 role, uint256 value) pure returns (Progress) {
    return _set(p, 120 + 32 * role, 32, value);
}

function _bit(Progress p, uint256 offset) pure returns (bool) {
    return (Progress.unwrap(p) >> offset) & 1 == 1;
}

/// @dev Bits of `value` above `width` are cut off, so that no field can ever spill into its neighbour.
function _set(Progress p, uint256 offset, uint256 width, uint256 value) pure returns (Progress) {
    uint256 mask = type(uint256).max >> (256 - width);
    return Progress.wrap((Progress.unwrap(p) & ~(mask << offset)) | ((value & mask) << offset));
}
