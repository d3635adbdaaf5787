// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title The board of Snakes and Ladders
/// @notice Milton Bradley's, as studied by Althoen, King and Schilling, The Mathematical Gazette 77 (1993), 71-76. Square 100 must be
/// reached exactly: a die that is too high leaves the player where it is. The Rust twin is contest/src/dice/board.rs.
library SnakesAndLadders {
    /// @dev The last square.
    uint8 internal constant GOAL = 100;

    /// @notice Where a die leads from a square, 0 being before the first.
    function afterDie(uint8 square, uint8 die) internal pure returns (uint8) {
        uint8 reached = square + die;
        return reached > GOAL ? square : _otherEnd(reached);
    }

    /// @dev The top of a ladder from its foot, the tail of a snake from its head; else the square itself.
    function _otherEnd(uint8 square) private pure returns (uint8) {
        if (square == 1) return 38;
        if (square == 4) return 14;
        if (square == 9) return 31;
        if (square == 16) return 6;
        if (square == 21) return 42;
        if (square == 28) return 84;
        if (square == 36) return 44;
        if (square == 47) return 26;
        if (square == 49) return 11;
        if (square == 51) return 67;
        if (square == 56) return 53;
        if (square == 62) return 19;
        if (square == 64) return 60;
        if (square == 71) return 91;
        if (square == 80) return 100;
        if (square == 87) return 24;
        if (square == 93) return 73;
        if (square == 95) return 75;
        if (square == 98) return 78;
        return square;
    }
}
