// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Ways to win off the board that former rules had, each with a sentence on what it was. They were shown to work, and
/// must not any more.
contract AttacksTest is GameTest {
    // ---------------------------------------------------------------- before the first move

    /// @dev The creator saw the joiner's share in the clear in its transaction, and took the game back for nothing when the
    /// colour was the wrong one: forty attempts, always White. Now nothing about the colour is known until the game can't be
    /// left: a creator that takes each game back whose joiner's transaction it dislikes gets both colours nonetheless.
    function test_the_creator_cannot_bias_the_toss_by_cancelling() public {
        uint256 white;
        for (uint256 i = 0; i < 40; ++i) {
            bytes32 id = open();
            bytes32 seen = commitment(1000 + i, joiner);
            // All that it can go by is a commitment.
            if (uint256(seen) & 3 == 0) {
                vm.prank(creator);
                fogmate.cancel(id);
                continue;
            }
            vm.prank(joiner);
            fogmate.join{value: STAKE}(id, seen, joinerKey());
            vm.prank(creator);
            fogmate.revealCreator(id, R1, seen);
            // Now both shares may be known, and neither gets out.
            vm.prank(creator);
            vm.expectRevert(wrongStatus(IFogmate.Status.JoinerReveals));
            fogmate.cancel(id);
            vm.prank(joiner);
            fogmate.revealJoiner(id, 1000 + i);
            if (fogmate.game(id).players[0].account == creator) ++white;
        }
        assertTrue(white > 5 && white < 25, "both colours");
    }

    /// @dev The joiner knows both shares first and stays silent if the colour is the wrong one. It costs it its stake, and
    /// the sender of the last share can't take another one.
    function test_the_joiner_cannot_bias_the_toss() public {
        bytes32 id = halfRevealed(true);
        vm.prank(joiner);
        refused(IFogmate.WrongReveal.selector);
        fogmate.revealJoiner(id, share(id, false));
        vm.warp(time() + 2 * REVEAL + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "silence is paid for");
    }

    /// @dev A game stayed open for ever: joined when its creator had long forgotten it, the sleeper missed the hour to reveal
    /// and lost its stake without a move. Now the game expires, and who doesn't reveal first has its stake back.
    function test_a_sleeping_creator_loses_nothing() public {
        bytes32 id = open();
        vm.warp(time() + 90 days);
        vm.prank(joiner);
        refused(IFogmate.Expired.selector);
        fogmate.join{value: STAKE}(id, "toss", joinerKey());
        fogmate.cancel(id);
        assertEq(fogmate.withdrawable(creator), STAKE, "its stake");

        IFogmate.Terms memory t = terms();
        t.expiry = uint40(time() + 90 days);
        id = open(t);
        vm.warp(t.expiry);
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, "toss", joinerKey());
        vm.warp(time() + REVEAL + 1);
        vm.prank(joiner);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "its stake again");
        assertEq(fogmate.withdrawable(joiner), STAKE, "and the joiner's own");
    }

    /// @dev The id bound neither terms nor toss: after a reorganisation the creator opened another game under the same id,
    /// with one second on the clock and the share for its colour, and a join that was under way landed in it. Now that join
    /// finds no game.
    function test_after_a_reorganisation_a_join_finds_no_other_game() public {
        uint256 before = vm.snapshotState();
        bytes32 shown = open();
        vm.revertToState(before);
        IFogmate.Terms memory t = terms();
        (t.base, t.increment, t.delay) = (5 minutes, 0, 0);
        bytes32 id = open(t);
        assertTrue(id != shown, "another id");
        vm.prank(joiner);
        vm.expectRevert(wrongStatus(IFogmate.Status.None));
        fogmate.join{value: STAKE}(shown, "toss", joinerKey());
    }

    /// @dev The creator revealed to one joiner; after a reorganisation another one sits there, which knows the share from the
    /// dropped block and has picked its own by it. The reveal names the joiner's commitment, so it can't be included again.
    function test_after_a_reorganisation_a_reveal_serves_no_other_joiner() public {
        bytes32 id = open();
        uint256 before = vm.snapshotState();
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, commitment(5, joiner), joinerKey());
        bytes memory reveal = abi.encodeCall(IFogmate.revealCreator, (id, R1, commitment(5, joiner)));
        vm.prank(creator);
        (bool done,) = address(fogmate).call(reveal);
        assertTrue(done, "revealed");
        vm.revertToState(before);
        uint256 picked = share(id, false);
        vm.prank(stranger);
        fogmate.join{value: STAKE}(id, commitment(picked, stranger), joinerKey());
        vm.prank(creator);
        (done,) = address(fogmate).call(reveal);
        assertTrue(!done, "not for this one");
    }

    // ---------------------------------------------------------------- at the board

    /// @dev An acceptance named no ply: signed for one position, it ended the game in another after a reorganisation.
    function test_a_draw_is_accepted_in_one_position_only() public {
        bytes32 id = played(2);
        IFogmate.Move memory m = next(id);
        m.offerDraw = true;
        bytes memory accept = abi.encodeCall(IFogmate.acceptDraw, (id, 3, m.nextCommitment));
        IFogmate.Move memory other = next(id, 27);
        other.nextCommitment = 7;
        other.offerDraw = true;
        move(id, based(id, other));
        vm.prank(joiner);
        (bool done, bytes memory why) = address(fogmate).call(accept);
        assertTrue(!done && bytes4(why) == IFogmate.OtherPosition.selector, "another position");
    }

    /// @dev Black posted a root that opens to nothing: White couldn't move and lost both stakes on time. Now White demands
    /// its sight, its clock stands still, no other root can be answered with, and none fits this one: Black loses.
    function test_a_garbage_answer_loses_the_game_that_posts_it() public {
        bytes32 id = played(3);
        IFogmate.Move memory m = next(id);
        m.answerRoot = uint256(keccak256("no answer opens to this")) % FIELD_ORDER;
        move(id, m);
        demandPre(id);
        IFogmate.Exchange memory e = preExchange(id);
        // What Black can prove has another root; and the verifier refuses it for the posted one.
        vm.prank(joiner);
        refused(IFogmate.WrongRoot.selector, m.answerRoot);
        fogmate.answerSight(id, e, 7, elements(1), wideProof());
        _wide.say(ANSWER_KEY, Verdict.Refuse);
        vm.prank(joiner);
        refused(IFogmate.InvalidProof.selector);
        fogmate.answerSight(id, e, m.answerRoot, elements(1), wideProof());
        vm.warp(time() + WINDOW);
        (uint256 white,,) = fogmate.clocks(id);
        assertEq(white, BASE + 2 * INCREMENT, "White's clock stands still");
        vm.warp(time() + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "White has both stakes");
    }

    /// @dev Silence: no answer at all, and no root. White lost on time.
    function test_silence_loses_the_game() public {
        bytes32 id = played(3);
        move(id, nextWithoutAnswer(id));
        demandPre(id);
        vm.warp(time() + WINDOW + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.game(id).winner, creator, "who was owed the sight");
    }

    /// @dev The asked answered in each ply just before its window ended, and the demander's clock was gone. Now a demand
    /// stops it, and the delay begins anew.
    function test_answers_at_the_last_second_cost_no_time() public {
        bytes32 id = played(4);
        for (uint256 i = 0; i < 6; ++i) {
            (uint256 before,,) = fogmate.clocks(id);
            if (i % 2 == 1) (, before,) = fogmate.clocks(id);
            vm.warp(time() + DELAY);
            demandPre(id);
            vm.warp(time() + WINDOW);
            answer(id, preExchange(id));
            vm.warp(time() + DELAY);
            play(id);
            assertEq(fogmate.game(id).players[i % 2].clock, before + INCREMENT, "no time is lost");
        }
    }

    /// @dev One slot for both demands of a player: with a post demand left open by its opponent's silence it couldn't demand
    /// the sight it moves by, and lost on time.
    function test_an_open_post_demand_does_not_bar_the_hold() public {
        bytes32 id = played(3);
        demandPost(id, 0);
        move(id, nextWithoutAnswer(id));
        demandPre(id);
        assertTrue(fogmate.game(id).hold == IFogmate.Hold.Sight, "hold");
    }

    /// @dev Demand, answer, demand: the clock stood still for ever.
    function test_the_clock_cannot_be_stopped_for_ever() public {
        bytes32 id = played(4);
        uint256 stopped;
        uint256 bond = fogmate.leastBond(false);
        while (true) {
            vm.prank(creator);
            try fogmate.demandSight{value: bond}(id, IFogmate.Phase.Pre, points(1), _proof) {}
            catch {
                break;
            }
            answer(id, preExchange(id));
            ++stopped;
        }
        assertEq(stopped, 1, "once a ply");
        vm.warp(time() + DELAY + BASE + 2 * INCREMENT + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.game(id).winner, joiner, "and then it runs out");
    }

    /// @dev The end of the game, or the demander's own move, ended a demand: the answer under way reverted and its gas was
    /// lost. Now no other move is made under the own hold, and after the end an answer is paid.
    function test_an_answer_under_way_is_always_paid() public {
        bytes32 id = played(4);
        demandPre(id);
        demandPost(id, 0);
        IFogmate.Exchange memory pre = preExchange(id);
        IFogmate.Exchange memory post = postExchange(id, 2);
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.OnHold.selector));
        vm.prank(creator);
        fogmate.resign(id);
        answer(id, pre);
        answer(id, post);
        assertEq(fogmate.withdrawable(joiner), 2 * STAKE + 2 * answerShare(), "stakes, and both halves");
    }

    /// @dev Who called first decided between two passed deadlines, so the loser of the earlier one could still win.
    function test_who_calls_first_decides_nothing() public {
        IFogmate.Terms memory t = terms();
        t.window = 300;
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = started(t, true);
            play(id, 4);
            // Black owes White an answer by now + 300; White's clock ends much later.
            demandPost(id, 0);
            vm.warp(time() + 2000);
            address caller = i == 0 ? joiner : creator;
            vm.prank(caller);
            fogmate.claimTimeout(id);
            assertEq(fogmate.game(id).winner, creator, "the earlier one");
        }
    }

    /// @dev A claim of fifty moves ran on the claimant's clock: the opponent stayed silent, and the claimant lost on time.
    function test_a_claim_of_fifty_moves_does_not_cost_the_game() public {
        bytes32 id = played(4);
        skipHundred(id);
        uint256 bond = fogmate.leastBond(true);
        vm.prank(creator);
        fogmate.claimFifty{value: bond}(id, _proof);
        vm.warp(time() + WINDOW + 1);
        vm.prank(joiner);
        fogmate.claimTimeout(id);
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.FiftyMoves, "drawn");
    }

    /// @dev A king's capture that is false: the game would be over.
    function test_a_false_kings_capture_wins_nothing() public {
        bytes32 id = played(4);
        _narrow.say(TURN_KEY, Verdict.Refuse);
        refuseMove(id, nextKing(id), abi.encodeWithSelector(IFogmate.InvalidProof.selector));
    }

    /// @dev A demand whose answer costs the asked far more than the demander: each withheld sight a ply, paid by the other.
    /// Now each pays half of the gas of an exchange.
    function test_each_pays_half_of_an_exchange() public {
        bytes32 id = played(4);
        uint96 bond = demandPre(id);
        answer(id, preExchange(id));
        assertEq(fogmate.withdrawable(creator), bond - answerShare(), "the demander's share is gone");
        assertEq(fogmate.withdrawable(joiner), answerShare(), "to who answered");
    }
}
