// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The clocks, against a model of their own, and who may claim a timeout when.
contract ClockTest is GameTest {
    function testFuzz_a_timeout_is_claimed_after_the_deadline_by_anyone(uint256 wait, uint8 plies, uint8 mode) public {
        _mode = modeOf(mode);
        bytes32 id = played(bound(plies, 0, 4));
        IFogmate.Game memory g = fogmate.game(id);
        wait = bound(wait, 0, 2000);
        uint256 deadline = g.since + DELAY + g.players[g.ply & 1].clock;
        vm.warp(g.since + wait);
        vm.prank(stranger);
        if (time() <= deadline) {
            refused(IFogmate.StillInTime.selector, deadline);
            fogmate.claimTimeout(id);
        } else {
            address winner = g.players[(g.ply & 1) ^ 1].account;
            vm.expectEmit(address(fogmate));
            emit IFogmate.GameEnded(id, winner, g.ply, IFogmate.Outcome.TimedOut);
            fogmate.claimTimeout(id);
            assertEq(fogmate.game(id).winner, winner, "winner");
            assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.TimedOut, "outcome");
            assertEq(fogmate.withdrawable(winner), 2 * uint256(terms().stake), "both stakes");
        }
    }

    /// @dev The clock against a second, plainer model: waits are spent beyond the delay, then the increment comes; while a
    /// hold is open nothing is spent, and after it the delay begins anew.
    function testFuzz_clocks_follow_a_plain_model(
        uint32[3] memory times,
        uint32[8] memory waits,
        uint32[8] memory holds
    ) public {
        IFogmate.Terms memory t = terms();
        t.base = uint32(bound(times[0], 300, 30 days));
        t.increment = uint32(bound(times[1], 0, 30 days));
        t.delay = uint32(bound(times[2], 0, 30 days));
        bytes32 id = started(t, true);
        uint256[2] memory left = [uint256(t.base), t.base];
        for (uint256 ply = 0; ply < 8; ++ply) {
            uint256 mover = ply % 2;
            if (ply >= 2 && holds[ply] % 2 == 0) {
                spend(id, t.delay, left, waits[7 - ply]);
                demandPre(id);
                uint256 deadline = time() + WINDOW;
                vm.warp(time() + bound(holds[ply], 0, WINDOW));
                (uint256 white, uint256 black, uint256 last) = fogmate.clocks(id);
                assertEq(last, deadline, "the hold's deadline");
                assertEq(mover == 0 ? white : black, left[mover], "nothing is spent");
                answer(id, preExchange(id));
                assertEq(fogmate.game(id).since, time(), "the delay begins anew");
            }
            spend(id, t.delay, left, waits[ply]);
            play(id);
            left[mover] += t.increment;
            assertEq(fogmate.game(id).players[mover].clock, left[mover], "clock after the ply");
        }
        vm.warp(time() + t.delay + left[0] + 1);
        (uint256 flagged,,) = fogmate.clocks(id);
        assertEq(flagged, 0, "nothing left");
        fogmate.claimTimeout(id);
        (uint256 a, uint256 b, uint256 c) = fogmate.clocks(id);
        assertEq(a + b + c, 0, "no clock after the end");
    }

    /// @dev The player to move waits, at most until its last second, from when its delay began.
    function spend(bytes32 id, uint256 delay, uint256[2] memory left, uint256 wait) private {
        uint256 mover = fogmate.game(id).ply % 2;
        uint256 start = time();
        wait = bound(wait, 0, delay + left[mover]);
        vm.warp(start + wait);
        (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
        assertEq(deadline, start + delay + left[mover], "deadline");
        assertEq(mover == 0 ? black : white, left[mover ^ 1], "resting clock");
        left[mover] -= wait > delay ? wait - delay : 0;
        assertEq(mover == 0 ? white : black, left[mover], "running clock");
    }

    // ---------------------------------------------------------------- the start

    // ---------------------------------------------------------------- edges

    function test_a_clock_stops_growing_at_what_the_layout_holds() public {
        bytes32 id = played(2);
        // The creator's clock stands in bits 120..152 of the game's first word.
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot));
        vm.store(address(fogmate), slot, bytes32(word | (uint256(type(uint32).max - 2) << 120)));
        play(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.players[0].clock, type(uint32).max, "saturated");
        assertEq(g.players[1].clock, 605, "the neighbour is untouched");
    }

    function test_a_timeout_needs_a_running_clock() public {
        bytes32 id = played(1);
        vm.prank(creator);
        fogmate.resign(id);
        vm.warp(time() + 365 days);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.claimTimeout(id);
    }
}
