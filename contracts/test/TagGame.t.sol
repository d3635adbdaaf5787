// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IContest, ITagGame} from "../src/interfaces/Contests.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {TagTest} from "./TagTest.sol";

/// @dev A real game with real proofs: accepted, and nothing but it.
contract TagGameTest is TagTest {
    function test_a_whole_game_ends_with_a_proven_capture() public {
        bytes32 id = open(terms());
        emit log_named_uint("create", vm.lastCallGas().gasTotalUsed);
        for (uint256 action = JOIN; action <= CAPTURE; ++action) {
            bytes memory data = callOf(id, action);
            (bool done,) = send(action, data);
            uint256 gas = vm.lastCallGas().gasTotalUsed;
            emit log_named_uint(string.concat("action ", vm.toString(action)), gas);
            assertTrue(done, "a real action");
            assertTrue(gas < (action % 2 == 0 ? 1_100_000 : 600_000), "gas");
        }
        ITagGame.Game memory g = tag.game(id);
        assertTrue(g.status == IContest.Status.Over && g.outcome == IContest.Outcome.Won, "captured");
        assertEq(g.winner, players[0], "the joiner came beside the creator, who is to move");
        assertEq(uint256(g.ply), 3, "plies that are over");
        assertEq(tag.withdrawable(players[0]), 2 * uint256(STAKE), "both stakes");
    }

    /// @dev Each word of each kind of action is bound: changed, it is refused, and so is its double beyond the field's order. The words that
    /// aren't a statement's are the id, places of proofs, and of a capture the answer's, which must be the one on record.
    function test_mangled_words_are_refused() public {
        uint256[2][3] memory kinds = [[JOIN, 11], [FIRST_STEP, 11], [FIRST_STEP + 1, 10]];
        for (uint256 kind = 0; kind < 3; ++kind) {
            (uint256 action, uint256 words) = (kinds[kind][0], kinds[kind][1]);
            bytes32 id = playedTo(action);
            bytes memory data = callOf(id, action);
            for (uint256 word = 1; word <= words; ++word) {
                mangle(action, data, word);
            }
            if (action == FIRST_STEP) {
                // Behind the placement's words and the place of its proof.
                for (uint256 word = 13; word < 23; ++word) {
                    mangle(action, data, word);
                }
            }
            (bool done,) = send(action, data);
            assertTrue(done, "as it was");
            tag = ITagGame(create("TagGame", abi.encode(_with)));
        }
    }

    function mangle(uint256 action, bytes memory data, uint256 word) private {
        (bool done, bytes memory returned) = send(action, changed(data, word, 1));
        assertTrue(!done, "a changed word");
        assertEq(keccak256(returned), keccak256(invalid()), "a changed word");
        (done, returned) = send(action, changed(data, word, order()));
        uint256 beyond = wordOf(data, word) + order();
        bytes memory reason = abi.encodeWithSelector(ITagGame.NotInField.selector, beyond);
        assertTrue(!done, "a word beyond the field");
        assertEq(keccak256(returned), keccak256(reason), "a word beyond the field");
    }

    function test_mangled_proofs_are_refused() public {
        for (uint256 action = JOIN; action <= FIRST_STEP + 1; ++action) {
            bytes32 id = playedTo(action);
            bytes memory data = callOf(id, action);
            // The last word of calldata holds the last bytes of the last proof.
            bytes memory broken = bytes.concat(data);
            broken[data.length - 100] = bytes1(uint8(broken[data.length - 100]) ^ 1);
            (bool done,) = send(action, broken);
            assertTrue(!done, "a broken proof");
            tag = ITagGame(create("TagGame", abi.encode(_with)));
        }
        bytes32 other = open(terms());
        (ITagGame.Placement memory placement, bytes memory proof) =
            (placementOf(JOIN), proofOf(JOIN, "placement.proof"));
        bytes memory length = abi.encodeWithSelector(ITagGame.WrongProofLength.selector, _with.proofLength);
        bytes[2] memory lengths = [bytes.concat(proof, hex"00"), bytes("")];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(players[1]);
            (bool done, bytes memory returned) =
                address(tag).call{value: STAKE}(abi.encodeCall(ITagGame.join, (other, placement, lengths[i])));
            assertTrue(!done && keccak256(returned) == keccak256(length), "a proof of another length");
        }
    }

    /// @dev True proofs in the wrong place: of the other corner, another grid, an earlier ply, another statement.
    function test_true_proofs_elsewhere_are_refused() public {
        ITagGame.Terms memory t = terms();
        (ITagGame.Placement memory start, bytes memory startProof) =
            (placementOf(CREATE), proofOf(CREATE, "placement.proof"));
        bool done;
        bytes memory returned;
        for (t.side = 5; t.side <= 8; ++t.side) {
            if (t.side == terms().side) continue;
            vm.prank(players[0]);
            (done, returned) =
                address(tag).call{value: STAKE}(abi.encodeCall(ITagGame.create, (7, t, start, startProof)));
            assertTrue(!done && keccak256(returned) == keccak256(invalid()), "another grid");
        }

        bytes32 id = open(terms());
        vm.prank(players[1]);
        (done, returned) = address(tag).call{value: STAKE}(abi.encodeCall(ITagGame.join, (id, start, startProof)));
        assertTrue(!done && keccak256(returned) == keccak256(invalid()), "the other corner");

        (done,) = send(JOIN, callOf(id, JOIN));
        (bool stepped,) = send(FIRST_STEP, callOf(id, FIRST_STEP));
        assertTrue(done && stepped, "real actions");
        ITagGame.Answer memory answer = answerOf(FIRST_STEP + 1);
        bytes memory foreign = proofOf(CAPTURE, "proof");
        refuse(players[1], abi.encodeCall(ITagGame.reply, (id, answer, foreign)), invalid(), "another statement's");
        refuse(
            players[1],
            abi.encodeCall(ITagGame.reply, (id, answerOf(FIRST_STEP + 3), proofOf(FIRST_STEP + 3, "reply.proof"))),
            invalid(),
            "a reply of the other's, to another set"
        );
        for (uint256 action = FIRST_STEP + 1; action < FIRST_STEP + 4; ++action) {
            (done,) = send(action, callOf(id, action));
            assertTrue(done, "a real action");
        }
        // The creator's first step again, from where it stands now; then its right second one.
        refuse(players[0], callOf(id, FIRST_STEP), invalid(), "a step of an earlier ply");
        (done,) = send(FIRST_STEP + 4, callOf(id, FIRST_STEP + 4));
        assertTrue(done, "the right step");
        refuse(players[1], callOf(id, FIRST_STEP + 1), invalid(), "a reply of an earlier ply");
    }

    function test_nothing_but_the_shown_king_is_captured() public {
        bytes32 id = playedTo(CAPTURE);
        bytes memory proof = proofOf(CAPTURE, "proof");
        uint256 place = vm.parseJsonUint(_json, path(CAPTURE, "place"));
        ITagGame.Answer memory answer = answerOf(CAPTURE - 1);
        for (uint8 other = 0; other < 9; ++other) {
            if (other == place) continue;
            bytes memory elsewhere = abi.encodeCall(ITagGame.capture, (id, answer, other, proof));
            refuse(players[0], elsewhere, invalid(), "a place without a king");
        }
        bytes memory right = callOf(id, CAPTURE);
        bytes memory wrongAnswer = abi.encodeWithSelector(ITagGame.WrongAnswer.selector);
        for (uint256 word = 1; word <= 10; ++word) {
            refuse(players[0], changed(right, word, 1), wrongAnswer, "another answer");
        }
        for (uint256 back = 2; back < 4; ++back) {
            ITagGame.Answer memory earlier = answerOf(CAPTURE - back);
            bytes memory late = abi.encodeCall(ITagGame.capture, (id, earlier, uint8(place), proof));
            refuse(players[0], late, wrongAnswer, "an answer of an earlier ply");
        }
        bytes memory none = abi.encodeCall(ITagGame.capture, (id, answer, 9, proof));
        refuse(players[0], none, abi.encodeWithSelector(ITagGame.NoPlace.selector), "no place");
        bytes memory notYours = abi.encodeWithSelector(IContest.NotYourTurn.selector);
        refuse(players[1], right, notYours, "the captured player");
        refuse(stranger, right, notYours, "a stranger");
        (bool done,) = send(CAPTURE, right);
        assertTrue(done, "the right one");
        bytes memory over = abi.encodeWithSelector(IContest.WrongStatus.selector, IContest.Status.Over);
        refuse(players[0], right, over, "twice");
    }

    /// @dev Before the first step there is nothing to capture by.
    function test_nothing_is_captured_without_an_answer() public {
        bytes32 id = playedTo(FIRST_STEP);
        ITagGame.Answer memory empty;
        bytes memory data = abi.encodeCall(ITagGame.capture, (id, empty, 0, proofOf(CAPTURE, "proof")));
        refuse(players[0], data, abi.encodeWithSelector(ITagGame.WrongAnswer.selector), "no answer");
    }

    function test_withholding_a_reply_or_a_step_loses() public {
        for (uint256 action = FIRST_STEP; action < FIRST_STEP + 2; ++action) {
            bytes32 id = playedTo(action);
            uint256 deadline = time() + TURN;
            bytes memory claim = abi.encodeCall(IContest.claimTimeout, (id));
            vm.warp(deadline);
            bytes memory still = abi.encodeWithSelector(IContest.StillInTime.selector, deadline);
            refuse(stranger, claim, still, "in time");
            vm.warp(deadline + 1);
            refuse(playerOf(action), callOf(id, action), abi.encodeWithSelector(IContest.OutOfTime.selector), "late");
            vm.prank(stranger);
            tag.claimTimeout(id);
            ITagGame.Game memory g = tag.game(id);
            assertTrue(g.outcome == IContest.Outcome.TimedOut, "timed out");
            address late = playerOf(action);
            assertEq(g.winner, late == players[0] ? players[1] : players[0], "who withheld nothing");
            assertEq(tag.withdrawable(g.winner), 2 * uint256(STAKE), "both stakes");
            tag = ITagGame(create("TagGame", abi.encode(_with)));
        }
    }

    function test_verifiers_must_be_there() public {
        ITagGame.Verifiers memory with = _with;
        with.captureKey = stranger;
        vm.expectRevert(abi.encodeWithSelector(IFogmate.NoVerifier.selector));
        ITagGame(create("TagGame", abi.encode(with)));
        assertEq(tag.verifiers().stepKey, _with.stepKey, "the step's key");
    }
}
