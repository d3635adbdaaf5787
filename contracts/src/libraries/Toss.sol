// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title The coin toss for colours
/// @notice Both players commit to a share before either is known. Then the creator reveals, whom it costs nothing not to,
/// for nobody knows anything; then the joiner, who knows both and pays its stake to leave. So who knows the colours is
/// bound to them.
library Toss {
    /// @dev The first word of what a player commits to.
    bytes32 internal constant TAG = keccak256("fogmate/toss/1");

    /// @notice What a player commits to. Its address is in it, so nobody can reuse another's commitment.
    function commitmentOf(address player, uint256 share) internal pure returns (bytes32) {
        return keccak256(abi.encode(TAG, player, share));
    }

    /// @notice Whether the creator plays White.
    function creatorIsWhite(uint256 creatorShare, uint256 joinerShare, bytes32 gameId) internal pure returns (bool) {
        return uint256(keccak256(abi.encode(creatorShare, joinerShare, gameId))) & 1 == 0;
    }
}
