// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The coin toss: reveal, its refusals, and the forfeit of who doesn't reveal.
contract TossTest is GameTest {
    function testFuzz_reveal_decides_colours_by_parity(uint256 r1, uint256 r2) public {
        vm.prank(creator);
        bytes32 id = fogmate.create{value: STAKE}(terms(), commitment(r1, creator), creatorKey());
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, r2, joinerKey());
        bool creatorWhite = uint256(keccak256(abi.encode(r1, r2))) % 2 == 0;
        (address white, address black) = creatorWhite ? (creator, joiner) : (joiner, creator);
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.GameStarted(id, white, black, r1);
        vm.prank(creator);
        fogmate.reveal(id, r1);

        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.Playing, "status");
        assertEq(g.players[0].account, white, "white");
        assertEq(g.players[1].account, black, "black");
        assertEq(g.players[0].fogKey.x, creatorWhite ? 1 : DOUBLE_X, "key goes with its owner");
        assertEq(g.players[0].commitment, WHITE_START, "start of white");
        assertEq(g.players[1].commitment, BLACK_START, "start of black");
        assertEq(g.players[0].clock, 600, "clock");
        assertEq(g.pending, 64, "pending");
        assertEq(g.ply, 0, "ply");
        assertEq(g.tossCommitment, 0, "toss cleared");
        assertEq(g.tossShare, 0, "share cleared");
    }

    function testFuzz_reveal_refuses_every_other_share(uint256 r1) public {
        vm.assume(r1 != R1);
        bytes32 id = joined(true);
        vm.prank(creator);
        refused(IFogmate.WrongReveal.selector);
        fogmate.reveal(id, r1);
    }

    function test_reveal_refuses_a_commitment_copied_from_another_creator() public {
        vm.prank(stranger);
        bytes32 id = fogmate.create{value: STAKE}(terms(), commitment(R1, creator), creatorKey());
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, 0, joinerKey());
        vm.prank(stranger);
        refused(IFogmate.WrongReveal.selector);
        fogmate.reveal(id, R1);
    }

    function test_reveal_is_the_creators_alone() public {
        bytes32 id = joined(true);
        vm.prank(joiner);
        refused(IFogmate.NotCreator.selector);
        fogmate.reveal(id, R1);
    }

    function test_reveal_needs_a_joined_game_and_happens_once() public {
        bytes32 id = open();
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Open));
        fogmate.reveal(id, R1);
        id = started();
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
        fogmate.reveal(id, R1);
    }

    function test_reveal_in_the_last_second_and_not_after() public {
        bytes32 id = joined(true);
        uint256 last = block.timestamp + 1 hours;
        (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
        assertEq(deadline, last, "deadline");
        assertEq(white, 600, "base time of both");
        assertEq(black, 600, "base time of both");
        uint256 before = vm.snapshotState();
        vm.warp(last);
        refused(IFogmate.StillInTime.selector, last);
        fogmate.claimTimeout(id);
        vm.prank(creator);
        fogmate.reveal(id, R1);
        assertTrue(fogmate.game(id).status == IFogmate.Status.Playing, "in time");
        vm.revertToState(before);
        vm.warp(last + 1);
        vm.prank(creator);
        refused(IFogmate.OutOfTime.selector);
        fogmate.reveal(id, R1);
    }

    function test_not_revealing_forfeits() public {
        bytes32 id = joined(true);
        vm.warp(block.timestamp + 1 hours + 1);
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.GameEnded(id, joiner, 0, IFogmate.Outcome.Unrevealed);
        vm.prank(stranger);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(joiner), 2 * STAKE, "both stakes");
        assertEq(fogmate.game(id).winner, joiner, "winner");
    }

    function test_an_open_game_has_no_clock() public {
        bytes32 id = open();
        (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
        assertEq(white + black + deadline, 0, "no clock");
        vm.warp(block.timestamp + 365 days);
        vm.expectRevert(wrongStatus(IFogmate.Status.Open));
        fogmate.claimTimeout(id);
    }
}
