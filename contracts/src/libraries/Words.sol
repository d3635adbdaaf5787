// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";

/// @title Status and outcome in words
/// @notice For `summary`: a block explorer shows an enum as a number.
library Words {
    /// @dev Characters of each word, the spaces behind it included.
    uint256 private constant WIDTH = 16;
    /// @dev How many words stand before those of `Outcome`.
    uint256 private constant STATUSES = uint256(type(IFogmate.Status).max) + 1;

    /// @notice Where a game stands.
    function named(IFogmate.Status status) internal pure returns (string memory) {
        return _word(uint256(status));
    }

    /// @notice How a game ended.
    function named(IFogmate.Outcome outcome) internal pure returns (string memory) {
        return _word(STATUSES + uint256(outcome));
    }

    /// @dev One of all words, which is cut out of them where they stand in memory.
    function _word(uint256 index) private pure returns (string memory text) {
        bytes memory words = "none            open            creator reveals joiner reveals  "
            "playing         over            asleep          none            "
            "cancelled       unrevealed      king captured   resigned        "
            "timed out       draw agreed     too long        unanswered      " "fifty moves     no move         ";
        uint256 start = WIDTH * index;
        uint256 length = WIDTH;
        while (words[start + length - 1] == " ") --length;
        assembly ("memory-safe") {
            text := add(words, start)
            mstore(text, length)
        }
    }
}
