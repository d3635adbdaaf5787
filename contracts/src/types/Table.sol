// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Progress} from "./Progress.sol";

/// @dev Who plays and for what, one word: | account 160 | amount 96 |
struct Stake {
    /// The player; as the joiner of an open game, who may join it, zero for anyone.
    address account;
    /// What this player put in, in wei.
    uint96 amount;
}

/// @dev What a player is bound to, four words.
struct Commitments {
    /// Commitment to the player's state, 0 before the toss is decided.
    uint256 commitment;
    /// Root of the player's standing request for sight. Means nothing before its first move, see `PRIMED`.
    uint256 requestRoot;
    /// The key under which this player answers requests for sight, first coordinate.
    uint256 fogKeyX;
    /// The same key, second coordinate.
    uint256 fogKeyY;
}

/// @dev The public state of one game in storage, fourteen words; what each player has is indexed by its role. A ply reads
/// eleven of them and writes four.
struct Table {
    /// What changes with every ply, packed.
    Progress progress;
    /// Root of the answer on which the player to move relies. Means nothing before ply 2, see `PRIMED`.
    uint256 answerRoot;
    Commitments[2] commitments;
    Stake[2] stakes;
    /// The creator's half of the coin toss, hidden; cleared when the toss is decided.
    bytes32 tossCommitment;
    /// The joiner's half; cleared when the toss is decided.
    uint256 tossShare;
}

/// @dev Put into the roots' words when the game starts, because a word's first write costs 17,100 gas more than later
/// ones: so the first plies cost what all plies cost. It is never read as a root.
uint256 constant PRIMED = 1;
