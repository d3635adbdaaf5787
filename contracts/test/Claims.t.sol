// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Draws that are claimed: by fifty moves and for want of a move; and every refusal.
contract ClaimsTest is GameTest {
    /// @dev White is to move and a hundred quiet plies and two more have been made.
    function quiet() private returns (bytes32 id) {
        id = played(4);
        skipHundred(id);
    }

    function claim(bytes32 id) private returns (uint96 bond) {
        bond = uint96(2 * fogmate.leastBond(true));
        vm.prank(toMove(id));
        fogmate.claimFifty{value: bond}(id, proofOf(1));
    }

    function respond(bytes32 id, bool atLeastFifty) private {
        vm.prank(notToMove(id));
        fogmate.respondFifty(id, atLeastFifty, proofOf(2));
    }

    /// @dev The claim must fail with exactly this error.
    function refuseClaim(bytes32 id, address by, bytes memory why) private {
        uint256 bond = fogmate.leastBond(true);
        vm.prank(by);
        vm.expectRevert(why);
        fogmate.claimFifty{value: bond}(id, _proof);
    }

    function refuseResponse(bytes32 id, address by, bytes memory why) private {
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(by);
            vm.expectRevert(why);
            fogmate.respondFifty(id, i == 0, _proof);
        }
    }

    function fiftyInputs(uint256 state, bool atLeast) private pure returns (uint256[] memory w) {
        w = new uint256[](2);
        (w[0], w[1]) = (state, atLeast ? 1 : 0);
    }

    // ---------------------------------------------------------------- fifty moves: the claim

    function test_a_claim_proves_the_own_state_and_stops_the_clock() public {
        for (uint256 color = 0; color < 2; ++color) {
            bytes32 id = quiet();
            play(id, color);
            vm.warp(time() + DELAY + 100);
            IFogmate.Game memory before = fogmate.game(id);
            uint96 bond = uint96(fogmate.leastBond(true));
            assertEq(bond, 4 * 460_000 * BASE_FEE, "least bond");
            address claimant = toMove(id);
            vm.expectEmit(address(fogmate));
            emit IFogmate.FiftyClaimed(id, claimant, before.ply, uint40(time() + WINDOW), bond);
            vm.prank(claimant);
            fogmate.claimFifty{value: bond}(id, proofOf(1));
            assertAsked(FIFTY_KEY, fiftyInputs(before.players[color].commitment, true), proofOf(1));
            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.hold == IFogmate.Hold.FiftyMoves, "hold");
            assertEq(g.holdDeadline, time() + WINDOW, "deadline");
            assertEq(g.holdBond, bond, "bond");
            assertEq(g.holdOwner, color, "owner");
            assertEq(g.players[color].clock, before.players[color].clock - 100, "what is left");
            (,, uint256 deadline) = fogmate.clocks(id);
            assertEq(deadline, time() + WINDOW, "only the hold counts");
        }
    }

    /// @dev Real plies, a capture among them: a hundred since it, not one less.
    function test_a_claim_needs_a_hundred_quiet_plies() public {
        bytes32 id = played(2);
        move(id, next(id, 11));
        play(id, 99);
        refuseClaim(id, creator, abi.encodeWithSelector(IFogmate.TooEarly.selector, 103));
        play(id);
        claim(id);
        id = started();
        refuseClaim(id, creator, abi.encodeWithSelector(IFogmate.TooEarly.selector, 100));
    }

    function test_a_claim_is_the_players_to_move_in_play_and_in_time() public {
        bytes32 id = quiet();
        bytes memory why = abi.encodeWithSelector(IFogmate.NotYourTurn.selector);
        refuseClaim(id, joiner, why);
        refuseClaim(id, stranger, why);
        (,, uint256 deadline) = fogmate.clocks(id);
        vm.warp(deadline + 1);
        refuseClaim(id, creator, abi.encodeWithSelector(IFogmate.OutOfTime.selector));
        vm.warp(deadline);
        claim(id);
        vm.prank(joiner);
        fogmate.resign(id);
        refuseClaim(id, creator, wrongStatus(IFogmate.Status.Over));
    }

    function test_a_claim_waits_for_the_own_hold() public {
        bytes32 id = quiet();
        claim(id);
        bytes memory why = abi.encodeWithSelector(IFogmate.OnHold.selector);
        refuseClaim(id, creator, why);
        id = quiet();
        demandPre(id);
        refuseClaim(id, creator, why);
    }

    function test_a_claim_is_proven() public {
        bytes32 id = quiet();
        _narrow.say(FIFTY_KEY, Verdict.Refuse);
        refuseClaim(id, creator, abi.encodeWithSelector(IFogmate.InvalidProof.selector));
        for (uint256 i = uint256(Verdict.Refuse) + 1; i <= uint256(type(Verdict).max); ++i) {
            if (Verdict(i) == Verdict.Burn) continue;
            _narrow.say(FIFTY_KEY, Verdict(i));
            refuseClaim(id, creator, abi.encodeWithSelector(IFogmate.NoVerdict.selector));
        }
        _proof = new bytes(PROOF_LENGTH + 1);
        refuseClaim(id, creator, abi.encodeWithSelector(IFogmate.WrongProofLength.selector, PROOF_LENGTH));
    }

    function test_a_claims_bond_pays_for_the_response() public {
        bytes32 id = quiet();
        uint256 least = 4 * 460_000 * BASE_FEE;
        vm.prank(creator);
        refused(IFogmate.SmallBond.selector, least);
        fogmate.claimFifty{value: least - 1}(id, _proof);
        vm.prank(creator);
        fogmate.claimFifty{value: least}(id, _proof);
    }

    // ---------------------------------------------------------------- fifty moves: the response

    function test_a_response_of_fewer_fails_the_claim_and_bars_the_next() public {
        for (uint256 color = 0; color < 2; ++color) {
            bytes32 id = quiet();
            play(id, color);
            uint96 bond = claim(id);
            vm.warp(time() + 1000);
            IFogmate.Game memory before = fogmate.game(id);
            (address claimant, address other) = (toMove(id), notToMove(id));
            uint256[2] memory owed = [fogmate.withdrawable(claimant), fogmate.withdrawable(other)];
            uint16 from = before.ply + 20;
            vm.expectEmit(address(fogmate));
            emit IFogmate.FiftyFailed(id, other, before.ply, from, uint96(460_000 * BASE_FEE));
            respond(id, false);
            assertAsked(FIFTY_KEY, fiftyInputs(before.players[color ^ 1].commitment, false), proofOf(2));
            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.status == IFogmate.Status.Playing && g.hold == IFogmate.Hold.None, "on it goes");
            assertEq(g.since, time(), "the delay begins anew");
            assertEq(g.players[color].clock, before.players[color].clock, "nothing was spent");
            assertEq(g.players[color].claimsFrom, from, "barred");
            assertEq(g.players[color ^ 1].claimsFrom, 0, "not the other");
            assertEq(fogmate.withdrawable(other), owed[1] + 460_000 * BASE_FEE, "paid");
            assertEq(fogmate.withdrawable(claimant), owed[0] + bond - 460_000 * BASE_FEE, "the rest");
            refuseClaim(id, claimant, abi.encodeWithSelector(IFogmate.TooEarly.selector, from));
            play(id);
            // The other one claims by its own count.
            claim(id);
            respond(id, false);
            play(id, 17);
            refuseClaim(id, claimant, abi.encodeWithSelector(IFogmate.TooEarly.selector, from));
            play(id);
            refuseClaim(id, other, abi.encodeWithSelector(IFogmate.TooEarly.selector, from + 1));
            play(id);
            assertEq(fogmate.game(id).ply, from, "twenty plies later");
            claim(id);
        }
    }

    function test_a_response_of_fifty_draws_and_costs_nothing() public {
        bytes32 id = quiet();
        uint96 bond = claim(id);
        uint256 state = fogmate.game(id).players[1].commitment;
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 104, IFogmate.Outcome.FiftyMoves);
        respond(id, true);
        assertAsked(FIFTY_KEY, fiftyInputs(state, true), proofOf(2));
        assertEq(fogmate.withdrawable(creator), STAKE + bond, "stake and all of the bond");
        assertEq(fogmate.withdrawable(joiner), STAKE, "stake");
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.FiftyMoves, "outcome");
        vm.warp(time() + WINDOW + 1);
        refused(IFogmate.NothingOwed.selector);
        fogmate.reclaim(id, IFogmate.Slot.Hold);
    }

    function test_without_a_response_the_game_is_drawn() public {
        bytes32 id = quiet();
        uint96 bond = claim(id);
        uint256 last = time() + WINDOW;
        vm.warp(last);
        refused(IFogmate.StillInTime.selector, last);
        fogmate.claimTimeout(id);
        vm.warp(last + 1);
        refuseResponse(id, joiner, abi.encodeWithSelector(IFogmate.OutOfTime.selector));
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 104, IFogmate.Outcome.FiftyMoves);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(joiner), STAKE, "stake");
        fogmate.reclaim(id, IFogmate.Slot.Hold);
        assertEq(fogmate.withdrawable(creator), STAKE + bond, "stake and bond");
    }

    function test_a_response_in_the_last_second() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = quiet();
            claim(id);
            vm.warp(time() + WINDOW);
            respond(id, i == 0);
        }
    }

    function testFuzz_a_response_earns_by_the_base_fee_of_its_block(uint64 first, uint64 second, uint96 more) public {
        bytes32 id = quiet();
        vm.fee(first);
        uint256 least = 4 * 460_000 * uint256(first);
        uint256 bond = least + bound(more, 0, type(uint96).max - least);
        vm.deal(creator, bond);
        vm.prank(creator);
        fogmate.claimFifty{value: bond}(id, _proof);
        vm.fee(second);
        respond(id, false);
        uint256 cost = 460_000 * uint256(second);
        assertEq(fogmate.withdrawable(joiner), cost < bond ? cost : bond, "earned");
        assertEq(fogmate.withdrawable(creator), cost < bond ? bond - cost : 0, "the rest");
    }

    function test_only_the_opponent_of_a_claim_responds() public {
        bytes32 id = quiet();
        bytes memory none = abi.encodeWithSelector(IFogmate.NothingClaimed.selector);
        refuseResponse(id, joiner, none);
        demandPre(id);
        refuseResponse(id, joiner, none);
        id = quiet();
        claim(id);
        refuseResponse(id, creator, none);
        refuseResponse(id, stranger, abi.encodeWithSelector(IFogmate.NotPlayer.selector));
        respond(id, false);
        refuseResponse(id, joiner, none);
        vm.prank(joiner);
        fogmate.resign(id);
        refuseResponse(id, joiner, wrongStatus(IFogmate.Status.Over));
    }

    function test_a_response_is_proven() public {
        bytes32 id = quiet();
        claim(id);
        _narrow.say(FIFTY_KEY, Verdict.Refuse);
        refuseResponse(id, joiner, abi.encodeWithSelector(IFogmate.InvalidProof.selector));
        for (uint256 i = uint256(Verdict.Refuse) + 1; i <= uint256(type(Verdict).max); ++i) {
            if (Verdict(i) == Verdict.Burn) continue;
            _narrow.say(FIFTY_KEY, Verdict(i));
            refuseResponse(id, joiner, abi.encodeWithSelector(IFogmate.NoVerdict.selector));
        }
        _proof = new bytes(PROOF_LENGTH - 1);
        refuseResponse(id, joiner, abi.encodeWithSelector(IFogmate.WrongProofLength.selector, PROOF_LENGTH));
    }

    /// @dev The bar ends where plies end to be counted.
    function test_a_bar_stops_at_what_the_layout_holds() public {
        bytes32 id = quiet();
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot)) & ~(uint256(0xffff) << 16);
        vm.store(address(fogmate), slot, bytes32(word | (uint256(65524) << 16)));
        claim(id);
        respond(id, false);
        assertEq(fogmate.game(id).players[0].claimsFrom, 65535, "cut");
    }

    /// @dev A claim is a hold: it bars moves, except the king's capture, and demands; not the opponent's demands.
    function test_a_claim_bars_moves_but_a_kings_capture() public {
        bytes32 id = quiet();
        uint96 bond = claim(id);
        refuseMove(id, next(id), abi.encodeWithSelector(IFogmate.OnHold.selector));
        uint256 least = fogmate.leastBond(false);
        vm.prank(creator);
        refused(IFogmate.OnHold.selector);
        fogmate.demandSight{value: least}(id, IFogmate.Phase.Pre, points(1), _proof);
        vm.prank(creator);
        refused(IFogmate.OnHold.selector);
        fogmate.claimNoMove(id, _proof);
        demandPost(id, 1);
        move(id, nextKing(id));
        assertEq(fogmate.game(id).winner, creator, "winner");
        refuseResponse(id, joiner, wrongStatus(IFogmate.Status.Over));
        vm.warp(time() + WINDOW + 1);
        fogmate.reclaim(id, IFogmate.Slot.Hold);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE + bond, "stakes and bond");
    }

    /// @dev No answer settles a claim's bond: the slot is a claim's, whatever is passed for an exchange.
    function test_a_claim_is_not_answered_like_a_demand() public {
        bytes32 id = quiet();
        IFogmate.Exchange memory e = fogmate.exchangeOf(id, IFogmate.Phase.Pre, 0);
        claim(id);
        vm.prank(joiner);
        refused(IFogmate.NothingDemanded.selector);
        fogmate.answerSight(id, e, e.postedRoot, elements(1), wideProof());
    }

    // ---------------------------------------------------------------- no move

    function refuseNoMove(bytes32 id, address by, bytes memory why) private {
        vm.prank(by);
        vm.expectRevert(why);
        fogmate.claimNoMove(id, _proof);
    }

    function test_a_player_without_a_move_draws() public {
        for (uint256 color = 0; color < 2; ++color) {
            bytes32 id = played(3 + color);
            move(id, next(id, 11));
            IFogmate.Exchange memory e = preExchange(id);
            IFogmate.Game memory g = fogmate.game(id);
            uint256 own = g.ply & 1;
            uint256[] memory w = new uint256[](8);
            (w[0], w[1], w[2], w[3]) = (g.players[own].commitment, 11, e.requestRoot, e.postedRoot);
            (w[4], w[5], w[6]) = (e.ctx, g.players[own ^ 1].fogKey.x, g.players[own ^ 1].fogKey.y);
            w[7] = own;
            assertEq(own, color, "either colour");
            uint256 owed = fogmate.withdrawable(creator);
            address claimant = toMove(id);
            vm.expectEmit(address(fogmate));
            emit IFogmate.GameEnded(id, address(0), g.ply, IFogmate.Outcome.NoMove);
            vm.prank(claimant);
            fogmate.claimNoMove(id, proofOf(3));
            assertAsked(NO_MOVE_KEY, w, proofOf(3));
            assertEq(fogmate.withdrawable(creator), owed + STAKE, "stake");
            assertEq(fogmate.withdrawable(joiner), owed + STAKE, "stake");
            assertEq(fogmate.game(id).winner, address(0), "nobody won");
            assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.NoMove, "outcome");
        }
    }

    /// @dev After a demanded answer it is by that answer's root.
    function test_no_move_is_claimed_by_the_root_that_came_late() public {
        bytes32 id = played(3);
        move(id, nextWithoutAnswer(id));
        demandPre(id);
        refuseNoMove(id, creator, abi.encodeWithSelector(IFogmate.OnHold.selector));
        answer(id, preExchange(id), 0xA115);
        IFogmate.Exchange memory e = preExchange(id);
        IFogmate.Game memory g = fogmate.game(id);
        uint256[] memory w = new uint256[](8);
        (w[0], w[1], w[2], w[3]) = (g.players[0].commitment, 64, e.requestRoot, 0xA115);
        (w[4], w[5], w[6], w[7]) = (e.ctx, DOUBLE_X, DOUBLE_Y, 0);
        vm.prank(creator);
        fogmate.claimNoMove(id, proofOf(3));
        assertAsked(NO_MOVE_KEY, w, proofOf(3));
    }

    function test_every_refusal_of_a_claim_of_no_move() public {
        bytes32 id = played(4);
        refuseNoMove(id, joiner, abi.encodeWithSelector(IFogmate.NotYourTurn.selector));
        refuseNoMove(id, stranger, abi.encodeWithSelector(IFogmate.NotYourTurn.selector));
        _narrow.say(NO_MOVE_KEY, Verdict.Refuse);
        refuseNoMove(id, creator, abi.encodeWithSelector(IFogmate.InvalidProof.selector));
        for (uint256 i = uint256(Verdict.Refuse) + 1; i <= uint256(type(Verdict).max); ++i) {
            if (Verdict(i) == Verdict.Burn) continue;
            _narrow.say(NO_MOVE_KEY, Verdict(i));
            refuseNoMove(id, creator, abi.encodeWithSelector(IFogmate.NoVerdict.selector));
        }
        _narrow.say(NO_MOVE_KEY, Verdict.Accept);
        _proof = new bytes(PROOF_LENGTH + 32);
        refuseNoMove(id, creator, abi.encodeWithSelector(IFogmate.WrongProofLength.selector, PROOF_LENGTH));
        _proof = new bytes(PROOF_LENGTH);
        (,, uint256 deadline) = fogmate.clocks(id);
        vm.warp(deadline + 1);
        refuseNoMove(id, creator, abi.encodeWithSelector(IFogmate.OutOfTime.selector));
        vm.warp(deadline);
        vm.prank(creator);
        fogmate.claimNoMove(id, _proof);
        refuseNoMove(id, creator, wrongStatus(IFogmate.Status.Over));
        bytes32 opening = started();
        for (uint256 i = 0; i < 2; ++i) {
            refuseNoMove(opening, toMove(opening), abi.encodeWithSelector(IFogmate.NothingToDemand.selector));
            play(opening);
        }
    }
}
