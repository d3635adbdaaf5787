// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev A ply: every refusal, in every mode.
abstract contract MoveRefusals is GameTest {
    function testFuzz_a_move_for_another_ply_is_stale(uint16 ply) public {
        bytes32 id = played(3);
        vm.assume(ply != 3);
        IFogmate.Move memory m = next(id);
        m.ply = ply;
        refuseMove(id, m, abi.encodeWithSelector(IFogmate.StalePly.selector, 3));
    }

    function test_a_replayed_move_is_stale() public {
        bytes32 id = played(3);
        IFogmate.Move memory m = next(id);
        move(id, m);
        refuseMove(id, m, joiner, abi.encodeWithSelector(IFogmate.StalePly.selector, 4));
        play(id);
        refuseMove(id, m, joiner, abi.encodeWithSelector(IFogmate.StalePly.selector, 5));
    }

    function testFuzz_only_the_player_to_move_moves(address by) public {
        bytes32 id = played(3);
        vm.assume(by != joiner);
        IFogmate.Move memory m = next(id);
        refuseMove(id, m, by, abi.encodeWithSelector(IFogmate.NotYourTurn.selector));
        refuseMove(id, m, creator, abi.encodeWithSelector(IFogmate.NotYourTurn.selector));
    }

    function test_a_move_needs_a_game_in_play() public {
        IFogmate.Move memory m;
        refuseMove(open(), m, creator, wrongStatus(IFogmate.Status.Open));
        refuseMove(joined(true), m, creator, wrongStatus(IFogmate.Status.CreatorReveals));
        refuseMove(halfRevealed(true), m, creator, wrongStatus(IFogmate.Status.JoinerReveals));
    }

    function test_a_move_in_the_last_second_and_not_after() public {
        bytes32 id = played(2);
        uint256 start = time();
        IFogmate.Move memory m = next(id);
        // Two plies made at once left 600 + 5 seconds, and the delay is 60.
        vm.warp(start + 60 + 605 + 1);
        refuseMove(id, m, abi.encodeWithSelector(IFogmate.OutOfTime.selector));
        vm.warp(start + 60 + 605);
        move(id, m);
        assertEq(fogmate.game(id).players[0].clock, 5, "only the increment is left");
    }

    function testFuzz_a_capture_is_a_square_or_64(uint8 capture) public {
        bytes32 id = played(2);
        IFogmate.Move memory m = next(id, capture);
        if (capture > 64) refuseMove(id, m, abi.encodeWithSelector(IFogmate.BadSquare.selector, capture));
        else move(id, m);
    }

    function testFuzz_values_stay_below_the_field_order(uint256 high) public {
        high = bound(high, FIELD_ORDER, type(uint256).max);
        bytes32 id = played(2);
        bytes memory refusal = abi.encodeWithSelector(IFogmate.NotInField.selector, high);
        IFogmate.Move memory m = next(id);
        m.nextCommitment = high;
        refuseMove(id, based(id, m), refusal);
        m = next(id);
        m.nextRequestRoot = high;
        refuseMove(id, based(id, m), refusal);
        m = next(id);
        m.answerRoot = high;
        refuseMove(id, m, refusal);
        m.answerRoot = FIELD_ORDER - 1;
        move(id, m);
    }

    function testFuzz_ply_0_answers_nothing(uint256 root) public {
        vm.assume(root != 0);
        bytes32 id = started();
        IFogmate.Move memory m = next(id);
        m.answerRoot = root;
        refuseMove(id, m, abi.encodeWithSelector(IFogmate.AnswerTooEarly.selector));
        m.answerRoot = 0;
        move(id, m);
    }

    function testFuzz_a_move_names_what_it_rests_on(bytes32 wrong, uint8 plies) public {
        bytes32 id = played(bound(plies, 0, 5));
        IFogmate.Move memory m = next(id);
        bytes32 right = m.basis;
        vm.assume(wrong != right);
        m.basis = wrong;
        refuseMove(id, m, abi.encodeWithSelector(IFogmate.WrongBasis.selector, right));
    }

    /// @dev What the proof was made for can't be changed without the basis.
    function test_a_move_changed_after_its_proof_is_refused() public {
        bytes32 id = played(3);
        for (uint256 i = 0; i < 4; ++i) {
            IFogmate.Move memory m = next(id);
            if (i == 0) m.nextCommitment = addmod(m.nextCommitment, 1, FIELD_ORDER);
            else if (i == 1) m.capture = 12;
            else if (i == 2) m.nextRequestRoot = addmod(m.nextRequestRoot, 1, FIELD_ORDER);
            else m.kingFell = true;
            refuseMove(id, m, abi.encodeWithSelector(IFogmate.WrongBasis.selector, basisOf(id, m)));
        }
    }

    function test_an_opponent_that_sent_no_points_gets_answer_0() public {
        bytes32 id = played(2);
        move(id, nextWithoutAnswer(id));
        assertEq(fogmate.game(id).answerRoot, 0, "none");
    }

    function testFuzz_a_proof_has_its_exact_length(uint16 length) public virtual {
        vm.assume(length != PROOF_LENGTH);
        bytes32 id = played(2);
        _proof = new bytes(length);
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.WrongProofLength.selector, PROOF_LENGTH));
        refuseMove(id, nextKing(id), abi.encodeWithSelector(IFogmate.WrongProofLength.selector, PROOF_LENGTH));
    }

    function testFuzz_calldata_that_says_no_struct_is_refused(uint256 word) public {
        bytes32 id = played(2);
        bytes memory good = abi.encodeCall(IFogmate.move, (id, next(id), _proof));
        // The fields of fewer bits than a word, at their places in calldata: ply, capture, kingFell, offerDraw.
        uint256[4] memory most = [uint256(type(uint16).max), type(uint8).max, 1, 1];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory bad = bytes.concat(good);
            uint256 wrong = bound(word, most[i] + 1, type(uint256).max);
            assembly ("memory-safe") {
                mstore(add(add(bad, 36), mul(32, add(5, i))), wrong)
            }
            vm.prank(creator);
            (bool made, bytes memory why) = address(fogmate).call(bad);
            assertTrue(!made && why.length == 0, "dirty bits");
        }
        vm.prank(creator);
        (bool right,) = address(fogmate).call(good);
        assertTrue(right, "and the good one is made");
    }
}

