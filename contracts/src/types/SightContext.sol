// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../libraries/Field.sol";

/// @dev The first word of every context.
bytes32 constant CTX_TAG = keccak256("fogmate/ctx/2");

/// @dev What binds an exchange of sight to its chain, game, ply and boards (protocol section 5 and Encodings), in the order
/// in which it is hashed. In memory it is thirteen words in a row, as `abi.encode` would lay them out. Both boards are in
/// it, so that one request is never answered from two boards under one mask.
struct SightContext {
    /// The constant `CTX_TAG`, which tells this hash from others.
    bytes32 tag;
    uint256 chainId;
    /// The address of the game contract.
    address gameContract;
    bytes32 gameId;
    /// The ply of the receiver's move, in both phases.
    uint256 ply;
    /// 0 before the receiver's move, 1 after it.
    uint256 phase;
    /// The sender's commitment on chain, from which its pending square is not yet removed.
    uint256 senderCommitment;
    /// The sender's applied pending square; 64 before the receiver's move.
    uint256 pendingSender;
    /// The receiver's commitment on chain, from which its pending square is not yet removed.
    uint256 receiverCommitment;
    /// The receiver's applied pending square; 64 after the receiver's move.
    uint256 pendingReceiver;
    /// The sender's fog key, first coordinate.
    uint256 fogKeyX;
    /// The sender's fog key, second coordinate.
    uint256 fogKeyY;
    /// Root of the receiver's request.
    uint256 requestRoot;
}

using {SightContexts.ctx} for SightContext global;

/// @title The contexts of sights
library SightContexts {
    /// @notice The context of an exchange, whose own `ctx` is not read.
    /// @param receiverCommitment The receiver's commitment on chain.
    /// @param fogKey The sender's fog key.
    function ctxOf(
        bytes32 gameId,
        IFogmate.Exchange memory exchange,
        uint256 receiverCommitment,
        IFogmate.Point memory fogKey
    ) internal view returns (uint256) {
        SightContext memory context = SightContext({
            tag: CTX_TAG,
            chainId: block.chainid,
            gameContract: address(this),
            gameId: gameId,
            ply: exchange.ply,
            phase: uint256(exchange.phase),
            senderCommitment: exchange.commitment,
            pendingSender: exchange.pendingSender,
            receiverCommitment: receiverCommitment,
            pendingReceiver: exchange.pendingReceiver,
            fogKeyX: fogKey.x,
            fogKeyY: fogKey.y,
            requestRoot: exchange.requestRoot
        });
        return context.ctx();
    }

    /// @notice The context as a field element: `keccak256(abi.encode(context)) mod |F|`.
    function ctx(SightContext memory context) internal pure returns (uint256 element) {
        assembly ("memory-safe") {
            element := mod(keccak256(context, 416), FIELD_ORDER)
        }
    }
}
