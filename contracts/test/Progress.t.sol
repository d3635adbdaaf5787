// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {CREATOR, JOINER, NOBODY, Progress, openProgress} from "../src/types/Progress.sol";
import {Test} from "./Vm.sol";

/// @dev The packed word: every field is read as it was written, stands where the layout says, and touches no other.
contract ProgressTest is Test {
    /// @dev The times of the terms are written when a game opens, all else later.
    struct Fields {
        uint8 status;
        uint8 outcome;
        uint16 ply;
        uint16 quiet;
        uint8 pending;
        uint8 previous;
        bool white;
        bool draw;
        bool[2] keys;
        uint8 winner;
        uint8 hold;
        bool[2] posts;
        bool pre;
        bool[2] demanded;
        uint8 mode;
        uint40 since;
        uint32[2] clocks;
        uint24[3] times;
    }

    function opened(IFogmate.Terms calldata terms) external pure returns (Progress) {
        return openProgress(terms);
    }

    function open(Fields memory f, uint32 base) private view returns (Progress) {
        IFogmate.Terms memory t;
        t.mode = IFogmate.Mode(f.mode);
        t.base = base;
        (t.increment, t.delay, t.window) = (f.times[0], f.times[1], f.times[2]);
        return this.opened(t);
    }

    /// @dev Writes every field over whatever stood there; view keys are only ever set.
    function write(Progress p, Fields memory f) private pure returns (Progress) {
        p = p.withStatus(IFogmate.Status(f.status)).withOutcome(IFogmate.Outcome(f.outcome)).withPly(f.ply);
        p = p.withQuietPlies(f.quiet).withPending(f.pending).withPreviousPending(f.previous);
        p = p.withWhiteRole(f.white ? 1 : 0).withDrawOffered(f.draw).withHold(IFogmate.Hold(f.hold));
        if (f.keys[0]) p = p.withViewKeyPublished(CREATOR);
        if (f.keys[1]) p = p.withViewKeyPublished(JOINER);
        p = p.withWinnerRole(f.winner).withSince(f.since).withClock(CREATOR, f.clocks[0]).withClock(JOINER, f.clocks[1]);
        p = p.withPostOpen(0, f.posts[0]).withPostOpen(1, f.posts[1]).withPreDemanded(f.pre);
        return p.withPostDemanded(0, f.demanded[0]).withPostDemanded(1, f.demanded[1]);
    }

    /// @dev The word as the layout in Progress.sol says, put together here by shifts.
    function wordOf(Fields memory f) private pure returns (uint256 word) {
        word = uint256(f.status) | (uint256(f.outcome) << 8) | (uint256(f.ply) << 16) | (uint256(f.quiet) << 32);
        word |= (uint256(f.pending) << 48) | (uint256(f.previous) << 56) | bit(f.white, 64) | bit(f.draw, 65);
        word |= bit(f.keys[0], 66) | bit(f.keys[1], 67) | (uint256(f.winner) << 68) | (uint256(f.hold) << 70);
        word |= bit(f.posts[0], 72) | bit(f.posts[1], 73) | bit(f.pre, 74) | bit(f.demanded[0], 75);
        word |= bit(f.demanded[1], 76) | (uint256(f.mode) << 77) | (uint256(f.since) << 80);
        word |= (uint256(f.clocks[0]) << 120) | (uint256(f.clocks[1]) << 152) | (uint256(f.times[0]) << 184);
        word |= (uint256(f.times[1]) << 208) | (uint256(f.times[2]) << 232);
    }

    function bit(bool value, uint256 offset) private pure returns (uint256) {
        return value ? 1 << offset : 0;
    }

    function expect(Progress p, Fields memory f) private pure {
        assertEq(Progress.unwrap(p), wordOf(f), "the layout");
        assertEq(uint256(p.status()), f.status, "status");
        assertEq(uint256(p.outcome()), f.outcome, "outcome");
        assertEq(p.ply(), f.ply, "ply");
        assertEq(p.quietPlies(), f.quiet, "quiet");
        assertEq(p.pending(), f.pending, "pending");
        assertEq(p.previousPending(), f.previous, "previous pending");
        assertEq(p.whiteRole(), f.white ? 1 : 0, "white");
        assertTrue(p.drawOffered() == f.draw, "draw");
        assertTrue(p.viewKeyPublished(CREATOR) == f.keys[0], "key 0");
        assertTrue(p.viewKeyPublished(JOINER) == f.keys[1], "key 1");
        assertEq(p.winnerRole(), f.winner, "winner");
        assertEq(uint256(p.hold()), f.hold, "hold");
        assertTrue(p.preDemanded() == f.pre, "pre demanded");
        for (uint256 color = 0; color < 2; ++color) {
            assertTrue(p.postOpen(color) == f.posts[color], "post open");
            assertTrue(p.postDemanded(color) == f.demanded[color], "post demanded");
        }
        assertEq(uint256(p.mode()), f.mode, "mode");
        assertEq(p.since(), f.since, "since");
        assertEq(p.clock(CREATOR), f.clocks[0], "clock 0");
        assertEq(p.clock(JOINER), f.clocks[1], "clock 1");
        assertEq(p.increment(), f.times[0], "increment");
        assertEq(p.delay(), f.times[1], "delay");
        assertEq(p.window(), f.times[2], "window");
        assertEq(p.roleToMove(), uint256(f.ply) % 2 == 0 ? p.whiteRole() : 1 - p.whiteRole(), "role to move");
        assertEq(p.roleOf(0), p.whiteRole(), "white's role");
        assertEq(p.roleOf(1), 1 - p.whiteRole(), "black's role");
        assertTrue(p.isOpening() == (f.ply == 0 || f.ply == 1), "opening");
        assertEq(p.movesOf(0), (uint256(f.ply) + 1) / 2, "white's moves");
        assertEq(p.movesOf(1), uint256(f.ply) / 2, "black's moves");
    }

    function fold(Fields memory f) private pure {
        f.status %= uint8(type(IFogmate.Status).max) + 1;
        f.outcome %= uint8(type(IFogmate.Outcome).max) + 1;
        f.hold %= uint8(type(IFogmate.Hold).max) + 1;
        f.winner %= 4;
        f.mode %= uint8(type(IFogmate.Mode).max) + 1;
    }

    /// @dev Whatever stood there before, two writings over each other.
    function testFuzz_packed_fields_never_touch_each_other(Fields memory first, Fields memory f) public view {
        fold(first);
        fold(f);
        first.keys = [false, false];
        (first.times, first.mode) = (f.times, f.mode);
        expect(write(write(open(f, 1), first), f), f);
    }

    function test_packed_fields_at_their_edges() public view {
        Fields memory full;
        (full.status, full.outcome) = (uint8(type(IFogmate.Status).max), uint8(type(IFogmate.Outcome).max));
        (full.hold, full.winner) = (uint8(type(IFogmate.Hold).max), 3);
        (full.pending, full.previous) = (type(uint8).max, type(uint8).max);
        (full.ply, full.quiet, full.white, full.draw) = (type(uint16).max, type(uint16).max, true, true);
        (full.keys, full.posts, full.demanded) = ([true, true], [true, true], [true, true]);
        (full.pre, full.mode) = (true, uint8(type(IFogmate.Mode).max));
        full.since = type(uint40).max;
        full.clocks = [type(uint32).max, type(uint32).max];
        full.times = [type(uint24).max, type(uint24).max, type(uint24).max];
        Progress p = write(open(full, 0), full);
        expect(p, full);
        assertEq((Progress.unwrap(p) >> 79) & 1, 0, "unused bits stay 0");

        Fields memory empty;
        (empty.times, empty.keys, empty.mode) = (full.times, full.keys, full.mode);
        expect(write(p, empty), empty);
        Fields memory zero;
        assertEq(Progress.unwrap(open(zero, 0)), uint256(IFogmate.Status.Open) | (NOBODY << 68), "open");
    }

    function testFuzz_an_open_game_has_both_clocks_and_its_times(uint32 base, uint24[3] memory times, uint8 mode)
        public
        view
    {
        Fields memory f;
        (f.status, f.winner, f.times) = (uint8(IFogmate.Status.Open), uint8(NOBODY), times);
        f.mode = mode % (uint8(type(IFogmate.Mode).max) + 1);
        f.clocks = [base, base];
        expect(open(f, base), f);
    }

    function testFuzz_a_value_too_large_is_cut_and_spills_nowhere(uint256 value) public view {
        Fields memory f;
        f.times = [uint24(1), 2, 3];
        Progress p = open(f, 1).withPly(value).withClock(CREATOR, value).withSince(value).withPending(value);
        p = p.withPreviousPending(value).withQuietPlies(value).withWhiteRole(value).withWinnerRole(value);
        (f.status, f.ply, f.quiet) = (uint8(IFogmate.Status.Open), uint16(value), uint16(value));
        (f.pending, f.previous, f.white, f.winner) = (uint8(value), uint8(value), value & 1 == 1, uint8(value & 3));
        (f.since, f.clocks) = (uint40(value), [uint32(value), 1]);
        expect(p, f);
    }
}
