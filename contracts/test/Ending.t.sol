// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Resignation, draw and view keys: what they do and every refusal.
contract EndingTest is GameTest {
    // ---------------------------------------------------------------- resignation

    function test_either_player_resigns_at_any_time() public {
        for (uint256 i = 0; i < 4; ++i) {
            bytes32 id = played(i / 2);
            (address loser, address winner) = i % 2 == 0 ? (creator, joiner) : (joiner, creator);
            uint256 owed = fogmate.withdrawable(winner);
            vm.expectEmit(address(fogmate));
            emit IFogmate.GameEnded(id, winner, uint16(i / 2), IFogmate.Outcome.Resigned);
            vm.prank(loser);
            fogmate.resign(id);
            assertEq(fogmate.withdrawable(winner), owed + 2 * STAKE, "both stakes");
            assertEq(fogmate.game(id).winner, winner, "winner");
            assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.Resigned, "outcome");
        }
    }

    function test_resigning_is_for_players_in_play() public {
        bytes32 id = started();
        vm.prank(stranger);
        refused(IFogmate.NotPlayer.selector);
        fogmate.resign(id);
        vm.prank(creator);
        fogmate.resign(id);
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.resign(id);
        id = joined(true);
        vm.prank(joiner);
        vm.expectRevert(wrongStatus(IFogmate.Status.CreatorReveals));
        fogmate.resign(id);
    }

    /// @dev Time has decided: giving up can't change by whose fault, or who wins.
    function test_resigning_comes_too_late_after_a_deadline() public {
        bytes32 id = played(2);
        (,, uint256 deadline) = fogmate.clocks(id);
        vm.warp(deadline + 1);
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(i == 0 ? creator : joiner);
            refused(IFogmate.OutOfTime.selector);
            fogmate.resign(id);
        }
        vm.warp(deadline);
        vm.prank(joiner);
        fogmate.resign(id);
    }

    // ---------------------------------------------------------------- draw

    function offered() private returns (bytes32 id) {
        id = played(2);
        IFogmate.Move memory m = next(id);
        m.offerDraw = true;
        move(id, m);
    }

    /// @dev Accepts the draw in the position as it stands.
    function accept(bytes32 id, address by) private {
        IFogmate.Game memory g = fogmate.game(id);
        uint256 other = g.players[(g.ply & 1) ^ 1].commitment;
        vm.prank(by);
        fogmate.acceptDraw(id, g.ply, other);
    }

    function test_an_accepted_draw_gives_each_its_stake() public {
        bytes32 id = offered();
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 3, IFogmate.Outcome.DrawAgreed);
        accept(id, joiner);
        assertEq(fogmate.withdrawable(creator), STAKE, "stake");
        assertEq(fogmate.withdrawable(joiner), STAKE, "stake");
        assertEq(fogmate.game(id).winner, address(0), "nobody won");
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.DrawAgreed, "outcome");
    }

    function test_a_draw_is_accepted_by_the_player_to_move_only() public {
        bytes32 id = offered();
        uint256 other = fogmate.game(id).players[0].commitment;
        address[2] memory others = [creator, stranger];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(others[i]);
            refused(IFogmate.NotYourTurn.selector);
            fogmate.acceptDraw(id, 3, other);
        }
    }

    function testFuzz_a_draw_is_accepted_for_its_ply(uint16 ply) public {
        vm.assume(ply != 3);
        bytes32 id = offered();
        uint256 other = fogmate.game(id).players[0].commitment;
        vm.prank(joiner);
        refused(IFogmate.StalePly.selector, 3);
        fogmate.acceptDraw(id, ply, other);
    }

    function testFuzz_a_draw_is_accepted_in_its_position(uint256 other) public {
        bytes32 id = offered();
        vm.assume(other != fogmate.game(id).players[0].commitment);
        vm.prank(joiner);
        refused(IFogmate.OtherPosition.selector);
        fogmate.acceptDraw(id, 3, other);
        other = fogmate.game(id).players[1].commitment;
        vm.prank(joiner);
        refused(IFogmate.OtherPosition.selector);
        fogmate.acceptDraw(id, 3, other);
        other = fogmate.game(id).players[0].previousCommitment;
        vm.prank(joiner);
        refused(IFogmate.OtherPosition.selector);
        fogmate.acceptDraw(id, 3, other);
    }

    function test_no_draw_without_an_offer_or_after_it_died() public {
        bytes32 id = offered();
        play(id);
        uint256 other = fogmate.game(id).players[1].commitment;
        vm.prank(creator);
        refused(IFogmate.NoDrawOffer.selector);
        fogmate.acceptDraw(id, 4, other);
        id = started();
        vm.prank(creator);
        refused(IFogmate.NoDrawOffer.selector);
        fogmate.acceptDraw(id, 0, BLACK_START);
    }

    function test_no_draw_after_ones_time() public {
        bytes32 id = offered();
        uint256 other = fogmate.game(id).players[0].commitment;
        vm.warp(time() + 60 + 605 + 1);
        vm.prank(joiner);
        refused(IFogmate.OutOfTime.selector);
        fogmate.acceptDraw(id, 3, other);
        vm.warp(time() - 1);
        accept(id, joiner);
    }

    function test_a_draw_needs_a_game_in_play() public {
        bytes32 id = offered();
        accept(id, joiner);
        vm.prank(joiner);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.acceptDraw(id, 3, 0);
    }

    /// @dev Under its own hold a player may still take the draw; the hold's bond stays its own.
    function test_a_draw_is_accepted_under_a_hold() public {
        bytes32 id = offered();
        uint96 bond = demandPre(id);
        accept(id, joiner);
        vm.warp(time() + WINDOW + 1);
        fogmate.reclaim(id, IFogmate.Slot.Hold);
        assertEq(fogmate.withdrawable(joiner), STAKE + bond, "stake and bond");
    }

    // ---------------------------------------------------------------- view keys

    function test_view_keys_are_published_by_each_player_after_the_end_and_corrected() public {
        bytes32 id = played(2);
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
        fogmate.publishViewKey(id, "key");
        vm.prank(creator);
        fogmate.resign(id);

        vm.prank(stranger);
        refused(IFogmate.NotPlayer.selector);
        fogmate.publishViewKey(id, "key");
        vm.expectEmit(address(fogmate));
        emit IFogmate.ViewKeyPublished(id, joiner, "key");
        vm.prank(joiner);
        fogmate.publishViewKey(id, "key");
        assertTrue(fogmate.game(id).players[1].viewKeyPublished, "joiner's");
        assertTrue(!fogmate.game(id).players[0].viewKeyPublished, "not the creator's");
        vm.expectEmit(address(fogmate));
        emit IFogmate.ViewKeyPublished(id, joiner, "another");
        vm.prank(joiner);
        fogmate.publishViewKey(id, "another");
        assertTrue(!fogmate.game(id).players[0].viewKeyPublished, "nobody corrects the creator's");
        vm.prank(creator);
        fogmate.publishViewKey(id, "key");
        assertTrue(fogmate.game(id).players[0].viewKeyPublished, "creator's");
    }
}
