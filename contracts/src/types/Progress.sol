// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";

/// @dev All of a game that changes with every ply, and what is read with it, in one storage word:
///
///   bits      0   8  16  32  48  56  57  58  60  62     64    104     136     168        192    216   240     256
///             | status | outcome | ply | quiet | pending | white | draw | keys | winner | - | since | clock 0 | clock 1 |
///             | increment | delay | base | unused |
///
///   status     0..8      IFogmate.Status
///   outcome    8..16     IFogmate.Outcome
///   ply       16..32     plies made
///   quiet     32..48     plies since the last capture; at most `ply`
///   pending   48..56     square of the last capture, 64 if none
///   white     56         the role that plays White
///   draw      57         the last move offered a draw
///   keys      58..60     a bit per role: its view key has been published
///   winner    60..62     role of the winner, 2 if none
///   since     64..104    time of the last change of turn
///   clocks   104..168    32 bits per role: seconds left at `since`
///   increment 168..192   seconds
///   delay    192..216    seconds
///   base     216..240    seconds
///
/// A *role* is 0 for the creator and 1 for the joiner, whichever colour it plays; `role ^ 1` is the opponent's.
type Progress is uint256;

using {
    status,
    outcome,
    ply,
    quietPlies,
    pending,
    whiteRole,
    drawOffered,
    viewKeyPublished,
    winnerRole,
    since,
    clock,
    increment,
    delay,
    base,
    roleToMove,
    isOpening,
    withStatus,
    withOutcome,
    withPly,
    withQuietPlies,
    withPending,
    withWhiteRole,
    withDrawOffered,
    withViewKeyPublished,
    withWinnerRole,
    withSince,
    withClock
} for Progress global;

/// @dev The role of the player who opened the game.
uint256 constant CREATOR = 0;
/// @dev The role of the player who joined it.
uint256 constant JOINER = 1;
/// @dev Stands for the winner's role when nobody has won.
uint256 constant NOBODY = 2;

/// @notice The word of a game that waits for an opponent; the three times are in seconds and must fit 24 bits.
function openProgress(uint256 base_, uint256 increment_, uint256 delay_) pure returns (Progress) {
    uint256 word =
        uint256(IFogmate.Status.Open) | (NOBODY << 60) | (increment_ << 168) | (delay_ << 192) | (base_ << 216);
    return Progress.wrap(word).withClock(CREATOR, base_).withClock(JOINER, base_);
}

function status(Progress p) pure returns (IFogmate.Status) {
    return IFogmate.Status(uint8(Progress.unwrap(p)));
}

function outcome(Progress p) pure returns (IFogmate.Outcome) {
    return IFogmate.Outcome(uint8(Progress.unwrap(p) >> 8));
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

function whiteRole(Progress p) pure returns (uint256) {
    return (Progress.unwrap(p) >> 56) & 1;
}

function drawOffered(Progress p) pure returns (bool) {
    return (Progress.unwrap(p) >> 57) & 1 == 1;
}

function viewKeyPublished(Progress p, uint256 role) pure returns (bool) {
    return (Progress.unwrap(p) >> (58 + role)) & 1 == 1;
}

function winnerRole(Progress p) pure returns (uint256) {
    return (Progress.unwrap(p) >> 60) & 3;
}

function since(Progress p) pure returns (uint256) {
    return uint40(Progress.unwrap(p) >> 64);
}

function clock(Progress p, uint256 role) pure returns (uint256) {
    return uint32(Progress.unwrap(p) >> (104 + 32 * role));
}

function increment(Progress p) pure returns (uint256) {
    return uint24(Progress.unwrap(p) >> 168);
}

function delay(Progress p) pure returns (uint256) {
    return uint24(Progress.unwrap(p) >> 192);
}

function base(Progress p) pure returns (uint256) {
    return uint24(Progress.unwrap(p) >> 216);
}

/// @notice The role of the player to move: White's on even plies.
function roleToMove(Progress p) pure returns (uint256) {
    return ((Progress.unwrap(p) >> 16) ^ (Progress.unwrap(p) >> 56)) & 1;
}

/// @notice Whether the ply to come is its player's first, which has no sight and needs none (protocol section 6).
function isOpening(Progress p) pure returns (bool) {
    return ply(p) < 2;
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

function withWhiteRole(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 56, 1, value);
}

function withDrawOffered(Progress p, bool value) pure returns (Progress) {
    return _set(p, 57, 1, value ? 1 : 0);
}

function withViewKeyPublished(Progress p, uint256 role) pure returns (Progress) {
    return _set(p, 58 + role, 1, 1);
}

function withWinnerRole(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 60, 2, value);
}

function withSince(Progress p, uint256 value) pure returns (Progress) {
    return _set(p, 64, 40, value);
}

function withClock(Progress p, uint256 role, uint256 value) pure returns (Progress) {
    return _set(p, 104 + 32 * role, 32, value);
}

/// @dev Bits of `value` above `width` are cut off, so that no field can ever spill into its neighbour.
function _set(Progress p, uint256 offset, uint256 width, uint256 value) pure returns (Progress) {
    uint256 mask = type(uint256).max >> (256 - width);
    return Progress.wrap((Progress.unwrap(p) & ~(mask << offset)) | ((value & mask) << offset));
}
