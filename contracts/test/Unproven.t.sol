// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Games whose moves nobody proves: what is registered for them, what they are refused, and that all else is as always.
/// The refusals of a move are in MoveRefusals.t.sol, those of any order of actions in AnyPlay.t.sol.
contract UnprovenTest is GameTest {
    function setUp() public override {
        super.setUp();
        _mode = IFogmate.Mode.Unproven;
        // No verifier is needed: these would have no verdict.
        vm.etch(address(_narrow), "");
        vm.etch(address(_wide), "");
    }

    // ---------------------------------------------------------------- create and join

    function testFuzz_nothing_is_staked(uint96 stake) public {
        stake = uint96(bound(stake, 1, 100 ether));
        IFogmate.Terms memory t = terms();
        t.stake = stake;
        vm.prank(creator);
        refused(IFogmate.NoStakes.selector);
        fogmate.create{value: stake}(0, t, 0, seedOf(0));
        // Nor is anything paid in without being staked.
        vm.prank(creator);
        refused(IFogmate.WrongStake.selector, 0);
        fogmate.create{value: stake}(0, terms(), 0, seedOf(0));
        bytes32 id = open();
        vm.prank(joiner);
        refused(IFogmate.WrongStake.selector, 0);
        fogmate.join{value: stake}(id, 0, seedOf(1));
        assertEq(address(fogmate).balance, 0, "balance");
    }

    /// @dev The first word may be anything, a number above the field's order too: nothing is to be proven of it.
    function testFuzz_what_is_registered_needs_a_name_alone(uint256 first, uint256 name) public {
        vm.prank(creator);
        if (name == 0) refused(IFogmate.NoEngine.selector);
        bytes32 id = fogmate.create(0, terms(), 0, IFogmate.Point(first, name));
        if (name == 0) return;
        IFogmate.Point memory shown = fogmate.game(id).players[0].fogKey;
        assertEq(shown.x, first, "the commitment");
        assertEq(shown.y, name, "the name");
    }

    function test_a_game_needs_the_name_of_an_engine() public {
        vm.prank(creator);
        refused(IFogmate.NoEngine.selector);
        fogmate.create(0, terms(), 0, IFogmate.Point(1, 0));
    }

    function testFuzz_both_play_with_the_same_engine(uint256 other) public {
        vm.assume(other != ENGINE);
        bytes32 id = open();
        vm.prank(joiner);
        refused(IFogmate.OtherEngine.selector, ENGINE);
        fogmate.join(id, 0, IFogmate.Point(5, other));
        // Each with a seed of its own.
        vm.prank(joiner);
        refused(IFogmate.SameFogKey.selector);
        fogmate.join(id, 0, seedOf(0));
        vm.prank(joiner);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameJoined(id, joiner, "toss", seedOf(1));
        fogmate.join(id, "toss", seedOf(1));
    }

    /// @dev A fog key is no registration of an engine: who plays sight-lines can't sit down by mistake.
    function test_a_fog_key_joins_no_unproven_game_and_a_name_no_proven_one() public {
        bytes32 id = open();
        vm.prank(joiner);
        refused(IFogmate.OtherEngine.selector, ENGINE);
        fogmate.join(id, 0, IFogmate.Point(DOUBLE_X, DOUBLE_Y));
        _mode = IFogmate.Mode.Verified;
        id = open();
        vm.prank(joiner);
        refused(IFogmate.BadFogKey.selector);
        fogmate.join{value: STAKE}(id, 0, seedOf(1));
        vm.prank(creator);
        refused(IFogmate.BadFogKey.selector);
        fogmate.create{value: STAKE}(9, terms(), 0, seedOf(0));
    }

    function test_the_id_binds_what_is_registered() public view {
        IFogmate.Point memory key = seedOf(0);
        bytes32 id = fogmate.gameIdOf(creator, 0, terms(), 0, key);
        for (uint256 i = 0; i < 2; ++i) {
            if (i == 0) key.x ^= 1;
            else (key.x, key.y) = (seedOf(0).x, key.y ^ 1);
            assertTrue(id != fogmate.gameIdOf(creator, 0, terms(), 0, key), "another id");
        }
    }

    // ---------------------------------------------------------------- a whole game

    /// @dev Commitments, roots and contexts are kept as always, no proof is asked for, and a king ends the game.
    function test_a_whole_game() public {
        bytes32 id = started();
        vm.recordLogs();
        for (uint256 i = 0; i < 9; ++i) {
            IFogmate.Move memory m = i == 8 ? nextKing(id) : next(id, i == 5 ? 27 : 64);
            address mover = toMove(id);
            vm.warp(time() + 30);
            vm.expectEmit(address(fogmate));
            emit IFogmate.Moved(
                id, mover, m.ply, m.capture, m.kingFell, false, m.nextCommitment, m.nextRequestRoot, m.answerRoot
            );
            move(id, m);
            IFogmate.Game memory g = fogmate.game(id);
            assertEq(g.players[i % 2].commitment, m.nextCommitment, "commitment");
            assertEq(g.players[i % 2].requestRoot, m.nextRequestRoot, "the transcript chain");
            if (i > 0) assertEq(g.answerRoot, m.answerRoot, "the digest of the opening");
            assertEq(g.pending, m.capture, "pending");
            if (i > 0 && i < 8) {
                assertEq(fogmate.contextOf(id, IFogmate.Phase.Pre), preExchange(id).ctx, "context");
            }
        }
        IFogmate.Game memory over = fogmate.game(id);
        assertTrue(over.status == IFogmate.Status.Over, "over");
        assertTrue(over.outcome == IFogmate.Outcome.KingCaptured, "outcome");
        assertEq(over.winner, creator, "winner");
        assertEq(fogmate.withdrawable(creator) + fogmate.withdrawable(joiner), 0, "nothing was at stake");
        vm.prank(creator);
        refused(IFogmate.NothingOwed.selector);
        fogmate.withdraw(payable(creator));
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(i == 0 ? creator : joiner);
            vm.expectEmit(address(fogmate));
            emit IFogmate.ViewKeyPublished(id, i == 0 ? creator : joiner, bytes32(i + 1));
            fogmate.publishViewKey(id, bytes32(i + 1));
        }
    }

    function test_other_ends_are_as_always() public {
        bytes32 id = played(3);
        vm.prank(creator);
        fogmate.resign(id);
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.Resigned, "resigned");

        id = played(3);
        IFogmate.Move memory m = next(id);
        m.offerDraw = true;
        move(id, m);
        vm.prank(creator);
        fogmate.acceptDraw(id, 4, m.nextCommitment);
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.DrawAgreed, "agreed");

        id = played(3);
        vm.warp(time() + 1 days);
        vm.prank(stranger);
        fogmate.claimTimeout(id);
        assertEq(fogmate.game(id).winner, creator, "on time");

        id = open();
        vm.prank(creator);
        fogmate.cancel(id);
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.Cancelled, "cancelled");
        assertEq(address(fogmate).balance, 0, "no wei came in");
    }

    function test_the_digest_of_an_opening_can_be_filled() public {
        bytes32 id = played(3);
        move(id, nextWithoutAnswer(id));
        uint256 ctx = preExchange(id).ctx;
        vm.prank(joiner);
        fogmate.fillAnswer(id, ctx, FIELD_ORDER - 1);
        assertEq(fogmate.game(id).answerRoot, FIELD_ORDER - 1, "filled");
    }

    // ---------------------------------------------------------------- what needs a proof

    function test_whatever_needs_a_proof_is_refused() public {
        bytes32 id = played(4);
        IFogmate.Exchange memory e = preExchange(id);
        bytes[5] memory calls = [
            abi.encodeCall(IFogmate.demandSight, (id, IFogmate.Phase.Pre, points(1), proofOf(1))),
            abi.encodeCall(IFogmate.demandSight, (id, IFogmate.Phase.Post, points(1), proofOf(1))),
            abi.encodeCall(IFogmate.answerSight, (id, e, 7, elements(1), wideProof())),
            abi.encodeCall(IFogmate.respondFifty, (id, true, proofOf(1))),
            abi.encodeCall(IFogmate.claimNoMove, (id, proofOf(1)))
        ];
        uint256 bond = fogmate.leastBond(false);
        bytes32 before = keccak256(abi.encode(fogmate.game(id)));
        for (uint256 i = 0; i < calls.length; ++i) {
            for (uint256 by = 0; by < 3; ++by) {
                refuse(by == 0 ? creator : by == 1 ? joiner : stranger, i < 2 ? bond : 0, calls[i]);
            }
        }
        assertEq(keccak256(abi.encode(fogmate.game(id))), before, "nothing has changed");
        // Now the claim of fifty moves fails for nothing else.
        skipHundred(id);
        refuse(creator, fogmate.leastBond(true), abi.encodeCall(IFogmate.claimFifty, (id, proofOf(1))));
        assertEq(address(fogmate).balance, 0, "no bond stays");
    }

    /// @dev After the end too, when an answer would only settle a bond.
    function test_there_is_nothing_to_settle_after_the_end() public {
        bytes32 id = played(4);
        IFogmate.Exchange memory e = preExchange(id);
        vm.prank(creator);
        fogmate.resign(id);
        refuse(joiner, 0, abi.encodeCall(IFogmate.answerSight, (id, e, 7, elements(1), wideProof())));
        vm.warp(time() + 30 days);
        for (uint256 i = 0; i < 3; ++i) {
            refused(IFogmate.NothingOwed.selector);
            fogmate.reclaim(id, IFogmate.Slot(i));
        }
    }

    function refuse(address by, uint256 value, bytes memory data) private {
        vm.prank(by);
        (bool done, bytes memory why) = address(fogmate).call{value: value}(data);
        assertTrue(!done, "refused");
        assertEq(keccak256(why), keccak256(abi.encodeWithSelector(IFogmate.NoProofs.selector)), "by this name");
    }

    // ---------------------------------------------------------------- calldata

    /// @dev Every field of a move but its answer and the offer of a draw, changed by one bit, is refused.
    function test_every_field_of_a_move_is_bound_or_kept() public {
        bytes32 id = played(3);
        IFogmate.Move memory good = next(id);
        uint256 state = vm.snapshotState();
        // nextCommitment, nextRequestRoot, answerRoot, basis, ply, capture, kingFell, offerDraw: whether it is taken.
        bool[8] memory taken = [false, false, true, false, false, false, false, true];
        for (uint256 i = 0; i < 8; ++i) {
            bytes memory data = abi.encodeCall(IFogmate.move, (id, good, bytes("")));
            assembly ("memory-safe") {
                let place := add(add(data, 68), mul(32, i))
                mstore(place, xor(mload(place), 1))
            }
            vm.prank(joiner);
            (bool made,) = address(fogmate).call(data);
            assertTrue(made == taken[i], string.concat("field ", vm.toString(i)));
            IFogmate.Game memory g = fogmate.game(id);
            if (i == 2) assertEq(g.answerRoot, good.answerRoot ^ 1, "kept");
            if (i == 7) assertTrue(g.drawOffered, "kept");
            vm.revertToState(state);
            state = vm.snapshotState();
        }
    }
}
