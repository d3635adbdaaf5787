// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The coin toss: both reveals, their refusals, and what becomes of who stays silent.
contract TossTest is GameTest {
    /// @dev A joined game with these shares.
    function joinedWith(uint256 r1, uint256 r2) private returns (bytes32 id) {
        vm.prank(creator);
        id = fogmate.create{value: terms().stake}(0, terms(), commitment(r1, creator), creatorKey());
        vm.prank(joiner);
        fogmate.join{value: terms().stake}(id, commitment(r2, joiner), joinerKey());
    }

    // ---------------------------------------------------------------- the colours

    function testFuzz_the_shares_and_the_game_decide_the_colours(uint256 r1, uint256 r2, uint8 mode) public {
        _mode = modeOf(mode);
        bytes32 id = joinedWith(r1, r2);
        uint256 joinedAt = time();
        vm.warp(joinedAt + 17);
        vm.expectEmit(address(fogmate));
        emit IFogmate.TossRevealed(id, r1);
        vm.prank(creator);
        fogmate.revealCreator(id, r1, commitment(r2, joiner));
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.JoinerReveals, "status");
        assertEq(g.tossShare, r1, "share");
        assertEq(g.since, joinedAt, "the join's time still counts");

        bool creatorWhite = uint256(keccak256(abi.encode(r1, r2, id))) % 2 == 0;
        (address white, address black) = creatorWhite ? (creator, joiner) : (joiner, creator);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameStarted(id, white, black, r2);
        vm.prank(joiner);
        fogmate.revealJoiner(id, r2);

        g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.Playing, "status");
        assertEq(g.players[0].account, white, "white");
        assertEq(g.players[1].account, black, "black");
        assertEq(g.players[0].fogKey.x, creatorWhite ? creatorKey().x : joinerKey().x, "key goes with its owner");
        assertEq(g.players[0].commitment, WHITE_START, "start of white");
        assertEq(g.players[1].commitment, BLACK_START, "start of black");
        for (uint256 color = 0; color < 2; ++color) {
            assertEq(g.players[color].clock, BASE, "clock");
            assertEq(g.players[color].previousCommitment + g.players[color].requestRoot, 0, "nothing before a move");
            assertTrue(!g.players[color].postDemanded && g.players[color].postDeadline == 0, "no demand");
            assertEq(g.players[color].claimsFrom, 0, "no bar");
        }
        assertEq(g.pending, 64, "pending");
        assertEq(g.previousPending, 64, "previous pending");
        assertEq(g.ply, 0, "ply");
        assertEq(g.tossShare, 0, "share cleared");
        assertEq(g.answerRoot, 0, "no answer");
        assertEq(g.since, time(), "white's first delay begins");
    }

    /// @dev The same two shares give other colours in other games: neither can be tried out beforehand.
    function test_the_game_itself_takes_part_in_the_toss() public {
        uint256 white;
        for (uint256 nonce = 0; nonce < 32; ++nonce) {
            vm.prank(creator);
            bytes32 id = fogmate.create{value: STAKE}(nonce, terms(), commitment(R1, creator), creatorKey());
            vm.prank(joiner);
            fogmate.join{value: STAKE}(id, commitment(5, joiner), joinerKey());
            vm.prank(creator);
            fogmate.revealCreator(id, R1, commitment(5, joiner));
            vm.prank(joiner);
            fogmate.revealJoiner(id, 5);
            if (fogmate.game(id).players[0].account == creator) ++white;
        }
        assertTrue(white > 4 && white < 28, "both colours");
    }

    // ---------------------------------------------------------------- the creator's reveal

    function testFuzz_the_creator_reveals_what_it_committed_to(uint256 r1) public {
        vm.assume(r1 != R1);
        bytes32 id = joined(true);
        vm.prank(creator);
        refused(IFogmate.WrongReveal.selector);
        fogmate.revealCreator(id, r1, commitment(share(id, true), joiner));
    }

    /// @dev After a reorganisation another joiner may sit at the table: the share isn't given to that one.
    function testFuzz_the_creator_reveals_for_the_joiner_that_it_saw(bytes32 seen) public {
        bytes32 id = joined(true);
        bytes32 current = commitment(share(id, true), joiner);
        vm.assume(seen != current);
        vm.prank(creator);
        vm.expectRevert(abi.encodeWithSelector(IFogmate.WrongJoiner.selector, current));
        fogmate.revealCreator(id, R1, seen);
    }

    function test_the_creators_reveal_is_the_creators_alone() public {
        bytes32 id = joined(true);
        address[2] memory others = [joiner, stranger];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(others[i]);
            refused(IFogmate.NotYourTurn.selector);
            fogmate.revealCreator(id, R1, commitment(share(id, true), joiner));
        }
    }

    function test_the_creators_reveal_needs_a_joined_game_and_happens_once() public {
        bytes32[3] memory ids = [open(), halfRevealed(true), started()];
        IFogmate.Status[3] memory status =
            [IFogmate.Status.Open, IFogmate.Status.JoinerReveals, IFogmate.Status.Playing];
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(creator);
            vm.expectRevert(wrongStatus(status[i]));
            fogmate.revealCreator(ids[i], R1, 0);
        }
    }

    // ---------------------------------------------------------------- the joiner's reveal

    function testFuzz_the_joiner_reveals_what_it_committed_to(uint256 r2) public {
        bytes32 id = halfRevealed(true);
        vm.assume(r2 != share(id, true));
        vm.prank(joiner);
        refused(IFogmate.WrongReveal.selector);
        fogmate.revealJoiner(id, r2);
    }

    function test_the_joiners_reveal_is_the_joiners_alone() public {
        bytes32 id = halfRevealed(true);
        address[2] memory others = [creator, stranger];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(others[i]);
            refused(IFogmate.NotYourTurn.selector);
            fogmate.revealJoiner(id, share(id, true));
        }
    }

    function test_the_joiner_reveals_second_and_once() public {
        bytes32[3] memory ids = [open(), joined(true), started()];
        IFogmate.Status[3] memory status =
            [IFogmate.Status.Open, IFogmate.Status.CreatorReveals, IFogmate.Status.Playing];
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(joiner);
            vm.expectRevert(wrongStatus(status[i]));
            fogmate.revealJoiner(ids[i], 0);
        }
    }

    /// @dev A joiner that copies the creator's commitment, to reveal the creator's share after it, has none of its own.
    function test_a_copied_commitment_opens_for_nobody_else() public {
        bytes32 id = open();
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, commitment(R1, creator), joinerKey());
        vm.prank(creator);
        fogmate.revealCreator(id, R1, commitment(R1, creator));
        vm.prank(joiner);
        refused(IFogmate.WrongReveal.selector);
        fogmate.revealJoiner(id, R1);
    }

    // ---------------------------------------------------------------- in time

    function test_the_creator_reveals_in_the_last_second_and_not_after() public {
        bytes32 id = joined(true);
        uint256 last = time() + REVEAL;
        clocksInTheToss(id, last);
        uint256 before = vm.snapshotState();
        vm.warp(last);
        refused(IFogmate.StillInTime.selector, last);
        fogmate.claimTimeout(id);
        vm.prank(creator);
        fogmate.revealCreator(id, R1, commitment(share(id, true), joiner));
        vm.revertToState(before);
        vm.warp(last + 1);
        vm.prank(creator);
        refused(IFogmate.OutOfTime.selector);
        fogmate.revealCreator(id, R1, commitment(share(id, true), joiner));
    }

    /// @dev Its time is counted from the join, however soon or late the creator has revealed.
    function testFuzz_the_joiner_reveals_in_the_last_second_and_not_after(uint256 creatorsTime) public {
        bytes32 id = joined(true);
        uint256 last = time() + 2 * REVEAL;
        vm.warp(time() + bound(creatorsTime, 0, REVEAL));
        vm.prank(creator);
        fogmate.revealCreator(id, R1, commitment(share(id, true), joiner));
        clocksInTheToss(id, last);
        uint256 before = vm.snapshotState();
        vm.warp(last);
        refused(IFogmate.StillInTime.selector, last);
        fogmate.claimTimeout(id);
        vm.prank(joiner);
        fogmate.revealJoiner(id, share(id, true));
        vm.revertToState(before);
        vm.warp(last + 1);
        vm.prank(joiner);
        refused(IFogmate.OutOfTime.selector);
        fogmate.revealJoiner(id, share(id, true));
    }

    function clocksInTheToss(bytes32 id, uint256 last) private view {
        (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
        assertEq(deadline, last, "deadline");
        assertEq(white, BASE, "base time of both");
        assertEq(black, BASE, "base time of both");
    }

    /// @dev Nobody knew anything: each has its own back, and who slept has lost nothing.
    function test_a_silent_creator_gets_its_stake_and_the_joiner_too() public {
        bytes32 id = joined(true);
        vm.warp(time() + REVEAL + 1);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 0, IFogmate.Outcome.Unrevealed);
        vm.prank(stranger);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), STAKE, "its own");
        assertEq(fogmate.withdrawable(joiner), STAKE, "its own");
        assertEq(fogmate.game(id).winner, address(0), "nobody won");
    }

    /// @dev The joiner knows both shares, so leaving costs it its stake.
    function test_a_silent_joiner_forfeits() public {
        bytes32 id = halfRevealed(true);
        vm.warp(time() + 2 * REVEAL + 1);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, creator, 0, IFogmate.Outcome.Unrevealed);
        vm.prank(stranger);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "both stakes");
        assertEq(fogmate.game(id).winner, creator, "winner");
    }

    function test_an_open_game_has_no_clock() public {
        bytes32 id = open();
        (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
        assertEq(white + black + deadline, 0, "no clock");
        vm.warp(time() + 365 days);
        vm.expectRevert(wrongStatus(IFogmate.Status.Open));
        fogmate.claimTimeout(id);
    }

    // ---------------------------------------------------------------- nobody chooses

    /// @dev Once it is joined nobody gets out for free who knows a share: the creator can't cancel, before its reveal or
    /// after; and neither resigns before the colours are known, or plays.
    function test_nobody_leaves_a_toss_unharmed() public {
        bytes32[2] memory ids = [joined(true), halfRevealed(true)];
        IFogmate.Status[2] memory status = [IFogmate.Status.CreatorReveals, IFogmate.Status.JoinerReveals];
        address[2] memory players = [creator, joiner];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory why = wrongStatus(status[i / 2]);
            vm.prank(players[i % 2]);
            vm.expectRevert(why);
            fogmate.cancel(ids[i / 2]);
            vm.prank(players[i % 2]);
            vm.expectRevert(why);
            fogmate.resign(ids[i / 2]);
            IFogmate.Move memory m;
            vm.prank(players[i % 2]);
            vm.expectRevert(why);
            fogmate.move(ids[i / 2], m, "");
        }
    }

    /// @dev Nobody waits for time to reveal that isn't needed, and White has none of it.
    function testFuzz_whites_clock_runs_from_the_second_reveal(uint256 first, uint256 second) public {
        bytes32 id = joined(true);
        uint256 joinedAt = time();
        first = bound(first, 0, REVEAL);
        vm.warp(joinedAt + first);
        vm.prank(creator);
        fogmate.revealCreator(id, R1, commitment(share(id, true), joiner));
        second = joinedAt + bound(second, first, 2 * REVEAL);
        vm.warp(second);
        vm.prank(joiner);
        fogmate.revealJoiner(id, share(id, true));
        assertEq(fogmate.game(id).since, second, "since");
        (uint256 white,, uint256 deadline) = fogmate.clocks(id);
        assertEq(deadline, second + DELAY + BASE, "deadline");
        assertEq(white, BASE, "white's clock");
    }
}
