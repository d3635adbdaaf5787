// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Progress} from "./Progress.sol";

/// @dev One player's side of a game in storage, five words:
///
///   0  | account 160 | stake 96 |
///   1  | commitment  |   2  | requestRoot |   3  | keyX |   4  | keyY |
struct Seat {
    /// The player; at seat 1 of an open game, who may join it, zero for anyone.
    address account;
    /// What this player put in.
    uint96 stake;
    uint256 commitment;
    uint256 requestRoot;
    uint256 keyX;
    uint256 keyY;
}

/// @dev One game in storage, fourteen words. A ply reads eleven of them and writes four.
struct Table {
    Progress progress;
    /// Root of the answer on which the player to move relies.
    uint256 answerRoot;
    /// Seat 0 the creator's, seat 1 the joiner's.
    Seat[2] seats;
    /// The coin toss, cleared when it is decided.
    bytes32 tossCommitment;
    uint256 tossShare;
}
