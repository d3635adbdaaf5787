// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {Progress} from "../types/Progress.sol";

/// @title The chess clock
/// @notice Protocol section 8: base time, increment, and at the start of each ply a delay in which no clock runs, for
/// delivery and proving. While a hold is open it stands still. All in seconds of block time. A player is in time up to and
/// including the deadline.
library Clock {
    /// @dev Upper bound of each part of the terms; it also keeps them within their 24 bits.
    uint256 internal constant LIMIT = 30 days;
    /// @dev The least time to move, to answer and to reveal where something is staked: whichever front end set the terms, no stake is
    /// lost before a machine can act.
    uint256 internal constant LEAST_FOR_A_STAKE = 5 minutes;

    /// @notice Reverts unless every part of the terms leaves some time, and not more than the layout holds.
    function check(IFogmate.Terms calldata terms) internal view {
        (uint256 base, uint256 increment, uint256 delay) = (terms.base, terms.increment, terms.delay);
        uint256 least = terms.stake == 0 ? 1 : LEAST_FOR_A_STAKE;
        if (base > LIMIT || increment > LIMIT || delay > LIMIT || base + delay < least) {
            revert IFogmate.BadTimeControl();
        }
        if (terms.window < least || terms.window > LIMIT) revert IFogmate.BadTimeControl();
        if (terms.reveal < least || terms.reveal > LIMIT) revert IFogmate.BadTimeControl();
        if (terms.expiry < block.timestamp) revert IFogmate.BadTimeControl();
    }

    /// @notice The last second in which the player to move is in time, if no hold is open.
    function deadline(Progress progress) internal pure returns (uint256) {
        return progress.since() + progress.delay() + progress.clock(progress.roleToMove());
    }

    /// @notice The same without a contest that is over: it lasts until `since`.
    function settled(Progress progress) internal view returns (Progress) {
        bool isOver = progress.hold() == IFogmate.Hold.Contest && block.timestamp > progress.since();
        return isOver ? progress.withHold(IFogmate.Hold.None) : progress;
    }

    /// @notice What is left to the player to move, who must be in time or gets 0.
    function left(Progress progress) internal view returns (uint256) {
        uint256 clock = progress.clock(progress.roleToMove());
        uint256 runsFrom = progress.since() + progress.delay();
        if (progress.hold() != IFogmate.Hold.None || block.timestamp <= runsFrom) return clock;
        uint256 used = block.timestamp - runsFrom;
        return used < clock ? clock - used : 0;
    }

    /// @notice The mover's clock after a ply that ends now, the increment added; it stops growing at what 32 bits hold.
    function afterPly(Progress progress) internal view returns (uint256) {
        uint256 clock = left(progress) + progress.increment();
        return clock < type(uint32).max ? clock : type(uint32).max;
    }

    /// @notice Opens a hold of the player to move: its clock keeps what is left.
    function stopped(Progress progress, IFogmate.Hold hold) internal view returns (Progress) {
        return progress.withClock(progress.roleToMove(), left(progress)).withHold(hold);
    }

    /// @notice A delay begins: when the colours are known, after a ply, and after a hold.
    function restarted(Progress progress) internal view returns (Progress) {
        return progress.withSince(block.timestamp);
    }
}
