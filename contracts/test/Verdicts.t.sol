// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Which deadline decides: the earliest, and of several in one second the hold's, then White's demand, then Black's, then
/// the clock. And what is left of the bonds then.
contract VerdictsTest is GameTest {
    struct Due {
        uint256 last;
        address winner;
        IFogmate.Outcome outcome;
    }

    /// @dev Ends the game by its verdict and compares.
    function decides(bytes32 id, uint256 last, address winner, IFogmate.Outcome outcome) private {
        (,, uint256 deadline) = fogmate.clocks(id);
        assertEq(deadline, last, "deadline");
        vm.warp(last);
        refused(IFogmate.StillInTime.selector, last);
        fogmate.claimTimeout(id);
        vm.warp(last + 1);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, winner, fogmate.game(id).ply, outcome);
        vm.prank(stranger);
        fogmate.claimTimeout(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.winner, winner, "winner");
        assertTrue(g.outcome == outcome, "outcome");
    }

    /// @dev A game of four plies whose clocks run longer than any window.
    function slow() private returns (bytes32 id) {
        IFogmate.Terms memory t = terms();
        t.base = 30 days;
        id = started(t, true);
        play(id, 4);
    }

    // ---------------------------------------------------------------- each alone

    function test_an_unanswered_hold_loses_the_asked_the_game() public {
        bytes32 id = slow();
        demandPre(id);
        decides(id, time() + WINDOW, creator, IFogmate.Outcome.Unanswered);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "stakes");
    }

    function test_an_unanswered_post_demand_loses_the_asked_the_game() public {
        for (uint256 color = 0; color < 2; ++color) {
            bytes32 id = slow();
            demandPost(id, color);
            decides(id, time() + WINDOW, accountOf(id, color), IFogmate.Outcome.Unanswered);
        }
    }

    // ---------------------------------------------------------------- ties

    /// @dev All in one second, one taken away at a time. White is to move. White's demand and the hold win for White,
    /// Black's demand and the clock for Black.
    function test_ties_go_to_the_hold_then_white_then_black_then_the_clock() public {
        for (uint256 i = 0; i < 4; ++i) {
            IFogmate.Terms memory t = terms();
            bytes32 id;
            // White's clock after two moves and two increments ends with the window.
            t.window = DELAY + BASE + 2 * INCREMENT;
            id = started(t, true);
            play(id, 4);
            uint256 last = time() + t.window;
            if (i < 1) demandPre(id);
            if (i < 2) demandPost(id, 0);
            if (i < 3) demandPost(id, 1);
            IFogmate.Outcome outcome = i < 3 ? IFogmate.Outcome.Unanswered : IFogmate.Outcome.TimedOut;
            decides(id, last, i < 2 ? creator : joiner, outcome);
        }
    }

    /// @dev The same with Black to move: its hold and its demand win for it, but White's demand comes before Black's.
    function test_ties_with_black_to_move() public {
        for (uint256 i = 0; i < 4; ++i) {
            IFogmate.Terms memory t = terms();
            t.window = DELAY + BASE + INCREMENT;
            bytes32 id = started(t, true);
            play(id, 3);
            uint256 last = time() + t.window;
            if (i < 1) demandPre(id);
            if (i < 2) demandPost(id, 0);
            if (i < 3) demandPost(id, 1);
            address[4] memory winners = [joiner, creator, joiner, creator];
            IFogmate.Outcome outcome = i < 3 ? IFogmate.Outcome.Unanswered : IFogmate.Outcome.TimedOut;
            decides(id, last, winners[i], outcome);
        }
    }

    function test_a_tied_claim_of_fifty_moves_comes_before_the_demands() public {
        bytes32 id = slow();
        skipHundred(id);
        uint256 bond = fogmate.leastBond(true);
        vm.prank(creator);
        fogmate.claimFifty{value: bond}(id, proofOf(1));
        demandPost(id, 0);
        demandPost(id, 1);
        decides(id, time() + WINDOW, address(0), IFogmate.Outcome.FiftyMoves);
        assertEq(fogmate.withdrawable(creator), STAKE, "its own");
        assertEq(fogmate.withdrawable(joiner), STAKE, "its own");
    }

    // ---------------------------------------------------------------- any times

    /// @dev Any of the demands, in any order, at any times: a plain list of deadlines tells who wins, and until then the
    /// player to move may capture the king, after it nobody does anything.
    function testFuzz_the_earliest_deadline_decides(uint8[3] memory when, uint8 which, uint8 late) public {
        IFogmate.Terms memory t = terms();
        t.stake = 0;
        // Times of some ten seconds, so that every order and every tie occurs.
        (t.window, t.base, t.delay, t.increment) = (uint32(bound(which, 8, 24)), 12, 4, 0);
        bytes32 id = started(t, true);
        play(id, 4);
        Due[4] memory due;
        uint256 start = time();
        // The clock, as long as no hold is open.
        due[3] = Due(start + t.delay + t.base, joiner, IFogmate.Outcome.TimedOut);
        for (uint256 second = 0; second < 16; ++second) {
            vm.warp(start + second);
            for (uint256 i = 0; i < 3; ++i) {
                if (when[i] % 20 != second || due[0].last + due[1].last + due[2].last == type(uint256).max) continue;
                (,, uint256 deadline) = fogmate.clocks(id);
                if (time() > deadline) continue;
                if (i == 0) {
                    demandPre(id);
                    due[3].last = 0;
                } else {
                    demandPost(id, i - 1);
                }
                address winner = i == 0 ? creator : accountOf(id, i - 1);
                due[i] = Due(time() + t.window, winner, IFogmate.Outcome.Unanswered);
            }
        }
        Due memory first;
        for (uint256 i = 0; i < 4; ++i) {
            if (due[i].last != 0 && (first.last == 0 || due[i].last < first.last)) first = due[i];
        }
        (,, uint256 said) = fogmate.clocks(id);
        assertEq(said, first.last, "deadline");
        vm.warp(first.last > time() ? first.last : time());
        if (time() == first.last) {
            uint256 before = vm.snapshotState();
            move(id, nextKing(id));
            vm.revertToState(before);
        }
        vm.warp(first.last + 1 + late);
        refuseMove(id, nextKing(id), abi.encodeWithSelector(IFogmate.OutOfTime.selector));
        fogmate.claimTimeout(id);
        assertEq(fogmate.game(id).winner, first.winner, "winner");
        assertTrue(fogmate.game(id).outcome == first.outcome, "outcome");
    }

    /// @dev After the deadline it doesn't matter who calls, when, or what: all is refused but what settles.
    function test_after_a_verdict_everything_is_refused_but_what_settles() public {
        bytes32 id = played(4);
        (,, uint256 deadline) = fogmate.clocks(id);
        vm.warp(deadline + 1);
        IFogmate.Move memory m = next(id);
        bytes[8] memory calls = [
            abi.encodeCall(IFogmate.move, (id, m, _proof)),
            abi.encodeCall(IFogmate.resign, (id)),
            abi.encodeCall(IFogmate.acceptDraw, (id, 4, 0)),
            abi.encodeCall(IFogmate.demandSight, (id, IFogmate.Phase.Pre, points(1), _proof)),
            abi.encodeCall(IFogmate.fillAnswer, (id, 0, 1)),
            abi.encodeCall(IFogmate.claimFifty, (id, _proof)),
            abi.encodeCall(IFogmate.respondFifty, (id, false, _proof)),
            abi.encodeCall(IFogmate.claimNoMove, (id, _proof))
        ];
        address[3] memory senders = [creator, joiner, stranger];
        for (uint256 i = 0; i < calls.length; ++i) {
            for (uint256 k = 0; k < 3; ++k) {
                vm.prank(senders[k]);
                (bool done, bytes memory why) = address(fogmate).call(calls[i]);
                assertTrue(!done && bytes4(why) == IFogmate.OutOfTime.selector, "out of time");
            }
        }
        vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
        fogmate.reclaim(id, IFogmate.Slot.Hold);
        fogmate.claimTimeout(id);
    }

    // ---------------------------------------------------------------- reclaim

    /// @dev By anyone, to its owner, once; after the end and after the deadline, both to the second.
    function test_a_bond_that_nobody_earned_goes_back_to_its_owner_once() public {
        for (uint256 i = 0; i < 6; ++i) {
            uint256 slot = i / 2;
            bytes32 id = slow();
            uint96 bond;
            if (slot == 0) bond = demandPre(id);
            else bond = demandPost(id, slot - 1);
            uint256 last = time() + WINDOW;
            vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
            fogmate.reclaim(id, IFogmate.Slot(slot));
            address owner = slot == 2 ? joiner : creator;
            // The game ends before the deadline, or by it.
            if (i % 2 == 0) {
                vm.prank(joiner);
                fogmate.resign(id);
                vm.warp(last);
                refused(IFogmate.StillInTime.selector, last);
                fogmate.reclaim(id, IFogmate.Slot(slot));
                vm.warp(last + 1);
            } else {
                vm.warp(last + 1);
                vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
                fogmate.reclaim(id, IFogmate.Slot(slot));
                fogmate.claimTimeout(id);
            }
            uint256 owed = fogmate.withdrawable(owner);
            vm.expectEmit(address(fogmate));
            emit IFogmate.BondReclaimed(id, IFogmate.Slot(slot), owner, bond);
            vm.prank(stranger);
            fogmate.reclaim(id, IFogmate.Slot(slot));
            assertEq(fogmate.withdrawable(owner), owed + bond, "to its owner");
            for (uint256 k = 0; k < 3; ++k) {
                refused(IFogmate.NothingOwed.selector);
                fogmate.reclaim(id, IFogmate.Slot(k));
            }
            // Nor is it earned any more.
            IFogmate.Exchange memory e = slot == 0 ? preExchange(id) : postExchange(id, slot + 1);
            vm.prank(accountOf(id, e.receiver ^ 1));
            refused(IFogmate.NothingDemanded.selector);
            fogmate.answerSight(id, e, e.postedRoot, elements(1), wideProof());
        }
    }

    /// @dev Black's hold is its own, whichever role it has.
    function test_a_hold_is_its_openers() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = started(i == 0);
            play(id, 3);
            address black = accountOf(id, 1);
            uint96 bond = demandPre(id);
            vm.prank(black);
            fogmate.resign(id);
            vm.warp(time() + WINDOW + 1);
            uint256 owed = fogmate.withdrawable(black);
            fogmate.reclaim(id, IFogmate.Slot.Hold);
            assertEq(fogmate.withdrawable(black), owed + bond, "black's");
        }
    }

    function test_a_settled_bond_is_not_reclaimed() public {
        bytes32 id = slow();
        demandPre(id);
        answer(id, preExchange(id));
        vm.prank(joiner);
        fogmate.resign(id);
        vm.warp(time() + WINDOW + 1);
        refused(IFogmate.NothingOwed.selector);
        fogmate.reclaim(id, IFogmate.Slot.Hold);
    }

    function test_a_game_that_was_never_played_has_no_bonds() public {
        bytes32 id = open();
        vm.prank(creator);
        fogmate.cancel(id);
        for (uint256 slot = 0; slot < 3; ++slot) {
            refused(IFogmate.NothingOwed.selector);
            fogmate.reclaim(id, IFogmate.Slot(slot));
        }
    }

    /// @dev Any demands, answered or not, and any end: once all time has passed each wei has an owner.
    function testFuzz_every_bond_comes_out_once(uint8 demanded, uint8 answered, uint8 end, uint32 wait) public {
        bytes32 id = slow();
        uint256 total = 2 * STAKE;
        for (uint256 i = 0; i < 3; ++i) {
            if ((demanded >> i) & 1 == 0) continue;
            total += i == 0 ? demandPre(id) : demandPost(id, i - 1);
        }
        vm.warp(time() + bound(wait, 0, WINDOW));
        IFogmate.Exchange[3] memory es = [preExchange(id), postExchange(id, 2), postExchange(id, 3)];
        // Some before the end, some after.
        for (uint256 round = 0; round < 2; ++round) {
            for (uint256 i = 0; i < 3; ++i) {
                if ((demanded >> i) & 1 == 1 && (answered >> i) & 1 == 1 && (answered >> (4 + i)) & 1 == round) {
                    answer(id, es[i]);
                }
            }
            if (round == 1) continue;
            if (end % 3 == 0) {
                vm.prank(joiner);
                fogmate.resign(id);
            } else if (end % 3 == 1) {
                move(id, nextKing(id));
            } else {
                (,, uint256 deadline) = fogmate.clocks(id);
                uint256 now_ = time();
                vm.warp(deadline + 1);
                fogmate.claimTimeout(id);
                vm.warp(now_);
            }
        }
        vm.warp(time() + 365 days);
        for (uint256 slot = 0; slot < 3; ++slot) {
            try fogmate.reclaim(id, IFogmate.Slot(slot)) {} catch {}
        }
        assertEq(fogmate.withdrawable(creator) + fogmate.withdrawable(joiner), total, "all is owed to somebody");
        assertEq(address(fogmate).balance, total, "and there");
    }
}
