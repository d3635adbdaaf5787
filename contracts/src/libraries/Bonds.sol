// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title What a demand or a claim costs, and who pays
/// @notice Whose fault it is that a sight didn't arrive can't be told on chain, so of an exchange each pays half: a right
/// answer earns half of what answering costs more than demanding. Who claims fifty moves wrongly pays for being corrected.
/// Paid by the base fee of the answer's block, at most the bond; the rest goes back. Gas is a constant, never measured
/// while running, which the paid could steer.
library Bonds {
    /// @dev Half of what `answerSight` takes more gas than `demandSight`.
    uint256 internal constant ANSWER_GAS = 430_000;
    /// @dev What `respondFifty` takes.
    uint256 internal constant RESPOND_GAS = 460_000;
    /// @dev How far the base fee may rise until the answer, and the bond still pays.
    uint256 internal constant RISE = 4;

    /// @notice The least bond, in wei.
    /// @param gasUnits One of the two amounts above.
    function least(uint256 gasUnits) internal view returns (uint256) {
        return RISE * gasUnits * block.basefee;
    }

    /// @notice What a right answer earns of a bond, in wei.
    function earned(uint256 gasUnits, uint256 bond) internal view returns (uint256) {
        uint256 cost = gasUnits * block.basefee;
        return cost < bond ? cost : bond;
    }
}
