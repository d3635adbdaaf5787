// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {FIELD_ORDER, NO_SQUARE} from "../libraries/Field.sol";
import {Commitments} from "./Table.sol";

/// @dev The first word of every context.
bytes32 constant CTX_TAG = keccak256("fogmate/ctx/2");

/// @dev The phase of the sight that a player has before its move of a ply.
uint256 constant PRE = 0;
/// @dev The phase of the sight that a player has after its move of a ply.
uint256 constant POST = 1;

/// @dev What binds an exchange of sight to its chain, game, ply and boards (protocol section 5 and Encodings), in the order
/// in which it is hashed. In memory it is thirteen words in a row, as `abi.encode` would lay them out. Both boards are in
/// it, so that one request is never answered from two boards under one mask.
struct SightContext {
    /// `CTX_TAG`.
    bytes32 tag;
    uint256 chainId;
    /// The address of the game contract.
    address gameContract;
    bytes32 gameId;
    /// The ply of the receiver's move, in both phases.
    uint256 ply;
    /// `PRE` or `POST`.
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
    /// @notice ctx of the sight that `receiver` has in `phase` of ply `ply`. `pending` is the applied one, of the player to
    /// move: the receiver's before its move, the sender's after it.
    function ctxOf(
        bytes32 gameId,
        uint256 ply,
        uint256 phase,
        Commitments memory sender,
        Commitments memory receiver,
        uint256 pending
    ) internal view returns (uint256) {
        SightContext memory context = SightContext({
            tag: CTX_TAG,
            chainId: block.chainid,
            gameContract: address(this),
            gameId: gameId,
            ply: ply,
            phase: phase,
            senderCommitment: sender.commitment,
            pendingSender: phase == PRE ? NO_SQUARE : pending,
            receiverCommitment: receiver.commitment,
            pendingReceiver: phase == PRE ? pending : NO_SQUARE,
            fogKeyX: sender.fogKeyX,
            fogKeyY: sender.fogKeyY,
            requestRoot: receiver.requestRoot
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
