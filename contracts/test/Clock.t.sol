// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The clocks, against a model of their own, and who may claim a timeout when.
contract ClockTest is GameTest {
    function testFuzz_a_timeout_is_claimed_after_the_deadline_by_anyone(uint256 wait, uint8 plies) public {
        bytes32 id = played(bound(plies, 0, 4));
        IFogmate.Game memory g = fogmate.game(id);
        wait = bound(wait, 0, 2000);
        uint256 deadline = g.since + g.delay + g.players[g.ply & 1].clock;
        vm.warp(g.since + wait);
        vm.prank(stranger);
        if (block.timestamp <= deadline) {
            refused(IFogmate.StillInTime.selector, deadline);
            fogmate.claimTimeout(id);
        } else {
            address winner = g.players[(g.ply & 1) ^ 1].account;
            fogmate.claimTimeout(id);
            assertEq(fogmate.game(id).winner, winner, "winner");
            assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.TimedOut, "outcome");
            assertEq(fogmate.withdrawable(winner), 2 * STAKE, "both stakes");
        }
    }

    /// @dev The clock against a second, plainer model: waits are spent beyond the delay, then the increment comes.
    function testFuzz_clocks_follow_a_plain_model(uint32 base, uint32 increment, uint32 delay, uint32[8] memory waits)
        public
    {
        IFogmate.Terms memory t = terms();
        t.base = uint32(bound(base, 1, 30 days));
        t.increment = uint32(bound(increment, 0, 30 days));
        t.delay = uint32(bound(delay, 0, 30 days));
        vm.prank(creator);
        bytes32 id = fogmate.create{value: STAKE}(t, commitment(R1, creator), creatorKey());
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, share(true), joinerKey());
        vm.prank(creator);
        fogmate.reveal(id, R1);

        uint256[2] memory left = [uint256(t.base), t.base];
        for (uint256 ply = 0; ply < 8; ++ply) {
            uint256 mover = ply % 2;
            uint256 start = block.timestamp;
            uint256 wait = bound(waits[ply], 0, t.delay + left[mover]);
            vm.warp(start + wait);
            (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
            assertEq(deadline, start + t.delay + left[mover], "deadline");
            assertEq(mover == 0 ? black : white, left[mover ^ 1], "resting clock");
            left[mover] -= wait > t.delay ? wait - t.delay : 0;
            assertEq(mover == 0 ? white : black, left[mover], "running clock");
            play(id);
            left[mover] += t.increment;
            assertEq(fogmate.game(id).players[mover].clock, left[mover], "clock after the ply");
        }
        vm.warp(block.timestamp + t.delay + left[0] + 1);
        (uint256 flagged,,) = fogmate.clocks(id);
        assertEq(flagged, 0, "nothing left");
        fogmate.claimTimeout(id);
        (uint256 a, uint256 b, uint256 c) = fogmate.clocks(id);
        assertEq(a + b + c, 0, "no clock after the end");
    }

    function test_a_clock_stops_growing_at_what_the_layout_holds() public {
        bytes32 id = played(2);
        // The creator's clock stands in bits 104..136 of the game's first word.
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot));
        vm.store(address(fogmate), slot, bytes32(word | (uint256(type(uint32).max - 2) << 104)));
        play(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.players[0].clock, type(uint32).max, "saturated");
        assertEq(g.players[1].clock, 605, "the neighbour is untouched");
    }

    function test_a_timeout_needs_a_running_clock() public {
        bytes32 id = played(1);
        vm.prank(creator);
        fogmate.resign(id);
        vm.warp(block.timestamp + 365 days);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.claimTimeout(id);
    }
}
