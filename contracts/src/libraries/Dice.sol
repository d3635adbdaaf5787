// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {CommitReveal} from "./CommitReveal.sol";
import {HmacDrbg} from "./HmacDrbg.sol";

/// @title Dice
/// @notice The promise of a number, and from a seed to a fair die. The Rust twins are
/// contest/src/dice/promise.rs and contest/src/dice/die.rs.
library Dice {
    using HmacDrbg for HmacDrbg.State;

    /// @dev Hashed with the number of a roll, what a promise is for.
    bytes32 internal constant TAG = keccak256("fogmate/dice/1");
    /// @dev Name and version of how a seed becomes a die: the personalization string.
    bytes internal constant PRNG = "fogmate/dice/hmac-drbg-sha256/1";
    /// @dev Bytes from here on are refused: below it each side has as many.
    uint256 private constant LIMIT = 252;

    /// @notice What a player promises for a roll. A promise is for this player and this roll: copied or repeated it can't be opened.
    function promiseOf(address player, uint64 roll, uint256 number) internal pure returns (bytes32) {
        return CommitReveal.commitmentOf(keccak256(abi.encode(TAG, roll)), player, number);
    }

    /// @notice What a die shows, 1 to 6: the first byte below 252 that the generator gives, its remainder by 6, plus 1.
    function dieOf(uint256 seed, bytes32 gameId, uint64 roll) internal pure returns (uint8) {
        HmacDrbg.State memory drbg = HmacDrbg.instantiate(abi.encodePacked(seed, gameId, uint256(roll), PRNG));
        uint256 drawn = uint256(drbg.output()) >> 248;
        while (drawn >= LIMIT) {
            drbg.conclude();
            drawn = uint256(drbg.output()) >> 248;
        }
        // casting to 'uint8' is safe because it is at most 6
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint8(drawn % 6 + 1);
    }
}
