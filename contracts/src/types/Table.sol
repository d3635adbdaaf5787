// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Progress} from "./Progress.sol";

/// @dev Who plays, one word: | account 160 | stake 96 |
struct Seat {
    /// The player; at seat 1 of an open game, who may join it, zero for anyone.
    address account;
    /// What this player put in.
    uint96 stake;
}

/// @dev What a player has committed to, four words.
struct Side {
    uint256 commitment;
    /// Means nothing before the player's first move, see `PRIMED`.
    uint256 requestRoot;
    uint256 keyX;
    uint256 keyY;
}

/// @dev One game in storage, fourteen words; by seat, 0 the creator's and 1 the joiner's. A ply reads eleven of them and
/// writes four.
struct Table {
    Progress progress;
    /// Root of the answer on which the player to move relies. Means nothing before ply 2, see `PRIMED`.
    uint256 answerRoot;
    Side[2] sides;
    Seat[2] seats;
    /// The coin toss, cleared when it is decided.
    bytes32 tossCommitment;
    uint256 tossShare;
}

/// @dev Put into the roots' words when the game starts, because a word's first write costs 17,100 gas more than later
/// ones: so the first plies cost what all plies cost. It is never read as a root.
uint256 constant PRIMED = 1;
