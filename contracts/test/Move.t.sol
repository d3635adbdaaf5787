// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev A ply: what it changes in either mode, and what the verifier is asked.
contract MoveTest is GameTest {
    // ---------------------------------------------------------------- what it changes

    function test_a_ply_chains_the_movers_commitment_and_passes_the_turn() public {
        for (uint256 i = 0; i < 2; ++i) {
            _mode = modeOf(i);
            bytes32 id = played(3);
            IFogmate.Game memory before = fogmate.game(id);
            IFogmate.Move memory m = next(id, 27);
            m.offerDraw = true;
            vm.warp(time() + 7);
            vm.expectEmit(address(fogmate));
            emit IFogmate.Moved(id, joiner, 3, 27, false, true, m.nextCommitment, m.nextRequestRoot, m.answerRoot);
            move(id, m);

            IFogmate.Game memory g = fogmate.game(id);
            assertEq(g.ply, 4, "ply");
            assertEq(g.pending, 27, "pending");
            assertEq(g.previousPending, before.pending, "previous pending");
            assertEq(g.quietPlies, 0, "quiet plies");
            assertTrue(g.drawOffered, "offer");
            assertEq(g.since, time(), "since");
            assertEq(g.answerRoot, m.answerRoot, "answer root");
            assertEq(g.players[1].commitment, m.nextCommitment, "mover's commitment");
            assertEq(g.players[1].previousCommitment, before.players[1].commitment, "the one before is kept");
            assertEq(g.players[1].requestRoot, m.nextRequestRoot, "mover's request");
            assertEq(
                keccak256(abi.encode(g.players[0])),
                keccak256(abi.encode(before.players[0])),
                "opponent's side untouched"
            );
            assertTrue(g.status == IFogmate.Status.Playing, "status");
        }
    }

    function test_the_joiner_moves_first_when_the_toss_says_so() public {
        bytes32 id = started(false);
        IFogmate.Move memory m = next(id);
        refuseMove(id, m, creator, abi.encodeWithSelector(IFogmate.NotYourTurn.selector));
        vm.prank(joiner);
        fogmate.move(id, m, _proof);
        assertEq(fogmate.game(id).players[0].commitment, m.nextCommitment, "white is the joiner");
    }

    /// @dev What stood there to save gas, before a word was first written, is never shown.
    function test_nothing_is_shown_that_was_not_written() public {
        bytes32 id = started();
        for (uint256 n = 0; n < 4; ++n) {
            IFogmate.Game memory g = fogmate.game(id);
            assertEq(g.answerRoot, n < 2 ? 0 : _history[id][n - 1].answerRoot, "answer");
            for (uint256 color = 0; color < 2; ++color) {
                uint256 moves = (n + 1 - color) / 2;
                uint256 start = color == 0 ? WHITE_START : BLACK_START;
                assertEq(g.players[color].requestRoot, moves == 0 ? 0 : lastOf(id, color).requestRoot, "request");
                assertEq(g.players[color].commitment, moves == 0 ? start : lastOf(id, color).commitment, "commitment");
                uint256 previous = moves == 0 ? 0 : moves == 1 ? start : _history[id][color].commitment;
                assertEq(g.players[color].previousCommitment, previous, "previous");
            }
            play(id);
        }
    }

    function lastOf(bytes32 id, uint256 color) private view returns (Ply memory) {
        uint256 n = _history[id].length - 1;
        return _history[id][n & 1 == color ? n : n - 1];
    }

    function test_quiet_plies_are_counted_and_an_offer_dies_with_the_next_move() public {
        bytes32 id = played(4);
        assertEq(fogmate.game(id).quietPlies, 4, "quiet plies");
        IFogmate.Move memory m = next(id, 0);
        m.offerDraw = true;
        move(id, m);
        play(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.quietPlies, 1, "one since the capture");
        assertEq(g.pending, 64, "pending is of one ply");
        assertEq(g.previousPending, 0, "the one before it");
        assertTrue(!g.drawOffered, "offer died");
    }

    function test_a_captured_king_ends_the_game() public {
        bytes32 id = played(4);
        uint256 owed = fogmate.withdrawable(creator);
        IFogmate.Move memory m = nextKing(id);
        m.offerDraw = true;
        vm.expectEmit(address(fogmate));
        emit IFogmate.Moved(id, creator, 4, 60, true, true, m.nextCommitment, m.nextRequestRoot, m.answerRoot);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, creator, 5, IFogmate.Outcome.KingCaptured);
        vm.prank(creator);
        fogmate.move(id, m, _proof);
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.Over, "status");
        assertTrue(g.outcome == IFogmate.Outcome.KingCaptured, "outcome");
        assertEq(g.winner, creator, "winner");
        assertEq(g.ply, 5, "the last ply counts");
        assertEq(g.players[0].commitment, m.nextCommitment, "the last commitment stands for the audit");
        assertEq(fogmate.withdrawable(creator), owed + 2 * STAKE, "stakes");
        refuseMove(id, m, joiner, wrongStatus(IFogmate.Status.Over));
    }

    /// @dev A game in which the ply before the last that can be counted has been made: 65534 is White's.
    function atTheLastPly() private returns (bytes32 id) {
        id = played(2);
        // `ply` stands in bits 16..32 of the game's first word.
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot)) & ~(uint256(0xffff) << 16);
        vm.store(address(fogmate), slot, bytes32(word | (uint256(65534) << 16)));
        assertEq(fogmate.game(id).ply, 65534, "the storage layout");
    }

    function test_the_last_ply_that_can_be_counted_draws() public {
        bytes32 id = atTheLastPly();
        _narrow.say(TURN_KEY, Verdict.Refuse);
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.InvalidProof.selector));
        _narrow.say(TURN_KEY, Verdict.Accept);
        play(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.outcome == IFogmate.Outcome.TooLong, "outcome");
        assertEq(g.ply, 65535, "ply");
        assertEq(fogmate.withdrawable(creator), STAKE, "stake back");
        assertEq(fogmate.withdrawable(joiner), STAKE, "stake back");
    }

    // ---------------------------------------------------------------- what the verifier is asked

    /// @dev The thirteen words of *turn*, from the protocol's list and the plies made.
    function turnInputs(bytes32 id, IFogmate.Move memory m) private view returns (uint256[] memory w) {
        IFogmate.Game memory g = fogmate.game(id);
        uint256 color = g.ply & 1;
        w = new uint256[](13);
        w[0] = g.players[color].commitment;
        w[1] = g.ply == 0 ? 64 : _history[id][g.ply - 1].capture;
        w[2] = m.nextCommitment;
        if (g.ply > 1) {
            IFogmate.Exchange memory sight = preExchange(id);
            (w[3], w[4], w[5]) = (sight.requestRoot, sight.postedRoot, sight.ctx);
        }
        (w[6], w[7]) = (g.players[color ^ 1].fogKey.x, g.players[color ^ 1].fogKey.y);
        w[8] = m.nextRequestRoot;
        w[9] = color;
        w[10] = g.ply < 2 ? 1 : 0;
        w[11] = m.capture;
        w[12] = m.kingFell ? 1 : 0;
    }

    function testFuzz_turn_is_asked_for_the_game_and_what_was_declared(
        uint8 plies,
        uint8 lost,
        uint8 capture,
        bool king,
        bool answered
    ) public {
        bytes32 id = played(bound(plies, 0, 6));
        if (lost < 128) {
            IFogmate.Move memory before = next(id, uint8(bound(lost, 0, 64)));
            if (!answered && before.ply > 0) before.answerRoot = 0;
            move(id, before);
        }
        IFogmate.Move memory m = next(id, uint8(bound(capture, 0, 64)));
        m.kingFell = king;
        m = based(id, m);
        uint256[] memory inputs = turnInputs(id, m);
        uint256 asked = _narrow.timesAsked(TURN_KEY);
        move(id, m);
        assertAsked(TURN_KEY, inputs, proofOf(m.nextCommitment));
        assertEq(_narrow.timesAsked(TURN_KEY), asked + 1, "once");
    }

    /// @dev The root by which a player moves may have come by a demanded answer, or been filled in.
    function test_turn_is_asked_with_the_root_that_came_late() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = played(2);
            move(id, nextWithoutAnswer(id));
            if (i == 0) {
                demandPre(id);
                answer(id, preExchange(id), 0xA115);
            } else {
                IFogmate.Exchange memory e = preExchange(id);
                vm.prank(creator);
                fogmate.fillAnswer(id, e.ctx, 0xA115);
                _history[id][2].answerRoot = 0xA115;
            }
            IFogmate.Move memory m = next(id);
            uint256[] memory inputs = turnInputs(id, m);
            assertEq(inputs[4], 0xA115, "the late root");
            move(id, m);
            assertAsked(TURN_KEY, inputs, proofOf(m.nextCommitment));
        }
    }

    function test_an_answer_is_made_for_the_context_its_receiver_proves_in() public {
        bytes32 id = played(1);
        for (uint8 i = 0; i < 6; ++i) {
            IFogmate.Move memory m = next(id, i % 2 == 0 ? i : 64);
            uint256 named = contextAfter(id, m);
            move(id, m);
            assertEq(fogmate.contextOf(id, IFogmate.Phase.Pre), named, "named context = context of the next turn");
        }
    }

    function test_a_king_capture_is_verified() public {
        bytes32 id = played(4);
        IFogmate.Move memory m = nextKing(id);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        refuseMove(id, m, abi.encodeWithSelector(IFogmate.InvalidProof.selector));
        _narrow.say(TURN_KEY, Verdict.Burn);
        refuseMove(id, m, abi.encodeWithSelector(IFogmate.NoVerdict.selector));
        _narrow.say(TURN_KEY, Verdict.Accept);
        uint256[] memory inputs = turnInputs(id, m);
        vm.recordLogs();
        move(id, m);
        assertEq(vm.getRecordedLogs().length, 2, "Moved and GameEnded");
        assertAsked(TURN_KEY, inputs, proofOf(m.nextCommitment));
    }

    // ---------------------------------------------------------------- under a hold

    function test_under_a_hold_only_the_king_is_captured() public {
        bytes32 id = played(4);
        uint96 bond = demandPre(id);
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.OnHold.selector));
        refuseMove(id, next(id, 60), abi.encodeWithSelector(IFogmate.OnHold.selector));
        uint256 owed = fogmate.withdrawable(creator);
        IFogmate.Exchange memory sight = preExchange(id);
        move(id, nextKing(id));
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.KingCaptured, "captured");
        assertEq(fogmate.withdrawable(creator), owed + 2 * STAKE, "won");
        // The demand lives on: answered in time, it is paid.
        vm.prank(joiner);
        fogmate.answerSight(id, sight, sight.postedRoot, elements(1), wideProof());
        assertEq(fogmate.withdrawable(creator), owed + 2 * STAKE + bond - answerShare(), "the rest");
    }

    function test_a_king_is_captured_in_the_holds_last_second_and_not_after() public {
        bytes32 id = played(4);
        demandPre(id);
        vm.warp(time() + WINDOW + 1);
        refuseMove(id, nextKing(id), abi.encodeWithSelector(IFogmate.OutOfTime.selector));
        vm.warp(time() - 1);
        move(id, nextKing(id));
    }
}
