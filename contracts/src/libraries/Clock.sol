// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {Progress} from "../types/Progress.sol";
import {Toss} from "./Toss.sol";

/// @title The chess clock
/// @notice Protocol section 8: base time, increment, and at the start of each ply a delay in which no clock runs, for
/// delivery and proving. All in seconds of block time. A player is in time up to and including the deadline.
library Clock {
    /// @dev Upper bound of each part of a time control; it also keeps them within their 24 bits.
    uint256 internal constant LIMIT = 30 days;

    /// @notice Reverts unless a player gets some time, and not more than the layout holds.
    function check(IFogmate.Terms calldata terms) internal pure {
        (uint256 base, uint256 increment, uint256 delay) = (terms.base, terms.increment, terms.delay);
        if (base > LIMIT || increment > LIMIT || delay > LIMIT || base + delay == 0) revert IFogmate.BadTimeControl();
    }

    /// @notice The last second in which the player to act is in time: the creator in the toss, else the player to move.
    function deadline(Progress progress) internal pure returns (uint256) {
        if (progress.status() == IFogmate.Status.Toss) return progress.since() + Toss.WINDOW;
        return progress.since() + progress.delay() + progress.clock(progress.roleToMove());
    }

    /// @notice What is left to the player to move, who must be in time or gets 0.
    function left(Progress progress) internal view returns (uint256) {
        uint256 clock = progress.clock(progress.roleToMove());
        uint256 runsFrom = progress.since() + progress.delay();
        if (block.timestamp <= runsFrom) return clock;
        uint256 used = block.timestamp - runsFrom;
        return used < clock ? clock - used : 0;
    }

    /// @notice The mover's clock after a ply that ends now, the increment added; it stops growing at what 32 bits hold.
    function afterPly(Progress progress) internal view returns (uint256) {
        uint256 clock = left(progress) + progress.increment();
        return clock < type(uint32).max ? clock : type(uint32).max;
    }
}
