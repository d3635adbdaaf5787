// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {FIELD_ORDER} from "./Field.sol";

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
/// answered from two boards under one mask. Which values belong into it is the caller's knowledge.
library FogContext {
    bytes32 internal constant TAG = keccak256("fogmate/ctx/2");

    /// @notice Hashes `sight` into the field.
    function hash(Sight memory sight) internal pure returns (uint256 context) {
        assembly ("memory-safe") {
            context := mod(keccak256(sight, 416), FIELD_ORDER)
        }
    }
}
