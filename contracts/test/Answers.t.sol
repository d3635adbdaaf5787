// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Answers to demands, and answers filled in: what they do, what they earn, and every refusal.
contract AnswersTest is GameTest {
    /// @dev The answer must fail with exactly this error.
    function refuseAnswer(bytes32 id, IFogmate.Exchange memory e, uint256 root, address by, bytes memory why) private {
        vm.prank(by);
        vm.expectRevert(why);
        fogmate.answerSight(id, e, root, elements(1), wideProof());
    }

    function nothingDemanded() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.NothingDemanded.selector);
    }

    /// @dev The twelve words of the on-chain *answer*, from the protocol's list.
    function answerInputs(bytes32 id, IFogmate.Exchange memory e, uint256 root, uint256[733] memory values)
        private
        view
        returns (uint256[] memory w)
    {
        uint256[] memory list = new uint256[](733);
        for (uint256 i = 0; i < 733; ++i) {
            list[i] = values[i];
        }
        IFogmate.Point memory key = fogmate.game(id).players[e.receiver ^ 1].fogKey;
        w = new uint256[](12);
        (w[0], w[1], w[2], w[3]) = (e.commitment, e.pendingSender, key.x, key.y);
        (w[4], w[5], w[6], w[7]) = (e.ctx, e.receiver, uint256(e.phase), e.pendingReceiver);
        (w[8], w[9]) = (e.requestRoot, root);
        (w[10], w[11]) = binding(root, list);
    }

    // ---------------------------------------------------------------- what they do

    function test_a_pre_answer_sets_the_root_and_ends_the_hold() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = played(3);
            // With the root that was posted, and with none posted.
            move(id, i == 0 ? next(id, 11) : nextWithoutAnswer(id));
            vm.warp(time() + DELAY + 100);
            uint96 bond = demandPre(id);
            IFogmate.Exchange memory e = preExchange(id);
            uint256 root = i == 0 ? e.postedRoot : 0xA115;
            vm.warp(time() + 1000);
            IFogmate.Game memory before = fogmate.game(id);
            uint256[2] memory owed = [fogmate.withdrawable(creator), fogmate.withdrawable(joiner)];
            uint256 earned = 430_000 * BASE_FEE;
            vm.expectEmit(address(fogmate));
            emit IFogmate.SightAnswered(id, joiner, e.ctx, root, uint96(earned), elements(1));
            answer(id, e, root);

            assertAsked(ANSWER_KEY, answerInputs(id, e, root, elements(1)), wideProof());
            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.hold == IFogmate.Hold.None && g.holdDeadline == 0 && g.holdBond == 0, "no hold");
            assertTrue(g.preDemanded, "not again on this ply");
            assertEq(g.answerRoot, root, "root");
            assertEq(g.since, time(), "the delay begins anew");
            assertEq(g.players[0].clock, before.players[0].clock, "nothing was spent");
            assertEq(fogmate.withdrawable(joiner), owed[1] + earned, "half");
            assertEq(fogmate.withdrawable(creator), owed[0] + bond - earned, "the rest");
            play(id);
        }
    }

    /// @dev Before the opponent's reply, after it and after more; it changes nothing but the demand.
    function test_a_post_answer_ends_the_demand_and_nothing_else() public {
        for (uint256 i = 0; i < 6; ++i) {
            uint256 color = i & 1;
            bytes32 id = played(2 + color);
            move(id, next(id, 11));
            uint96 bond = demandPost(id, color);
            play(id, i / 2);
            IFogmate.Exchange memory e = postExchange(id, 2 + color);
            IFogmate.Game memory before = fogmate.game(id);
            address sender = accountOf(id, color ^ 1);
            uint256[2] memory owed = [fogmate.withdrawable(accountOf(id, color)), fogmate.withdrawable(sender)];
            vm.warp(time() + DELAY);
            vm.expectEmit(address(fogmate));
            emit IFogmate.SightAnswered(id, sender, e.ctx, 0xA115, uint96(answerShare()), elements(1));
            answer(id, e, 0xA115);
            assertAsked(ANSWER_KEY, answerInputs(id, e, 0xA115, elements(1)), wideProof());
            assertEq(fogmate.withdrawable(sender), owed[1] + answerShare(), "half");
            assertEq(fogmate.withdrawable(accountOf(id, color)), owed[0] + bond - answerShare(), "the rest");
            (before.players[color].postDeadline, before.players[color].postBond) = (0, 0);
            assertEq(keccak256(abi.encode(fogmate.game(id))), keccak256(abi.encode(before)), "all else");
        }
    }

    function testFuzz_answer_is_asked_for_the_elements(uint256 seed, uint256 root) public {
        root = bound(root, 1, FIELD_ORDER - 1);
        bytes32 id = played(3);
        demandPost(id, 0);
        IFogmate.Exchange memory e = postExchange(id, 2);
        bytes memory proof = bytesOf(WIDE_PROOF_LENGTH, bytes32(seed));
        vm.prank(joiner);
        fogmate.answerSight(id, e, root, elements(seed), proof);
        assertAsked(ANSWER_KEY, answerInputs(id, e, root, elements(seed)), proof);
    }

    // ---------------------------------------------------------------- what they earn

    /// @dev By the base fee of the answer, never more than the bond; nothing is lost or made.
    function testFuzz_a_bond_is_shared_by_the_base_fee_of_the_answer(
        uint64 first,
        uint64 second,
        uint96 more,
        bool post
    ) public {
        vm.fee(first);
        vm.deal(creator, type(uint128).max);
        bytes32 id = played(4);
        uint256 least = fogmate.leastBond(false);
        uint256 bond = least + bound(more, 0, type(uint96).max - least);
        demand(id, IFogmate.Phase(post ? 1 : 0), creator, bond);
        vm.fee(second);
        answer(id, post ? postExchange(id, 2) : preExchange(id));
        uint256 cost = 430_000 * uint256(second);
        uint256 earned = cost < bond ? cost : bond;
        assertEq(fogmate.withdrawable(joiner), earned, "earned");
        assertEq(fogmate.withdrawable(creator), bond - earned, "the rest");
        assertEq(address(fogmate).balance, 2 * STAKE + bond, "whole");
        if (second <= 4 * uint256(first)) assertEq(earned, cost, "a fee up to four times as high is paid in full");
    }

    // ---------------------------------------------------------------- refusals

    function test_an_answer_is_for_what_was_demanded() public {
        bytes32 id = played(3);
        move(id, next(id, 11));
        demandPre(id);
        demandPost(id, 0);
        for (uint256 k = 0; k < 2; ++k) {
            for (uint256 i = 0; i < 9; ++i) {
                IFogmate.Exchange memory e = k == 0 ? preExchange(id) : postExchange(id, 2);
                uint256 root = e.postedRoot == 0 ? 7 : e.postedRoot;
                if (i == 0) e.phase = IFogmate.Phase(1 - k);
                if (i == 1) e.ply += 2;
                if (i == 2) e.receiver = 1;
                if (i == 3) e.pendingReceiver ^= 1;
                if (i == 4) e.pendingSender ^= 1;
                if (i == 5) e.commitment ^= 1;
                if (i == 6) e.requestRoot ^= 1;
                if (i == 7) e.postedRoot ^= 1;
                if (i == 8) e.ctx ^= 1;
                refuseAnswer(id, e, root, joiner, nothingDemanded());
                refuseAnswer(id, e, root, creator, nothingDemanded());
            }
        }
        answer(id, preExchange(id));
        answer(id, postExchange(id, 2));
    }

    function test_an_answer_is_given_once() public {
        bytes32 id = played(4);
        demandPre(id);
        demandPost(id, 0);
        IFogmate.Exchange[2] memory both = [preExchange(id), postExchange(id, 2)];
        for (uint256 i = 0; i < 2; ++i) {
            uint256 root = i == 0 ? both[i].postedRoot : 7;
            answer(id, both[i], root);
            refuseAnswer(id, both[i], root, joiner, nothingDemanded());
        }
        vm.prank(creator);
        fogmate.resign(id);
        refuseAnswer(id, both[0], both[0].postedRoot, joiner, nothingDemanded());
        refuseAnswer(id, both[1], 7, joiner, nothingDemanded());
    }

    /// @dev What was never demanded is never paid, not even with the exchange that a demand would freeze.
    function test_without_a_demand_there_is_no_answer() public {
        bytes32 id = played(4);
        refuseAnswer(id, preExchange(id), 7, joiner, nothingDemanded());
        refuseAnswer(id, postExchange(id, 2), 7, joiner, nothingDemanded());
        IFogmate.Exchange memory zero;
        refuseAnswer(id, zero, 7, joiner, nothingDemanded());
        refuseAnswer(open(), zero, 7, joiner, wrongStatus(IFogmate.Status.Open));
        refuseAnswer(joined(true), zero, 7, joiner, wrongStatus(IFogmate.Status.CreatorReveals));
        refuseAnswer(halfRevealed(true), zero, 7, joiner, wrongStatus(IFogmate.Status.JoinerReveals));
    }

    function test_an_answer_is_the_askeds_alone() public {
        bytes32 id = played(4);
        demandPre(id);
        IFogmate.Exchange memory e = preExchange(id);
        bytes memory why = abi.encodeWithSelector(IFogmate.NotPlayer.selector);
        refuseAnswer(id, e, e.postedRoot, creator, why);
        refuseAnswer(id, e, e.postedRoot, stranger, why);
    }

    function test_an_answer_in_the_last_second_and_not_after() public {
        for (uint256 i = 0; i < 2; ++i) {
            IFogmate.Terms memory t = terms();
            // So that the clock doesn't end before the window.
            t.base = 30 days;
            bytes32 id = started(t, true);
            play(id, 4);
            if (i == 0) demandPre(id);
            else demandPost(id, 0);
            uint256 last = time() + WINDOW;
            IFogmate.Exchange memory e = i == 0 ? preExchange(id) : postExchange(id, 2);
            vm.warp(last + 1);
            refuseAnswer(id, e, e.postedRoot, joiner, abi.encodeWithSelector(IFogmate.OutOfTime.selector));
            vm.warp(last);
            answer(id, e);
            assertTrue(fogmate.game(id).status == IFogmate.Status.Playing, "in time");
        }
    }

    /// @dev A root that was posted is the only one that counts; who posted one that opens to nothing can't mend it.
    function testFuzz_an_answer_has_the_root_that_was_posted(uint256 root) public {
        bytes32 id = played(4);
        demandPre(id);
        IFogmate.Exchange memory e = preExchange(id);
        vm.assume(root != e.postedRoot);
        refuseAnswer(id, e, root, joiner, abi.encodeWithSelector(IFogmate.WrongRoot.selector, e.postedRoot));
        answer(id, e);
        assertEq(fogmate.game(id).answerRoot, e.postedRoot, "root");
    }

    function testFuzz_roots_are_field_elements(uint256 root) public {
        root = bound(root, FIELD_ORDER, type(uint256).max);
        bytes32 id = played(3);
        move(id, nextWithoutAnswer(id));
        demandPre(id);
        demandPost(id, 0);
        bytes memory why = abi.encodeWithSelector(IFogmate.NotInField.selector, root);
        refuseAnswer(id, preExchange(id), root, joiner, why);
        refuseAnswer(id, postExchange(id, 2), root, joiner, why);
    }

    function test_every_element_is_a_field_element() public {
        bytes32 id = played(4);
        demandPre(id);
        IFogmate.Exchange memory e = preExchange(id);
        uint256[3] memory high = [FIELD_ORDER, FIELD_ORDER + 5, type(uint256).max];
        for (uint256 i = 0; i < 733; i += i < 3 || i > 728 ? 1 : 29) {
            uint256[733] memory values = elements(1);
            values[i] = high[i % 3];
            vm.prank(joiner);
            refused(IFogmate.NotInField.selector, values[i]);
            fogmate.answerSight(id, e, e.postedRoot, values, wideProof());
        }
    }

    function test_an_answer_is_proven() public {
        bytes32 id = played(4);
        demandPre(id);
        demandPost(id, 0);
        for (uint256 k = 0; k < 2; ++k) {
            IFogmate.Exchange memory e = k == 0 ? preExchange(id) : postExchange(id, 2);
            uint256 root = k == 0 ? e.postedRoot : 7;
            _wide.say(ANSWER_KEY, Verdict.Refuse);
            refuseAnswer(id, e, root, joiner, abi.encodeWithSelector(IFogmate.InvalidProof.selector));
            for (uint256 i = uint256(Verdict.Refuse) + 1; i <= uint256(type(Verdict).max); ++i) {
                if (Verdict(i) == Verdict.Burn) continue;
                _wide.say(ANSWER_KEY, Verdict(i));
                refuseAnswer(id, e, root, joiner, abi.encodeWithSelector(IFogmate.NoVerdict.selector));
            }
            _wide.say(ANSWER_KEY, Verdict.Accept);
            uint256[4] memory lengths = [uint256(0), PROOF_LENGTH, WIDE_PROOF_LENGTH - 1, WIDE_PROOF_LENGTH + 1];
            for (uint256 i = 0; i < 4; ++i) {
                vm.prank(joiner);
                refused(IFogmate.WrongProofLength.selector, WIDE_PROOF_LENGTH);
                fogmate.answerSight(id, e, root, elements(1), new bytes(lengths[i]));
            }
            answer(id, e, root);
        }
    }

    // ---------------------------------------------------------------- after a verdict, after the end

    /// @dev A demand outlives the game: a right answer is paid, and nothing of the game changes.
    function test_after_the_end_an_answer_only_settles_the_bond() public {
        bytes32 id = played(4);
        uint96 bond = demandPre(id);
        demandPost(id, 0);
        uint96 blacks = demandPost(id, 1);
        vm.prank(joiner);
        fogmate.resign(id);
        IFogmate.Game memory before = fogmate.game(id);
        answer(id, preExchange(id));
        answer(id, postExchange(id, 2));
        answer(id, postExchange(id, 3));
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.holdBond == 0 && g.players[0].postBond == 0 && g.players[1].postBond == 0, "bonds are settled");
        (before.holdBond, before.players[0].postBond, before.players[1].postBond) = (0, 0, 0);
        assertEq(keccak256(abi.encode(g)), keccak256(abi.encode(before)), "all else");
        assertEq(fogmate.withdrawable(joiner), 2 * answerShare() + blacks - answerShare(), "joiner");
        assertEq(fogmate.withdrawable(creator), 2 * STAKE + 2 * (bond - answerShare()) + answerShare(), "creator");
        vm.warp(time() + WINDOW + 1);
        for (uint256 slot = 0; slot < 3; ++slot) {
            refused(IFogmate.NothingOwed.selector);
            fogmate.reclaim(id, IFogmate.Slot(slot));
        }
    }

    /// @dev One of two deadlines has passed and nobody has claimed it yet. Answering the other demand in time is paid, but
    /// neither ends its window nor lets the game go on: the verdict stays what it was.
    function test_an_answer_after_a_verdict_never_changes_it() public {
        IFogmate.Terms memory t = terms();
        t.base = 30 days;
        // The hold outlives Black's demand, White's demand Black's, and White's demand its own clock.
        for (uint256 i = 0; i < 3; ++i) {
            if (i == 2) t.base = 240;
            t.expiry = uint40(time());
            bytes32 id = started(t, true);
            play(id, 4);
            if (i < 2) demandPost(id, 1);
            vm.warp(time() + 60);
            if (i == 0) demandPre(id);
            else demandPost(id, 0);
            IFogmate.Exchange memory e = i == 0 ? preExchange(id) : postExchange(id, 2);
            (,, uint256 deadline) = fogmate.clocks(id);
            vm.warp(deadline + 1);
            address paid = accountOf(id, 1);
            uint256 owed = fogmate.withdrawable(paid);
            uint256 posted = fogmate.game(id).answerRoot;
            answer(id, e);
            assertEq(fogmate.withdrawable(paid), owed + answerShare(), "paid all the same");
            assertEq(fogmate.game(id).answerRoot, posted, "the root");
            (,, uint256 after_) = fogmate.clocks(id);
            assertEq(after_, deadline, "the earliest deadline");
            IFogmate.Move memory m = next(id);
            refuseMove(id, m, abi.encodeWithSelector(IFogmate.OutOfTime.selector));
            vm.warp(time() + 365 days);
            fogmate.claimTimeout(id);
            assertEq(fogmate.game(id).winner, joiner, "winner");
            IFogmate.Outcome expected = i == 2 ? IFogmate.Outcome.TimedOut : IFogmate.Outcome.Unanswered;
            assertTrue(fogmate.game(id).outcome == expected, "outcome");
        }
    }

    // ---------------------------------------------------------------- filled in

    function unanswered() private returns (bytes32 id) {
        id = played(3);
        move(id, nextWithoutAnswer(id));
    }

    function refuseFill(bytes32 id, address by, uint256 ctx, uint256 root, bytes memory why) private {
        vm.prank(by);
        vm.expectRevert(why);
        fogmate.fillAnswer(id, ctx, root);
    }

    function nothingToFill() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.NothingToFill.selector);
    }

    function test_an_answer_is_filled_in_for_points_that_came_late() public {
        bytes32 id = unanswered();
        vm.warp(time() + 30);
        IFogmate.Game memory before = fogmate.game(id);
        IFogmate.Exchange memory e = preExchange(id);
        vm.expectEmit(address(fogmate));
        emit IFogmate.AnswerFilled(id, 4, 0xF111);
        vm.prank(joiner);
        fogmate.fillAnswer(id, e.ctx, 0xF111);
        before.answerRoot = 0xF111;
        assertEq(keccak256(abi.encode(fogmate.game(id))), keccak256(abi.encode(before)), "only the root");
        // Then it is posted, as if it had come with the move.
        refuseFill(id, joiner, e.ctx, 0xF222, nothingToFill());
        demandPre(id);
        _history[id][3].answerRoot = 0xF111;
        refuseAnswer(id, preExchange(id), 7, joiner, abi.encodeWithSelector(IFogmate.WrongRoot.selector, 0xF111));
        answer(id, preExchange(id));
    }

    function test_only_a_missing_answer_is_filled_in_and_by_who_owes_it() public {
        bytes32 id = unanswered();
        uint256 ctx = preExchange(id).ctx;
        refuseFill(id, creator, ctx, 7, nothingToFill());
        refuseFill(id, stranger, ctx, 7, abi.encodeWithSelector(IFogmate.NotPlayer.selector));
        uint256[3] memory bad = [uint256(0), FIELD_ORDER, type(uint256).max];
        for (uint256 i = 0; i < 3; ++i) {
            refuseFill(id, joiner, ctx, bad[i], abi.encodeWithSelector(IFogmate.NotInField.selector, bad[i]));
        }
        bytes memory why = abi.encodeWithSelector(IFogmate.WrongContext.selector, ctx);
        refuseFill(id, joiner, ctx ^ 1, 7, why);
        refuseFill(id, joiner, postExchange(id, 3).ctx, 7, why);
        refuseFill(id, joiner, ctx + FIELD_ORDER, 7, why);
        bytes32 answered = played(4);
        refuseFill(answered, joiner, preExchange(answered).ctx, 7, nothingToFill());
        bytes32 opening = started();
        for (uint256 i = 0; i < 2; ++i) {
            refuseFill(opening, notToMove(opening), 0, 7, nothingToFill());
            play(opening);
        }
    }

    /// @dev The opponent has demanded it: then only the whole answer helps.
    function test_under_a_hold_nothing_is_filled_in() public {
        bytes32 id = unanswered();
        demandPre(id);
        uint256 ctx = preExchange(id).ctx;
        refuseFill(id, joiner, ctx, 7, abi.encodeWithSelector(IFogmate.OnHold.selector));
    }

    function test_an_answer_is_filled_in_in_time() public {
        bytes32 id = unanswered();
        uint256 ctx = preExchange(id).ctx;
        (,, uint256 deadline) = fogmate.clocks(id);
        vm.warp(deadline + 1);
        refuseFill(id, joiner, ctx, 7, abi.encodeWithSelector(IFogmate.OutOfTime.selector));
        vm.warp(deadline);
        vm.prank(joiner);
        fogmate.fillAnswer(id, ctx, 7);
        vm.prank(joiner);
        fogmate.resign(id);
        refuseFill(id, joiner, ctx, 7, wrongStatus(IFogmate.Status.Over));
    }
}
