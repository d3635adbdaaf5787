// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Demands for sights: what they freeze, stop and cost, and every refusal.
contract DemandsTest is GameTest {
    /// @dev The demand must fail with exactly this error.
    function refuseDemand(bytes32 id, IFogmate.Phase phase, address by, bytes memory why) private {
        uint256 bond = fogmate.leastBond(false);
        vm.prank(by);
        vm.expectRevert(why);
        fogmate.demandSight{value: bond}(id, phase, points(1), _proof);
    }

    function nothingToDemand() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.NothingToDemand.selector);
    }

    // ---------------------------------------------------------------- what they do

    function test_a_pre_demand_freezes_the_sight_and_stops_the_clock() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = started(i == 0);
            play(id, 3);
            move(id, next(id, 11));
            vm.warp(time() + DELAY + 100);
            IFogmate.Game memory before = fogmate.game(id);
            uint256 least = fogmate.leastBond(false);
            assertEq(least, 4 * 430_000 * BASE_FEE, "the least bond");
            address white = accountOf(id, 0);
            vm.expectEmit(address(fogmate));
            emit IFogmate.SightDemanded(id, white, preExchange(id), uint40(time() + WINDOW), uint96(least), points(1));
            demand(id, IFogmate.Phase.Pre, white, least);

            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.hold == IFogmate.Hold.Sight && g.preDemanded, "hold");
            assertEq(g.holdDeadline, time() + WINDOW, "deadline");
            assertEq(g.holdBond, least, "bond");
            assertEq(g.holdOwner, 0, "owner");
            assertEq(g.players[0].clock, before.players[0].clock - 100, "what is left");
            assertEq(g.players[1].clock, before.players[1].clock, "the other's");
            assertEq(g.answerRoot, before.answerRoot, "the root");
            assertEq(g.since, before.since, "since");
            (uint256 clock,, uint256 deadline) = fogmate.clocks(id);
            assertEq(deadline, time() + WINDOW, "only the hold counts");
            vm.warp(time() + WINDOW);
            (uint256 later,,) = fogmate.clocks(id);
            assertEq(later, clock, "the clock stands still");
        }
    }

    /// @dev After the own move, before the opponent's reply and after it; by either colour.
    function test_a_post_demand_freezes_the_sight_and_stops_nothing() public {
        for (uint256 i = 0; i < 4; ++i) {
            uint256 color = i & 1;
            bytes32 id = played(2 + color);
            move(id, next(id, 11));
            if (i > 1) move(id, next(id, 22));
            uint256 n = 2 + color;
            vm.warp(time() + 17);
            (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
            IFogmate.Game memory before = fogmate.game(id);
            uint256 least = fogmate.leastBond(false);
            address receiver = accountOf(id, color);
            vm.expectEmit(address(fogmate));
            emit IFogmate.SightDemanded(
                id, receiver, postExchange(id, n), uint40(time() + WINDOW), uint96(least), points(1)
            );
            demand(id, IFogmate.Phase.Post, receiver, least);

            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.players[color].postDemanded, "demanded");
            assertEq(g.players[color].postDeadline, time() + WINDOW, "deadline");
            assertEq(g.players[color].postBond, least, "bond");
            (uint256 whiteNow, uint256 blackNow, uint256 deadlineNow) = fogmate.clocks(id);
            assertEq(whiteNow, white, "white's clock");
            assertEq(blackNow, black, "black's clock");
            assertEq(deadlineNow, deadline, "the clock ends first");
            // Nothing else has changed.
            g.players[color].postDemanded = false;
            g.players[color].postDeadline = 0;
            g.players[color].postBond = 0;
            assertEq(keccak256(abi.encode(g)), keccak256(abi.encode(before)), "all else");
            play(id);
        }
    }

    function testFuzz_request_data_is_asked_for_the_points(uint256 seed, bool post) public {
        bytes32 id = played(4);
        uint256[128] memory p = points(seed);
        uint256[] memory values = new uint256[](128);
        for (uint256 i = 0; i < 128; ++i) {
            values[i] = p[i];
        }
        uint256 root = _history[id][2].requestRoot;
        uint256[] memory inputs = new uint256[](3);
        inputs[0] = root;
        (inputs[1], inputs[2]) = binding(root, values);
        uint256 bond = fogmate.leastBond(false);
        vm.prank(creator);
        fogmate.demandSight{value: bond}(id, IFogmate.Phase(post ? 1 : 0), p, proofOf(seed));
        assertAsked(REQUEST_DATA_KEY, inputs, proofOf(seed));
    }

    // ---------------------------------------------------------------- how often

    function test_one_pre_demand_a_ply() public {
        bytes32 id = played(4);
        demandPre(id);
        refuseDemand(id, IFogmate.Phase.Pre, creator, abi.encodeWithSelector(IFogmate.OnHold.selector));
        answer(id, preExchange(id));
        refuseDemand(id, IFogmate.Phase.Pre, creator, nothingToDemand());
        play(id);
        refuseDemand(id, IFogmate.Phase.Pre, creator, nothingToDemand());
        play(id);
        demandPre(id);
    }

    function test_one_post_demand_a_move_and_one_at_a_time() public {
        bytes32 id = played(3);
        demandPost(id, 0);
        refuseDemand(id, IFogmate.Phase.Post, creator, nothingToDemand());
        play(id, 2);
        // Its next move: the first demand still waits.
        refuseDemand(id, IFogmate.Phase.Post, creator, nothingToDemand());
        answer(id, postExchange(id, 2));
        demandPost(id, 0);
        answer(id, postExchange(id, 4));
        // Answered, and asked for once.
        refuseDemand(id, IFogmate.Phase.Post, creator, nothingToDemand());
        play(id);
        refuseDemand(id, IFogmate.Phase.Post, creator, nothingToDemand());
        play(id);
        demandPost(id, 0);
    }

    /// @dev Both players' demands after their moves and the hold don't hinder each other.
    function test_each_demand_has_its_own_slot() public {
        bytes32 id = played(4);
        demandPost(id, 0);
        demandPost(id, 1);
        demandPre(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.hold == IFogmate.Hold.Sight, "hold");
        assertTrue(g.players[0].postDeadline > 0 && g.players[1].postDeadline > 0, "posts");
        uint256 bonds = uint256(g.holdBond) + g.players[0].postBond + g.players[1].postBond;
        assertEq(address(fogmate).balance, 2 * STAKE + bonds, "all bonds are held");
        answer(id, postExchange(id, 3));
        answer(id, preExchange(id));
        answer(id, postExchange(id, 2));
        assertEq(
            address(fogmate).balance,
            fogmate.withdrawable(creator) + fogmate.withdrawable(joiner) + 2 * STAKE,
            "all out"
        );
    }

    // ---------------------------------------------------------------- refusals

    function test_a_pre_demand_is_the_players_to_move() public {
        bytes32 id = played(4);
        refuseDemand(id, IFogmate.Phase.Pre, joiner, nothingToDemand());
        refuseDemand(id, IFogmate.Phase.Pre, stranger, abi.encodeWithSelector(IFogmate.NotPlayer.selector));
        refuseDemand(id, IFogmate.Phase.Post, stranger, abi.encodeWithSelector(IFogmate.NotPlayer.selector));
    }

    function test_the_opening_has_nothing_to_demand() public {
        bytes32 id = started();
        for (uint256 n = 0; n < 2; ++n) {
            refuseDemand(id, IFogmate.Phase.Pre, toMove(id), nothingToDemand());
            // Who is to move first in its life has no move behind it.
            refuseDemand(id, IFogmate.Phase.Post, toMove(id), nothingToDemand());
            play(id);
        }
        demandPre(id);
    }

    function test_demands_need_a_game_in_play_and_undecided() public {
        bytes32 id = played(4);
        bytes memory late = abi.encodeWithSelector(IFogmate.OutOfTime.selector);
        (,, uint256 deadline) = fogmate.clocks(id);
        uint256 before = vm.snapshotState();
        vm.warp(deadline + 1);
        refuseDemand(id, IFogmate.Phase.Pre, creator, late);
        refuseDemand(id, IFogmate.Phase.Post, creator, late);
        refuseDemand(id, IFogmate.Phase.Post, joiner, late);
        vm.revertToState(before);
        vm.warp(deadline);
        demandPre(id);
        id = played(4);
        vm.prank(creator);
        fogmate.resign(id);
        refuseDemand(id, IFogmate.Phase.Pre, creator, wrongStatus(IFogmate.Status.Over));
        refuseDemand(id, IFogmate.Phase.Post, creator, wrongStatus(IFogmate.Status.Over));
        refuseDemand(joined(true), IFogmate.Phase.Pre, creator, wrongStatus(IFogmate.Status.CreatorReveals));
    }

    function testFuzz_a_bond_pays_the_share_at_four_times_the_base_fee(uint64 baseFee, uint96 more) public {
        vm.fee(baseFee);
        uint256 least = 4 * 430_000 * uint256(baseFee);
        assertEq(fogmate.leastBond(false), least, "least");
        vm.deal(creator, type(uint128).max);
        bytes32 id = played(4);
        if (least > 0) {
            vm.prank(creator);
            refused(IFogmate.SmallBond.selector, least);
            fogmate.demandSight{value: least - 1}(id, IFogmate.Phase.Pre, points(1), _proof);
        }
        uint256 bond = least + bound(more, 0, type(uint96).max - least);
        demand(id, IFogmate.Phase.Pre, creator, bond);
        assertEq(fogmate.game(id).holdBond, bond, "all that was sent");
    }

    function test_every_coordinate_is_a_field_element() public {
        bytes32 id = played(4);
        uint256 bond = fogmate.leastBond(false);
        uint256[3] memory high = [FIELD_ORDER, FIELD_ORDER + 5, type(uint256).max];
        for (uint256 i = 0; i < 128; ++i) {
            uint256[128] memory p = points(1);
            p[i] = high[i % 3];
            vm.prank(creator);
            refused(IFogmate.NotInField.selector, p[i]);
            fogmate.demandSight{value: bond}(id, IFogmate.Phase.Pre, p, _proof);
        }
    }

    function test_the_points_are_proven() public {
        bytes32 id = played(4);
        for (uint256 phase = 0; phase < 2; ++phase) {
            IFogmate.Phase asked = IFogmate.Phase(phase);
            _narrow.say(REQUEST_DATA_KEY, Verdict.Refuse);
            refuseDemand(id, asked, creator, abi.encodeWithSelector(IFogmate.InvalidProof.selector));
            for (uint256 i = uint256(Verdict.Refuse) + 1; i <= uint256(type(Verdict).max); ++i) {
                if (Verdict(i) == Verdict.Burn) continue;
                _narrow.say(REQUEST_DATA_KEY, Verdict(i));
                refuseDemand(id, asked, creator, abi.encodeWithSelector(IFogmate.NoVerdict.selector));
            }
            _narrow.say(REQUEST_DATA_KEY, Verdict.Accept);
            uint256[3] memory lengths = [uint256(0), PROOF_LENGTH - 1, PROOF_LENGTH + 1];
            for (uint256 i = 0; i < 3; ++i) {
                _proof = new bytes(lengths[i]);
                bytes memory why = abi.encodeWithSelector(IFogmate.WrongProofLength.selector, PROOF_LENGTH);
                refuseDemand(id, asked, creator, why);
            }
            _proof = new bytes(PROOF_LENGTH);
        }
    }

    function test_a_phase_is_0_or_1() public {
        bytes32 id = played(4);
        uint256 bond = fogmate.leastBond(false);
        bytes memory data = abi.encodeCall(IFogmate.demandSight, (id, IFogmate.Phase.Post, points(1), _proof));
        assembly ("memory-safe") {
            mstore(add(data, 68), 2)
        }
        vm.prank(creator);
        (bool taken,) = address(fogmate).call{value: bond}(data);
        assertTrue(!taken, "no third phase");
    }
}
