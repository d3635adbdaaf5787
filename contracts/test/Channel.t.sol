// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {ChannelKit} from "./ChannelTest.sol";

/// @dev Games between the players' machines: what wakes and closes them, and every attack that the contract alone decides.
contract ChannelTest is ChannelKit {
    // ---------------------------------------------------------------- asleep

    function test_a_game_is_asleep_once_the_toss_is_decided() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = started(i == 0);
            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.status == IFogmate.Status.Asleep, "status");
            assertEq(g.players[i].account, creator, "the colours are known");
            assertEq(g.players[0].commitment, 0, "nothing stands on the table");
            (string memory status, string memory outcome,,,,, address white) = fogmate.summary(id);
            assertEq(keccak256(bytes(status)), keccak256("asleep"), "in words");
            assertEq(keccak256(bytes(outcome)), keccak256("none"), "in words");
            assertEq(white, g.players[0].account, "White");
            (uint256 a, uint256 b, uint256 deadline) = fogmate.clocks(id);
            assertEq(a + b + deadline, 0, "no clock runs");
        }
    }

    function test_asleep_nothing_is_done_but_to_wake_and_to_close() public {
        bytes32 id = started();
        bytes[] memory calls = actions(id);
        for (uint256 i = 0; i < calls.length; ++i) {
            for (uint256 by = 0; by < 3; ++by) {
                vm.prank([creator, joiner, stranger][by]);
                (bool done, bytes memory why) = address(fogmate).call(calls[i]);
                assertTrue(!done, "done");
                assertEq(keccak256(why), keccak256(wrongStatus(IFogmate.Status.Asleep)), "by its status");
            }
        }
    }

    /// @dev One call of every action in play, but those of this mode.
    function actions(bytes32 id) private pure returns (bytes[] memory calls) {
        IFogmate.Move memory m;
        IFogmate.Exchange memory e;
        calls = new bytes[](10);
        calls[0] = abi.encodeCall(IFogmate.move, (id, m, proofOf(1)));
        calls[1] = abi.encodeCall(IFogmate.resign, (id));
        calls[2] = abi.encodeCall(IFogmate.acceptDraw, (id, 0, 0));
        calls[3] = abi.encodeCall(IFogmate.demandSight, (id, IFogmate.Phase.Pre, points(1), proofOf(1)));
        calls[4] = abi.encodeCall(IFogmate.fillAnswer, (id, 0, 1));
        calls[5] = abi.encodeCall(IFogmate.claimFifty, (id, proofOf(1)));
        calls[6] = abi.encodeCall(IFogmate.respondFifty, (id, true, proofOf(1)));
        calls[7] = abi.encodeCall(IFogmate.claimNoMove, (id, proofOf(1)));
        calls[8] = abi.encodeCall(IFogmate.claimTimeout, (id));
        calls[9] = abi.encodeCall(IFogmate.answerSight, (id, e, 0, elements(1), wideProof()));
    }

    function test_games_of_other_modes_are_neither_woken_nor_closed() public {
        for (uint256 i = 0; i < 2; ++i) {
            _mode = modeOf(i);
            bytes32 id = played(3);
            IFogmate.Position memory p = position(id, 4);
            IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
            vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
            fogmate.wake(id, p, signatures);
            signatures = both(resultDigest(id, 0, IFogmate.Outcome.Resigned, "last"));
            vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
            fogmate.close(id, 0, IFogmate.Outcome.Resigned, "last", signatures);
        }
    }

    // ---------------------------------------------------------------- waking

    function test_a_woken_position_stands_on_the_table() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = started(i == 0);
            IFogmate.Position memory p = position(id, 41);
            p.drawOffered = true;
            p.pending = 27;
            vm.expectEmit(address(fogmate));
            emit IFogmate.Woken(id, p, time() + WINDOW);
            wake(id, p, joiner);
            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.status == IFogmate.Status.Playing && g.hold == IFogmate.Hold.Contest, "contested");
            assertEq(g.since, time() + WINDOW, "until");
            assertEq(g.ply, 41, "ply");
            assertEq(g.quietPlies, 20, "quiet plies");
            assertEq(g.pending, 27, "pending");
            assertEq(g.previousPending, 11, "previous pending");
            assertTrue(g.drawOffered, "offer");
            assertEq(g.answerRoot, p.answerRoot, "answer");
            assertEq(g.players[0].clock, 500, "White's clock");
            assertEq(g.players[1].clock, 510, "Black's clock");
            assertEq(g.players[0].commitment, p.whiteState, "White");
            assertEq(g.players[0].previousCommitment, p.whiteStateBefore, "White before");
            assertEq(g.players[1].commitment, p.blackState, "Black");
            assertEq(g.players[1].previousCommitment, p.blackStateBefore, "Black before");
            assertEq(g.players[0].requestRoot, p.whiteRequestRoot, "White's request");
            assertEq(g.players[1].requestRoot, p.blackRequestRoot, "Black's request");
            assertEq(g.players[i].account, creator, "the creator's colour");
        }
    }

    /// @dev What a tower does: it needs no key.
    function test_a_stranger_wakes_with_both_signatures() public {
        bytes32 id = started();
        wake(id, 40, stranger);
        wake(id, 57, stranger);
        assertEq(fogmate.game(id).ply, 57, "ply");
    }

    function test_the_senders_own_signature_may_be_left_out() public {
        for (uint256 role = 0; role < 2; ++role) {
            bytes32 id = started();
            IFogmate.Position memory p = position(id, 40);
            IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
            delete signatures[role];
            vm.prank(role == 0 ? creator : joiner);
            fogmate.wake(id, p, signatures);
            assertEq(fogmate.game(id).ply, 40, "ply");
        }
    }

    function test_a_position_needs_both_signatures() public {
        bytes32 id = started();
        IFogmate.Position memory p = position(id, 40);
        for (uint256 role = 0; role < 2; ++role) {
            address absent = role == 0 ? creator : joiner;
            for (uint256 kind = 0; kind < 3; ++kind) {
                IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
                if (kind == 0) delete signatures[role];
                if (kind == 1) signatures[role] = signatures[1 - role];
                if (kind == 2) signatures[role] = signed(7, digestOf(id, p));
                vm.prank(role == 0 ? joiner : creator);
                vm.expectRevert(abi.encodeWithSelector(IFogmate.NotSigned.selector, absent));
                fogmate.wake(id, p, signatures);
            }
        }
    }

    /// @dev Every word of a position and of the signatures, changed by one bit, and a signature for another game, contract or
    /// chain.
    function test_every_field_of_a_wake_is_signed() public {
        bytes32 id = started();
        IFogmate.Position memory p = position(id, 40);
        IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
        bytes memory data = abi.encodeCall(IFogmate.wake, (id, p, signatures));
        // The game, fifteen words of the position, four of the signatures.
        for (uint256 i = 0; i < 20; ++i) {
            refuseChanged(data, i, 1);
            // Bits that no value of the type has.
            if (i >= 2 && i <= 8) refuseChanged(data, i, 1 << 200);
        }
        bytes32 other = started();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IFogmate.NotSigned.selector, creator));
        fogmate.wake(other, p, signatures);
        uint256 chain = block.chainid;
        vm.chainId(chain + 1);
        refuseChanged(data, 0, 0);
        vm.chainId(chain);
        address here = address(fogmate);
        address there = address(0xF09);
        vm.etch(there, here.code);
        fogmate = IFogmate(there);
        bytes32 foreign = digestOf(id, p);
        fogmate = IFogmate(here);
        signatures = both(foreign);
        refuseChanged(abi.encodeCall(IFogmate.wake, (id, p, signatures)), 0, 0);
        vm.prank(stranger);
        (bool done,) = here.call(data);
        assertTrue(done, "and the right one is taken");
    }

    /// @dev A call of a stranger must fail with some bits of a word of its arguments changed.
    function refuseChanged(bytes memory data, uint256 word, uint256 bits) private {
        bytes memory changed = bytes.concat(data);
        assembly ("memory-safe") {
            let place := add(add(changed, 36), mul(32, word))
            mstore(place, xor(mload(place), bits))
        }
        vm.prank(stranger);
        (bool done,) = address(fogmate).call(changed);
        assertTrue(!done, string.concat("word ", vm.toString(word)));
    }

    /// @dev Nothing but its ply counts of the start, which a player needs no signature for, and nobody else can wake.
    function test_the_start_is_the_rules_start() public {
        bytes32 id = started();
        IFogmate.Position memory p = position(id, 0);
        IFogmate.Signature[2] memory none;
        vm.prank(stranger);
        refused(IFogmate.NotPlayer.selector);
        fogmate.wake(id, p, none);
        vm.prank(joiner);
        fogmate.wake(id, p, none);
        vm.warp(time() + WINDOW + 1);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.players[0].commitment, WHITE_START, "White");
        assertEq(g.players[1].commitment, BLACK_START, "Black");
        assertEq(g.players[0].clock, BASE, "clock");
        assertEq(g.pending, 64, "pending");
        assertEq(g.previousPending, 64, "previous pending");
        assertEq(g.answerRoot, 0, "answer");
        play(id, 5);
        move(id, nextKing(id));
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.KingCaptured, "a whole game");
    }

    function test_a_position_leaves_a_ply_to_be_counted() public {
        bytes32 id = started();
        IFogmate.Position memory p = position(id, type(uint16).max);
        IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
        refused(IFogmate.BadPosition.selector);
        fogmate.wake(id, p, signatures);
        p = position(id, type(uint16).max - 1);
        wake(id, p, creator);
        vm.warp(time() + WINDOW + 1);
        play(id);
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.TooLong, "the last ply");
    }

    // ---------------------------------------------------------------- the contest

    /// @dev Who wakes at an old position, to take moves back, is shown the later one.
    function test_an_old_position_is_replaced_by_a_later_one_and_by_no_other() public {
        bytes32 id = started();
        wake(id, 40, joiner);
        uint256 until = fogmate.game(id).since;
        vm.warp(until);
        wake(id, 57, creator);
        assertEq(fogmate.game(id).since, until, "the contest isn't extended");
        // An older one, the same ply of another line, and the start.
        uint16[3] memory plies = [uint16(56), 57, 0];
        for (uint256 i = 0; i < 3; ++i) {
            IFogmate.Position memory p = position(id, plies[i], 1);
            IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
            vm.prank(joiner);
            refused(IFogmate.NotLater.selector, 57);
            fogmate.wake(id, p, signatures);
        }
        assertEq(fogmate.game(id).players[0].commitment, position(id, 57).whiteState, "what was later");
    }

    function test_after_the_contest_nothing_is_replaced() public {
        bytes32 id = woken(40);
        IFogmate.Position memory p = position(id, 70);
        IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
        vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
        fogmate.wake(id, p, signatures);
        play(id, 2);
        vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
        fogmate.wake(id, p, signatures);
    }

    /// @dev Who wakes at an old position can't move there at once, nor demand a sight that it is owed no more, nor anything else.
    function test_in_the_contest_nothing_is_done_but_to_wake_and_to_close() public {
        bytes32 id = started();
        wake(id, 40, joiner);
        vm.warp(fogmate.game(id).since);
        bytes[] memory calls = actions(id);
        for (uint256 i = 0; i < 8; ++i) {
            for (uint256 by = 0; by < 3; ++by) {
                vm.prank([creator, joiner, stranger][by]);
                (bool done, bytes memory why) = address(fogmate).call(calls[i]);
                assertTrue(!done, "done");
                assertTrue(bytes4(why) == IFogmate.OnHold.selector, "for the contest");
            }
        }
        IFogmate.Move memory king = nextKing(id);
        vm.prank(creator);
        refused(IFogmate.OnHold.selector);
        fogmate.move(id, king, proofOf(1));
        vm.expectRevert(abi.encodeWithSelector(IFogmate.StillInTime.selector, time() + DELAY + 500));
        fogmate.claimTimeout(id);
        vm.warp(time() + 1);
        play(id);
    }

    function test_the_clock_runs_from_the_end_of_the_contest() public {
        bytes32 id = started();
        wake(id, 41, joiner);
        uint256 until = time() + WINDOW;
        (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
        assertEq(deadline, until + DELAY + 510, "deadline");
        assertEq(white, 500, "White's");
        assertEq(black, 510, "Black's");
        vm.warp(until + DELAY + 10);
        (, black,) = fogmate.clocks(id);
        assertEq(black, 500, "it runs");
        assertTrue(fogmate.game(id).hold == IFogmate.Hold.None, "no hold");
        vm.warp(deadline);
        refused(IFogmate.StillInTime.selector, deadline);
        fogmate.claimTimeout(id);
        vm.warp(deadline + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "White has won");
    }

    // ---------------------------------------------------------------- after it

    /// @dev Who wakes at the predecessor of the other's last move, as if that had never come, gets it on chain: the same move with
    /// the same proof, for nothing in it says where it is made.
    function test_the_last_move_is_made_again_on_chain_as_it_was() public {
        bytes32 id = woken(40);
        uint256 state = vm.snapshotState();
        IFogmate.Move memory m = next(id);
        move(id, m);
        IFogmate.Game memory g = fogmate.game(id);
        IFogmate.Position memory after_ = position(id, 40);
        assertEq(g.players[0].commitment, m.nextCommitment, "the position after it");
        assertEq(g.players[0].previousCommitment, after_.whiteState, "and before it");
        vm.revertToState(state);
        move(id, m);
        assertEq(keccak256(abi.encode(fogmate.game(id))), keccak256(abi.encode(g)), "every time");
    }

    /// @dev Who withholds a sight is asked for it on chain: what both have signed says which one it is.
    function test_sights_are_demanded_after_a_wake() public {
        bytes32 id = woken(40);
        IFogmate.Position memory p = position(id, 40);
        IFogmate.Exchange memory e = fogmate.exchangeOf(id, IFogmate.Phase.Pre, 0);
        assertEq(e.postedRoot, p.answerRoot, "the root");
        assertEq(e.requestRoot, p.whiteRequestRoot, "the request");
        assertEq(e.commitment, p.blackState, "the board");
        assertEq(e.ctx, contextOf(id, e, p.whiteState), "the context");
        demandPre(id);
        answer(id, e);
        e = fogmate.exchangeOf(id, IFogmate.Phase.Post, 1);
        assertEq(e.commitment, p.whiteState, "the board that Black moved on");
        assertEq(e.pendingSender, p.pending, "what was captured then");
        demandPost(id, 1);
        answer(id, e);
        assertEq(fogmate.game(id).players[1].postDeadline, 0, "given");
    }

    /// @dev The first ply is never answered: woken at the start, the game is won on time.
    function test_who_never_answers_loses_on_time() public {
        bytes32 id = started();
        IFogmate.Signature[2] memory none;
        IFogmate.Position memory p;
        vm.prank(creator);
        fogmate.wake(id, p, none);
        vm.warp(time() + WINDOW + 1);
        play(id);
        vm.warp(time() + DELAY + BASE + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "White has won");
    }

    /// @dev Who refuses to sign a lost game loses it on chain.
    function test_a_king_falls_on_chain_where_nobody_signs() public {
        bytes32 id = woken(40);
        move(id, nextKing(id));
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "White has won");
    }

    function test_an_offer_of_a_draw_is_accepted_after_a_wake() public {
        bytes32 id = started();
        IFogmate.Position memory p = position(id, 40);
        p.drawOffered = true;
        wake(id, p, creator);
        vm.warp(time() + WINDOW + 1);
        vm.prank(creator);
        fogmate.acceptDraw(id, 40, p.blackState);
        assertEq(fogmate.withdrawable(joiner), STAKE, "drawn");
    }

    // ---------------------------------------------------------------- closing

    function test_a_game_closes_by_who_does_not_win() public {
        for (uint8 winner = 0; winner < 2; ++winner) {
            for (uint256 stage = 0; stage < 3; ++stage) {
                bytes32 id = started();
                if (stage > 0) wake(id, 40, creator);
                if (stage > 1) vm.warp(time() + WINDOW + 1);
                uint256 owed = fogmate.withdrawable(winner == 0 ? creator : joiner);
                IFogmate.Signature[2] memory signatures =
                    both(resultDigest(id, winner, IFogmate.Outcome.KingCaptured, "last"));
                delete signatures[winner];
                vm.expectEmit(address(fogmate));
                emit IFogmate.Closed(id, "last");
                vm.prank(stranger);
                fogmate.close(id, winner, IFogmate.Outcome.KingCaptured, "last", signatures);
                IFogmate.Game memory g = fogmate.game(id);
                assertTrue(g.status == IFogmate.Status.Over, "over");
                assertTrue(g.outcome == IFogmate.Outcome.KingCaptured, "outcome");
                assertEq(g.winner, winner == 0 ? creator : joiner, "winner");
                assertEq(fogmate.withdrawable(g.winner), owed + 2 * STAKE, "both stakes");
            }
        }
    }

    function test_a_draw_needs_both() public {
        bytes32 id = started();
        for (uint256 role = 0; role < 2; ++role) {
            IFogmate.Signature[2] memory signatures = both(resultDigest(id, 2, IFogmate.Outcome.DrawAgreed, "last"));
            delete signatures[role];
            vm.prank(stranger);
            vm.expectRevert(abi.encodeWithSelector(IFogmate.NotSigned.selector, role == 0 ? creator : joiner));
            fogmate.close(id, 2, IFogmate.Outcome.DrawAgreed, "last", signatures);
        }
        close(id, 2, IFogmate.Outcome.DrawAgreed);
        assertEq(fogmate.withdrawable(creator), STAKE, "its own");
        assertEq(fogmate.withdrawable(joiner), STAKE, "its own");
        assertEq(fogmate.game(id).winner, address(0), "nobody");
    }

    /// @dev An own result of another game, or that the other has signed for the opposite, gains nothing.
    function test_nobody_wins_by_its_own_signature() public {
        bytes32 id = started();
        IFogmate.Signature[2] memory signatures;
        signatures[0] = signed(CREATOR_SECRET, resultDigest(id, 0, IFogmate.Outcome.Resigned, "last"));
        signatures[1] = signed(JOINER_SECRET, resultDigest(id, 1, IFogmate.Outcome.Resigned, "last"));
        vm.prank(creator);
        vm.expectRevert(abi.encodeWithSelector(IFogmate.NotSigned.selector, joiner));
        fogmate.close(id, 0, IFogmate.Outcome.Resigned, "last", signatures);
    }

    function test_a_game_closes_once() public {
        bytes32 id = started();
        close(id, 0, IFogmate.Outcome.Resigned);
        IFogmate.Signature[2] memory signatures = both(resultDigest(id, 1, IFogmate.Outcome.Resigned, "last"));
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.close(id, 1, IFogmate.Outcome.Resigned, "last", signatures);
        IFogmate.Position memory p = position(id, 40);
        signatures = both(digestOf(id, p));
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.wake(id, p, signatures);
        assertEq(fogmate.withdrawable(creator) + fogmate.withdrawable(joiner), 2 * STAKE, "both stakes, once");
    }

    function test_only_results_that_players_can_agree_on_are_closed_by() public {
        bytes32 id = started();
        for (uint8 winner = 0; winner < 4; ++winner) {
            for (uint256 i = 0; i <= uint256(type(IFogmate.Outcome).max); ++i) {
                IFogmate.Outcome outcome = IFogmate.Outcome(i);
                bool won = outcome == IFogmate.Outcome.KingCaptured || outcome == IFogmate.Outcome.Resigned;
                bool drawn = outcome == IFogmate.Outcome.DrawAgreed || outcome == IFogmate.Outcome.FiftyMoves
                    || outcome == IFogmate.Outcome.NoMove;
                IFogmate.Signature[2] memory signatures = both(resultDigest(id, winner, outcome, "last"));
                uint256 state = vm.snapshotState();
                if (winner > 2 || !(winner == 2 ? drawn : won)) refused(IFogmate.BadResult.selector);
                fogmate.close(id, winner, outcome, "last", signatures);
                vm.revertToState(state);
            }
        }
    }

    function test_every_field_of_a_close_is_signed() public {
        bytes32 id = started();
        started();
        IFogmate.Signature[2] memory signatures = both(resultDigest(id, 2, IFogmate.Outcome.FiftyMoves, "last"));
        bytes memory data = abi.encodeCall(IFogmate.close, (id, 2, IFogmate.Outcome.FiftyMoves, "last", signatures));
        // The game, winner, outcome, digest, four words of signatures; of the outcome also the other draw.
        for (uint256 i = 0; i < 8; ++i) {
            refuseChanged(data, i, 1);
            if (i == 1 || i == 2) refuseChanged(data, i, 1 << 200);
        }
        refuseChanged(data, 2, uint256(IFogmate.Outcome.FiftyMoves) ^ uint256(IFogmate.Outcome.NoMove));
        vm.prank(stranger);
        (bool done,) = address(fogmate).call(data);
        assertTrue(done, "and the right one is taken");
    }

    /// @dev A resignation needs no more than the loser's own transaction, and the game is said to be over everywhere.
    function test_a_closed_game_is_over() public {
        bytes32 id = started();
        IFogmate.Signature[2] memory none;
        vm.prank(joiner);
        fogmate.close(id, 0, IFogmate.Outcome.Resigned, "last", none);
        (string memory status,, address winner,,,, address white) = fogmate.summary(id);
        assertEq(keccak256(bytes(status)), keccak256("over"), "in words");
        assertEq(winner, creator, "winner");
        assertEq(white, creator, "White");
        vm.prank(creator);
        fogmate.publishViewKey(id, "key");
    }
}
