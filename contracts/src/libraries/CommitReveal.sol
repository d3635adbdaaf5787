// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title Commit and reveal
/// @notice A player binds itself to a share before it sees another's, and shows it afterwards (Blum, Coin flipping by telephone, 1981).
/// The Rust twin is fog/src/commit_reveal.rs, which serves the dice and the coin toss for colours.
/// @dev Toss.sol has the formula written out: calling this one would lay out the code of the deployed game contract anew, and its
/// hash is pinned. A test holds both together.
library CommitReveal {
    /// @notice What a player commits to. The tag says what the share is for, so that it opens nothing else; the player's
    /// address is in it, so that nobody can reuse another's commitment.
    /// @param share 256 bits that nobody can guess.
    function commitmentOf(bytes32 tag, address player, uint256 share) internal pure returns (bytes32) {
        return keccak256(abi.encode(tag, player, share));
    }
}
