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

/// @dev What a player is bound to, five words.
struct Commitments {
    /// Commitments to the player's states by turns: the one after its n-th move stands at n mod 2. So the state before
    /// its last move is kept, to which a sight after the opponent's move may still be owed, and no ply writes it anew.
    uint256[2] states;
    /// Root of the player's standing request for sight. Means nothing before its first move, see `PRIMED`.
    uint256 requestRoot;
    /// The key under which this player answers requests for sight, first coordinate; in mode `Unproven` the first word of what
    /// it registered for its sight engine.
    uint256 fogKeyX;
    /// The same key, second coordinate.
    uint256 fogKeyY;
}

/// @dev A demand for a sight or a claim, two words; one for each `IFogmate.Slot`. Whether it is open says `Progress`.
struct Demand {
    /// The last second in which it can be answered.
    uint40 deadline;
    /// What its owner put in, in wei; 0 once it is settled.
    uint96 bond;
    /// The colour of who made it.
    uint8 owner;
    /// The hash of the `IFogmate.Exchange`, 0 for a claim and once it is settled.
    bytes32 exchange;
}

/// @dev What was agreed and isn't read by a move, and what claims leave behind; one word.
struct Agreement {
    /// Each player's time for the game.
    uint24 base;
    /// Time to reveal a share of the coin toss.
    uint24 reveal;
    /// Last block time at which the game can be joined.
    uint40 expiry;
    /// By colour: the first ply at which it may claim fifty moves.
    uint16[2] claimsFrom;
}

/// @dev The public state of one game in storage; what each player has is indexed by its role. A ply reads eleven of its
/// words and writes four.
struct Table {
    /// What changes with every ply, packed.
    Progress progress;
    /// Root of the answer on which the player to move relies. Means nothing before ply 2, see `PRIMED`.
    uint256 answerRoot;
    Commitments[2] commitments;
    Stake[2] stakes;
    Agreement agreement;
    /// One demand for each `IFogmate.Slot`.
    Demand[3] demands;
    /// Commitments to the shares of the coin toss.
    bytes32[2] tossCommitments;
    /// The creator's share between the two reveals.
    uint256 tossShare;
}

/// @dev Put into words when the game starts, because a word's first write costs 17,100 gas more than later ones: so the
/// first plies cost what all plies cost. It is never read as a root or a commitment.
uint256 constant PRIMED = 1;
