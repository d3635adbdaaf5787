// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {FogContext, Sight} from "../src/libraries/FogContext.sol";
import {FogKeys} from "../src/libraries/FogKeys.sol";
import {NO_SEAT, Progress, openProgress} from "../src/types/Progress.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The packed word, fog keys, and contexts against the protocol's vectors.
contract LibrariesTest is GameTest {
    string private constant VECTORS = "../test/data/sight_vectors.jsonl";

    // ---------------------------------------------------------------- types/Progress.sol

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
        p = p.withQuietPlies(f.quiet).withPending(f.pending).withWhiteSeat(f.white ? 1 : 0).withDrawOffered(f.draw);
        if (f.keys[0]) p = p.withViewKeyPublished(0);
        if (f.keys[1]) p = p.withViewKeyPublished(1);
        p = p.withWinnerSeat(f.winner).withSince(f.since).withClock(0, f.clocks[0]);
        return p.withClock(1, f.clocks[1]);
    }

    function expect(Progress p, Fields memory f) private pure {
        assertEq(uint256(p.status()), f.status, "status");
        assertEq(uint256(p.outcome()), f.outcome, "outcome");
        assertEq(p.ply(), f.ply, "ply");
        assertEq(p.quietPlies(), f.quiet, "quiet");
        assertEq(p.pending(), f.pending, "pending");
        assertEq(p.whiteSeat(), f.white ? 1 : 0, "white");
        assertTrue(p.drawOffered() == f.draw, "draw");
        assertTrue(p.viewKeyPublished(0) == f.keys[0], "key 0");
        assertTrue(p.viewKeyPublished(1) == f.keys[1], "key 1");
        assertEq(p.winnerSeat(), f.winner, "winner");
        assertEq(p.since(), f.since, "since");
        assertEq(p.clock(0), f.clocks[0], "clock 0");
        assertEq(p.clock(1), f.clocks[1], "clock 1");
        assertEq(p.base(), f.times[0], "base");
        assertEq(p.increment(), f.times[1], "increment");
        assertEq(p.delay(), f.times[2], "delay");
        assertEq(p.seatToMove(), uint256(f.ply) % 2 == 0 ? p.whiteSeat() : 1 - p.whiteSeat(), "seat to move");
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
        assertEq(Progress.unwrap(p), uint256(IFogmate.Status.Open) | (NO_SEAT << 60), "open");
    }

    function testFuzz_a_value_too_large_is_cut_and_spills_nowhere(uint256 value) public pure {
        Progress p = openProgress(1, 2, 3).withPly(value).withClock(0, value).withSince(value);
        assertEq(p.ply(), uint16(value), "ply");
        assertEq(p.clock(0), uint32(value), "clock");
        assertEq(p.since(), uint40(value), "since");
        assertEq(p.quietPlies() + p.clock(1) + p.pending(), 1, "neighbours: only the base time in clock 1");
        assertEq(p.increment(), 2, "increment");
    }

    // ---------------------------------------------------------------- libraries/FogKeys.sol

    function isValid(IFogmate.Point calldata key) external pure returns (bool) {
        return FogKeys.isValid(key);
    }

    function testFuzz_a_key_is_valid_exactly_on_the_curve(uint256 x, uint256 y) public view {
        bool on = x < FIELD_ORDER && y < FIELD_ORDER;
        if (on) {
            uint256 cube = mulmod(x, mulmod(x, x, FIELD_ORDER), FIELD_ORDER);
            on = addmod(mulmod(y, y, FIELD_ORDER), 17, FIELD_ORDER) == cube;
        }
        assertTrue(this.isValid(IFogmate.Point(x, y)) == on, "validity");
    }

    function test_keys_of_the_vectors_are_valid_and_their_neighbours_are_not() public view {
        for (uint256 i = 0; i < 12; ++i) {
            uint256[] memory a = vm.parseJsonUintArray(vm.readLine(VECTORS), ".A");
            assertTrue(this.isValid(IFogmate.Point(a[0], a[1])), "valid");
            assertTrue(this.isValid(IFogmate.Point(a[0], FIELD_ORDER - a[1])), "its negative");
            assertTrue(!this.isValid(IFogmate.Point(a[0], a[1] + 1)), "y + 1");
            assertTrue(!this.isValid(IFogmate.Point(a[0] + 1, a[1])), "x + 1");
            assertTrue(!this.isValid(IFogmate.Point(a[1], a[0])), "swapped");
            assertTrue(!this.isValid(IFogmate.Point(a[0] + FIELD_ORDER, a[1])), "x + r");
            assertTrue(!this.isValid(IFogmate.Point(a[0], a[1] + FIELD_ORDER)), "y + r");
        }
    }

    // ---------------------------------------------------------------- libraries/FogContext.sol

    struct Vector {
        uint256 chainId;
        address game;
        bytes32 id;
        uint256 ply;
        uint256 phase;
        uint256 senderPending;
        uint256 receiverPending;
        uint256 senderCommitment;
        uint256 receiverCommitment;
        uint256[] key;
        uint256 requestRoot;
        uint256 ctx;
    }

    function readVector(string memory line) private pure returns (Vector memory v) {
        v.chainId = vm.parseJsonUint(line, ".chainId");
        v.game = vm.parseJsonAddress(line, ".contract");
        v.id = vm.parseJsonBytes32(line, ".gameId");
        v.ply = vm.parseJsonUint(line, ".ply");
        v.phase = vm.parseJsonUint(line, ".phase");
        v.senderPending = vm.parseJsonUint(line, ".pendingSender");
        v.receiverPending = vm.parseJsonUint(line, ".pendingReceiver");
        v.senderCommitment = vm.parseJsonUint(line, ".senderState.commitment");
        v.receiverCommitment = vm.parseJsonUint(line, ".receiverState.commitment");
        v.key = vm.parseJsonUintArray(line, ".A");
        v.requestRoot = vm.parseJsonUint(line, ".requestRoot");
        v.ctx = vm.parseJsonUint(line, ".ctx");
    }

    /// @dev The library's hash on the vectors' values.
    function test_contexts_equal_the_vectors() public view {
        uint256[2] memory phases;
        for (uint256 i = 0; i < 12; ++i) {
            Vector memory v = readVector(vm.readLine(VECTORS));
            Sight memory sight = Sight({
                tag: FogContext.TAG,
                chainId: v.chainId,
                game: v.game,
                gameId: v.id,
                ply: v.ply,
                phase: v.phase,
                senderCommitment: v.senderCommitment,
                senderPending: v.senderPending,
                receiverCommitment: v.receiverCommitment,
                receiverPending: v.receiverPending,
                senderKeyX: v.key[0],
                senderKeyY: v.key[1],
                requestRoot: v.requestRoot
            });
            assertEq(FogContext.hash(sight), v.ctx, "ctx");
            assertEq(uint256(keccak256(abi.encode(sight))) % FIELD_ORDER, v.ctx, "as abi.encode lays it out");
            ++phases[v.phase];
        }
        assertTrue(phases[0] > 0 && phases[1] > 0, "both phases are covered");
    }

    /// @dev The whole contract at the vectors' address, with the vectors' game in its storage, answers their contexts.
    function test_the_contract_computes_the_vectors_contexts_from_storage() public {
        for (uint256 i = 0; i < 12; ++i) {
            Vector memory v = readVector(vm.readLine(VECTORS));
            vm.chainId(v.chainId);
            vm.etch(v.game, address(fogmate).code);
            // In phase 1 the receiver has moved: the contract is one ply further and the sender is to move.
            uint256 ply = v.ply + v.phase;
            uint256 pending = v.phase == 0 ? v.receiverPending : v.senderPending;
            Progress p = openProgress(600, 0, 0).withStatus(IFogmate.Status.Playing).withPly(ply).withPending(pending);
            // The creator is Black in every other vector. `receiver` = ply mod 2, in both phases.
            p = p.withWhiteSeat(i % 2);
            uint256 receiver = (v.ply & 1) ^ (i % 2);
            uint256 slot = uint256(keccak256(abi.encode(v.id, uint256(1))));
            put(v.game, slot, Progress.unwrap(p));
            put(v.game, slot + 2 + 4 * receiver, v.receiverCommitment);
            put(v.game, slot + 3 + 4 * receiver, v.requestRoot);
            put(v.game, slot + 2 + 4 * (1 - receiver), v.senderCommitment);
            put(v.game, slot + 4 + 4 * (1 - receiver), v.key[0]);
            put(v.game, slot + 5 + 4 * (1 - receiver), v.key[1]);
            assertEq(Fogmate(v.game).contextOf(v.id, uint8(v.phase)), v.ctx, "ctx");
            assertTrue(Fogmate(v.game).contextOf(v.id, uint8(1 - v.phase)) != v.ctx, "the phases differ");
        }
    }

    function put(address account, uint256 slot, uint256 value) private {
        vm.store(account, bytes32(slot), bytes32(value));
    }
}
