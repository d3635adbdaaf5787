// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Side} from "../types/Table.sol";
import {FIELD_ORDER, NO_SQUARE} from "./Field.sol";

/// @dev What a sight is bound to, in the order in which it is hashed. In memory it is thirteen words in a row, as
/// `abi.encode` would lay them out.
struct Sight {
    bytes32 tag;
    uint256 chainId;
    address game;
    bytes32 gameId;
    /// The receiver's ply, in both phases.
    uint256 ply;
    /// 0 before the receiver's move of this ply, 1 after it.
    uint256 phase;
    uint256 senderCommitment;
    uint256 senderPending;
    uint256 receiverCommitment;
    uint256 receiverPending;
    uint256 senderKeyX;
    uint256 senderKeyY;
    uint256 requestRoot;
}

/// @title The context of a sight
/// @notice Protocol section 5 and Encodings: ctx = keccak256(abi.encode(TAG, chain id, contract, game id, ply, phase, C_s,
/// pending_s, C_r, pending_r, A_s.x, A_s.y, requestRoot)) mod |F|. It binds both boards, so that one request is never
/// answered from two boards under one mask. `pending` is the applied one: of the player to move, who is the receiver in
/// phase 0 and the sender in phase 1.
library FogContext {
    bytes32 internal constant TAG = keccak256("fogmate/ctx/2");

    /// @notice Of the sight that `receiver` has before its move of ply `ply`.
    function beforeMove(bytes32 gameId, uint256 ply, Side memory sender, Side memory receiver, uint256 pending)
        internal
        view
        returns (uint256)
    {
        Sight memory sight = _sight(gameId, ply, sender, receiver);
        sight.senderPending = NO_SQUARE;
        sight.receiverPending = pending;
        return hash(sight);
    }

    /// @notice Of the sight that `receiver` has after its move of ply `ply`.
    function afterMove(bytes32 gameId, uint256 ply, Side memory sender, Side memory receiver, uint256 pending)
        internal
        view
        returns (uint256)
    {
        Sight memory sight = _sight(gameId, ply, sender, receiver);
        sight.phase = 1;
        sight.senderPending = pending;
        sight.receiverPending = NO_SQUARE;
        return hash(sight);
    }

    /// @notice Hashes `sight` into the field.
    function hash(Sight memory sight) internal pure returns (uint256 context) {
        assembly ("memory-safe") {
            context := mod(keccak256(sight, 416), FIELD_ORDER)
        }
    }

    function _sight(bytes32 gameId, uint256 ply, Side memory sender, Side memory receiver)
        private
        view
        returns (Sight memory sight)
    {
        sight.tag = TAG;
        sight.chainId = block.chainid;
        sight.game = address(this);
        sight.gameId = gameId;
        sight.ply = ply;
        sight.senderCommitment = sender.commitment;
        sight.receiverCommitment = receiver.commitment;
        sight.senderKeyX = sender.keyX;
        sight.senderKeyY = sender.keyY;
        sight.requestRoot = receiver.requestRoot;
    }
}
