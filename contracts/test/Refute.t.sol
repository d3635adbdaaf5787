// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Refutation of unproven moves: what only a false proof gives, and every refusal.
contract RefuteTest is GameTest {
    function setUp() public override {
        super.setUp();
        _mode = IFogmate.Mode.Challengeable;
    }

    function refute(bytes32 id, address by, uint256[13] memory inputs, bytes memory proof) private {
        vm.prank(by);
        fogmate.refute(id, inputs, proof);
    }

    function testFuzz_a_false_proof_loses_the_game(uint8 plies) public {
        uint256 before = bound(plies, 0, 5);
        bytes32 id = played(before);
        (address mover, address other) = (toMove(id), notToMove(id));
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, other, uint16(before + 1), IFogmate.Outcome.Refuted);
        refute(id, other, inputs, proof);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.winner, other, "winner");
        assertTrue(g.outcome == IFogmate.Outcome.Refuted, "outcome");
        assertEq(fogmate.withdrawable(other), 2 * STAKE, "both stakes");
        assertEq(fogmate.withdrawable(mover), 0, "none");
        assertEq(_narrow.timesAsked(TURN_KEY), 1, "the verifier was asked");
        uint256[] memory words = new uint256[](13);
        for (uint256 i = 0; i < 13; ++i) {
            words[i] = inputs[i];
        }
        assertAsked(TURN_KEY, words, proof);
    }

    function test_a_right_proof_is_not_refuted() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        vm.prank(toMove(id));
        refused(IFogmate.ValidProof.selector);
        fogmate.refute(id, inputs, proof);
        play(id);
    }

    function test_without_a_verdict_nothing_is_refuted() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        address other = toMove(id);
        for (uint256 i = uint256(Verdict.Refuse) + 1; i <= uint256(type(Verdict).max); ++i) {
            _narrow.say(TURN_KEY, Verdict(i));
            vm.prank(other);
            refused(IFogmate.NoVerdict.selector);
            fogmate.refute(id, inputs, proof);
        }
        vm.etch(address(_narrow), "");
        vm.prank(other);
        refused(IFogmate.NoVerdict.selector);
        fogmate.refute(id, inputs, proof);
    }

    /// @dev Whatever gas a refuter gives: a right proof stays right.
    function testFuzz_want_of_gas_refutes_nothing(uint256 gasGiven) public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        gasGiven = bound(gasGiven, 10_000, 300_000);
        vm.prank(toMove(id));
        try fogmate.refute{gas: gasGiven}(id, inputs, proof) {
            revert NotTrue("refuted");
        } catch {}
        assertTrue(fogmate.game(id).status == IFogmate.Status.Playing, "in play");
    }

    /// @dev Every input and every byte of the proof is the mover's: with another there is nothing to refute.
    function test_other_bytes_than_the_movers_refute_nothing() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        address other = toMove(id);
        for (uint256 i = 0; i < 13; ++i) {
            ++inputs[i];
            vm.prank(other);
            refused(IFogmate.NotUnproven.selector);
            fogmate.refute(id, inputs, proof);
            --inputs[i];
        }
        for (uint256 i = 0; i < proof.length; ++i) {
            proof[i] ^= 0x01;
            vm.prank(other);
            refused(IFogmate.NotUnproven.selector);
            fogmate.refute(id, inputs, proof);
            proof[i] ^= 0x01;
        }
        bytes[3] memory lengths = [bytes(""), bytes.concat(proof, hex"00"), proofOf(5)];
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(other);
            refused(IFogmate.NotUnproven.selector);
            fogmate.refute(id, inputs, lengths[i]);
        }
        refute(id, other, inputs, proof);
    }

    function test_only_the_opponent_refutes() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        address[2] memory others = [notToMove(id), stranger];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(others[i]);
            refused(IFogmate.NotYourTurn.selector);
            fogmate.refute(id, inputs, proof);
        }
    }

    /// @dev Who has moved on has accepted the move; and the next move's hash has taken its place.
    function test_nothing_is_refuted_after_the_own_move() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        address other = toMove(id);
        play(id);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        vm.prank(other);
        refused(IFogmate.NotYourTurn.selector);
        fogmate.refute(id, inputs, proof);
        play(id);
        vm.prank(other);
        refused(IFogmate.NotUnproven.selector);
        fogmate.refute(id, inputs, proof);
    }

    function test_before_any_move_there_is_nothing_to_refute() public {
        bytes32 id = started();
        uint256[13] memory inputs;
        _narrow.say(TURN_KEY, Verdict.Refuse);
        vm.prank(creator);
        refused(IFogmate.NotUnproven.selector);
        fogmate.refute(id, inputs, "");
    }

    function test_verified_moves_are_never_refuted() public {
        _mode = IFogmate.Mode.Verified;
        bytes32 id = played(4);
        assertEq(uint256(fogmate.game(id).unproven), 0, "nothing is kept");
        uint256[13] memory inputs;
        _narrow.say(TURN_KEY, Verdict.Refuse);
        vm.prank(creator);
        refused(IFogmate.NotUnproven.selector);
        fogmate.refute(id, inputs, "");
    }

    /// @dev Also while either player's demands are open, its own hold too: they outlive the game.
    function test_a_move_is_refuted_under_a_hold_and_demands() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        address other = toMove(id);
        uint96 bond = demandPre(id);
        demandPost(id, 1);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        refute(id, other, inputs, proof);
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.Refuted, "refuted");
        vm.warp(time() + WINDOW + 1);
        fogmate.reclaim(id, IFogmate.Slot.Hold);
        fogmate.reclaim(id, IFogmate.Slot.BlackPost);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE + bond, "stakes and bond");
        assertEq(fogmate.withdrawable(joiner), bond, "bond");
    }

    function test_a_move_is_refuted_in_the_last_second_and_not_after() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        address other = toMove(id);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        (,, uint256 deadline) = fogmate.clocks(id);
        vm.warp(deadline + 1);
        vm.prank(other);
        refused(IFogmate.OutOfTime.selector);
        fogmate.refute(id, inputs, proof);
        vm.warp(deadline);
        refute(id, other, inputs, proof);
    }

    function test_a_game_that_is_over_is_not_refuted() public {
        bytes32 id = played(3);
        (uint256[13] memory inputs, bytes memory proof) = unproven(id);
        address other = toMove(id);
        vm.prank(other);
        fogmate.resign(id);
        vm.prank(other);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.refute(id, inputs, proof);
    }
}
