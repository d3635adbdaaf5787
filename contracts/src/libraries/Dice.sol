// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {CommitReveal} from "./CommitReveal.sol";
import {HmacDrbg} from "./HmacDrbg.sol";

/// @title Dice
/// @notice The promise of a number, and from a seed to two fair dice. The Rust twins are
/// contest/src/dice/promise.rs and contest/src/dice/die.rs.
library Dice {
    using HmacDrbg for HmacDrbg.State;

    /// @dev Hashed with the number of a roll, what a promise is for.
    bytes32 internal constant TAG = keccak256("fogmate/dice/2");
    /// @dev Name and version of how a seed becomes two dice: the personalization string.
    bytes internal constant PRNG = "fogmate/dice/hmac-drbg-sha256/2";
    /// @dev Bytes from here on are refused: below it each side has as many.
    uint8 private constant LIMIT = 252;

    /// @notice What a player promises for a roll. A promise is for this player and this roll: copied or repeated it can't be opened.
    function promiseOf(address player, uint64 roll, uint256 number) internal pure returns (bytes32) {
        return CommitReveal.commitmentOf(keccak256(abi.encode(TAG, roll)), player, number);
    }

    /// @notice What the dice show, each 1 to 6: of the first two bytes below 252 that the generator gives, in requests of two, the
    /// remainders by 6, plus 1.
    function diceOf(uint256 seed, bytes32 gameId, uint64 roll) internal pure returns (uint8[2] memory dice) {
        HmacDrbg.State memory drbg = HmacDrbg.instantiate(abi.encodePacked(seed, gameId, uint256(roll), PRNG));
        bytes32 drawn = drbg.output();
        uint256 taken = 0;
        for (uint256 accepted = 0; accepted < 2; ++taken) {
            if (taken == 2) {
                drbg.conclude();
                (drawn, taken) = (drbg.output(), 0);
            }
            uint8 byte_ = uint8(drawn[taken]);
            if (byte_ < LIMIT) dice[accepted++] = byte_ % 6 + 1;
        }
    }
}