contract VerifiedMoveRefusalsTest is MoveRefusals {
    function setUp() public override {
        super.setUp();
        _mode = IFogmate.Mode.Verified;
    }

    function test_a_rejected_proof_is_no_move() public {
        bytes32 id = played(2);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.InvalidProof.selector));
    }

    function test_without_a_verdict_there_is_no_move() public {
        bytes32 id = played(2);
        IFogmate.Move memory m = next(id);
        for (uint256 i = uint256(Verdict.Refuse) + 1; i <= uint256(type(Verdict).max); ++i) {
            _narrow.say(TURN_KEY, Verdict(i));
            refuseMove(id, m, abi.encodeWithSelector(IFogmate.NoVerdict.selector));
        }
        _narrow.say(TURN_KEY, Verdict.Accept);
        move(id, m);
    }

    function test_a_verifier_that_vanished_accepts_nothing() public {
        bytes32 id = played(2);
        vm.etch(address(_narrow), "");
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.NoVerdict.selector));
    }
}

contract UnprovenMoveRefusalsTest is MoveRefusals {
    function setUp() public override {
        super.setUp();
        _mode = IFogmate.Mode.Unproven;
        _proof = "";
    }

    function testFuzz_a_proof_has_its_exact_length(uint16 length) public override {
        vm.assume(length != 0);
        bytes32 id = played(2);
        _proof = new bytes(length);
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.NoProofs.selector));
        refuseMove(id, nextKing(id), abi.encodeWithSelector(IFogmate.NoProofs.selector));
    }
}
