// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {CREATOR, JOINER, NOBODY, Progress, openProgress} from "../src/types/Progress.sol";
import {Test} from "./Vm.sol";

/// @dev The packed word: every field is read as it was written, and none touches another.
contract ProgressTest is Test {
    struct Fields {
        uint8 status;
        uint8 outcome;
        uint16 ply;
        uint16 quiet;
        uint8 pending;
        bool white;
        bool draw;
        bool[2] keys;
        uint8 winner;
        uint40 since;
        uint32[2] clocks;
        uint24[3] times;
    }

    /// @dev Writes every field over whatever stood there.
    function write(Progress p, Fields memory f) private pure returns (Progress) {
        p = p.withStatus(IFogmate.Status(f.status)).withOutcome(IFogmate.Outcome(f.outcome)).withPly(f.ply);
        p = p.withQuietPlies(f.quiet).withPending(f.pending).withWhiteRole(f.white ? 1 : 0).withDrawOffered(f.draw);
        if (f.keys[0]) p = p.withViewKeyPublished(CREATOR);
        if (f.keys[1]) p = p.withViewKeyPublished(JOINER);
        p = p.withWinnerRole(f.winner).withSince(f.since).withClock(CREATOR, f.clocks[0]);
        return p.withClock(JOINER, f.clocks[1]);
    }

    function expect(Progress p, Fields memory f) private pure {
        assertEq(uint256(p.status()), f.status, "status");
        assertEq(uint256(p.outcome()), f.outcome, "outcome");
        assertEq(p.ply(), f.ply, "ply");
        assertEq(p.quietPlies(), f.quiet, "quiet");
        assertEq(p.pending(), f.pending, "pending");
        assertEq(p.whiteRole(), f.white ? 1 : 0, "white");
        assertTrue(p.drawOffered() == f.draw, "draw");
        assertTrue(p.viewKeyPublished(CREATOR) == f.keys[0], "key 0");
        assertTrue(p.viewKeyPublished(JOINER) == f.keys[1], "key 1");
        assertEq(p.winnerRole(), f.winner, "winner");
        assertEq(p.since(), f.since, "since");
        assertEq(p.clock(CREATOR), f.clocks[0], "clock 0");
        assertEq(p.clock(JOINER), f.clocks[1], "clock 1");
        assertEq(p.base(), f.times[0], "base");
        assertEq(p.increment(), f.times[1], "increment");
        assertEq(p.delay(), f.times[2], "delay");
        assertEq(p.roleToMove(), uint256(f.ply) % 2 == 0 ? p.whiteRole() : 1 - p.whiteRole(), "role to move");
        assertTrue(p.isOpening() == (f.ply == 0 || f.ply == 1), "opening");
    }

    function testFuzz_packed_fields_never_touch_each_other(Fields memory f) public pure {
        f.status %= 5;
        f.outcome %= 8;
        f.winner %= 4;
        Progress p = openProgress(f.times[0], f.times[1], f.times[2]);
        expect(write(p, f), f);
    }

    function test_packed_fields_at_their_edges() public pure {
        Fields memory full;
        (full.status, full.outcome, full.winner, full.pending) = (4, 7, 3, type(uint8).max);
        (full.ply, full.quiet, full.white, full.draw) = (type(uint16).max, type(uint16).max, true, true);
        full.keys = [true, true];
        full.since = type(uint40).max;
        full.clocks = [type(uint32).max, type(uint32).max];
        full.times = [type(uint24).max, type(uint24).max, type(uint24).max];
        Progress p = write(openProgress(full.times[0], full.times[1], full.times[2]), full);
        expect(p, full);
        assertEq(Progress.unwrap(p) >> 240, 0, "unused bits stay 0");

        Fields memory empty;
        empty.times = full.times;
        empty.keys = full.keys;
        expect(write(p, empty), empty);
        p = openProgress(0, 0, 0);
        assertEq(Progress.unwrap(p), uint256(IFogmate.Status.Open) | (NOBODY << 60), "open");
    }

    function testFuzz_a_value_too_large_is_cut_and_spills_nowhere(uint256 value) public pure {
        Progress p = openProgress(1, 2, 3).withPly(value).withClock(CREATOR, value).withSince(value);
        assertEq(p.ply(), uint16(value), "ply");
        assertEq(p.clock(CREATOR), uint32(value), "clock");
        assertEq(p.since(), uint40(value), "since");
        assertEq(p.quietPlies() + p.clock(JOINER) + p.pending(), 1, "neighbours: only the base time in clock 1");
        assertEq(p.increment(), 2, "increment");
    }
}
