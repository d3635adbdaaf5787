// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title The coin toss for colours
/// @notice Protocol section 8: the creator commits to a share, the joiner names its own, the creator opens. Neither can
/// steer the outcome; the creator can only walk away from it, which forfeits the game.
library Toss {
    /// @dev How long the creator has to open its share after its opponent joined.
    uint256 internal constant WINDOW = 1 hours;

    /// @notice What the creator commits to. Its address is in it, so nobody can reuse another's commitment.
    function commitmentOf(uint256 r1, address creator) internal pure returns (bytes32) {
        return keccak256(abi.encode(r1, creator));
    }

    /// @notice Whether the creator plays White.
    function creatorIsWhite(uint256 r1, uint256 r2) internal pure returns (bool) {
        return uint256(keccak256(abi.encode(r1, r2))) & 1 == 0;
    }
}
