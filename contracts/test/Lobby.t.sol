// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Deployment, create, cancel and join: what they do and every refusal.
contract LobbyTest is GameTest {
    // ---------------------------------------------------------------- deployment

    function test_deployment_records_the_verifier() public view {
        assertTrue(fogmate.turnVerifier().code.length > 0, "verifier");
        assertTrue(fogmate.turnKey().code.length > 0, "key");
        assertEq(fogmate.turnProofLength(), PROOF_LENGTH, "proof length");
    }

    function test_deployment_refuses_a_verifier_or_a_key_without_code() public {
        (address verifier, address key) = (fogmate.turnVerifier(), fogmate.turnKey());
        refused(IFogmate.NoVerifier.selector);
        new Fogmate(address(0xDEAD), key, PROOF_LENGTH);
        refused(IFogmate.NoVerifier.selector);
        new Fogmate(verifier, address(0xDEAD), PROOF_LENGTH);
    }

    function test_runtime_code_fits_the_limit() public {
        emit log_named_uint("runtime code of the game contract, bytes", address(fogmate).code.length);
        assertTrue(address(fogmate).code.length < 24_576, "code size");
    }

    // ---------------------------------------------------------------- create

    function test_create_opens_a_game() public {
        IFogmate.Terms memory t = terms();
        t.opponent = joiner;
        bytes32 expected = fogmate.nextGameId(creator);
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.GameCreated(
            expected, creator, joiner, t.stake, t.base, t.increment, t.delay, commitment(R1, creator), creatorKey()
        );
        vm.prank(creator);
        bytes32 id = fogmate.create{value: STAKE}(t, commitment(R1, creator), creatorKey());

        assertEq(id, expected, "id");
        assertEq(id, keccak256(abi.encode(block.chainid, address(fogmate), creator, 0)), "id from its parts");
        assertTrue(fogmate.nextGameId(creator) != id, "next id");
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.Open, "status");
        assertEq(g.creator, creator, "creator");
        assertEq(g.stake, STAKE, "stake");
        assertEq(g.base, 600, "base");
        assertEq(g.increment, 5, "increment");
        assertEq(g.delay, 60, "delay");
        assertEq(g.tossCommitment, commitment(R1, creator), "toss");
        assertEq(g.players[0].account, creator, "first the creator");
        assertEq(g.players[0].fogKey.x, 1, "key");
        assertEq(g.players[1].account, joiner, "invited");
        assertEq(g.winner, address(0), "winner");
        assertEq(address(fogmate).balance, STAKE, "balance");
    }

    function test_an_unknown_game_is_all_zero() public view {
        IFogmate.Game memory g = fogmate.game(keccak256("nothing"));
        assertEq(keccak256(abi.encode(g)), keccak256(new bytes(abi.encode(g).length)), "zero");
    }

    function testFuzz_create_refuses_another_value_than_the_stake(uint256 value) public {
        value = bound(value, 0, 100 ether);
        vm.assume(value != STAKE);
        vm.prank(creator);
        refused(IFogmate.WrongStake.selector, STAKE);
        fogmate.create{value: value}(terms(), commitment(R1, creator), creatorKey());
    }

    function test_create_refuses_oneself_as_opponent() public {
        IFogmate.Terms memory t = terms();
        t.opponent = creator;
        vm.prank(creator);
        refused(IFogmate.SelfPlay.selector);
        fogmate.create{value: STAKE}(t, commitment(R1, creator), creatorKey());
    }

    function testFuzz_create_takes_every_time_control_up_to_thirty_days(uint32 base, uint32 increment, uint32 delay)
        public
    {
        IFogmate.Terms memory t = terms();
        (t.base, t.increment, t.delay) = (base, increment, delay);
        bool fair = base <= 30 days && increment <= 30 days && delay <= 30 days && uint256(base) + delay > 0;
        if (!fair) refused(IFogmate.BadTimeControl.selector);
        bytes32 id = fogmate.create{value: STAKE}(t, 0, creatorKey());
        if (!fair) return;
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.base, base, "base");
        assertEq(g.increment, increment, "increment");
        assertEq(g.delay, delay, "delay");
    }

    function test_create_refuses_each_part_above_thirty_days_and_no_time_at_all() public {
        uint32[3][4] memory bad =
            [[uint32(30 days + 1), 0, 0], [uint32(1), 30 days + 1, 0], [uint32(1), 0, 30 days + 1], [uint32(0), 9, 0]];
        for (uint256 i = 0; i < 4; ++i) {
            IFogmate.Terms memory t = terms();
            (t.base, t.increment, t.delay) = (bad[i][0], bad[i][1], bad[i][2]);
            refused(IFogmate.BadTimeControl.selector);
            fogmate.create{value: STAKE}(t, 0, creatorKey());
        }
    }

    function test_create_refuses_keys_that_are_no_points() public {
        IFogmate.Point[5] memory bad = [
            IFogmate.Point(0, 0),
            IFogmate.Point(1, GENERATOR_Y + 1),
            IFogmate.Point(GENERATOR_Y, 1),
            IFogmate.Point(1 + FIELD_ORDER, GENERATOR_Y),
            IFogmate.Point(1, GENERATOR_Y + FIELD_ORDER)
        ];
        for (uint256 i = 0; i < 5; ++i) {
            refused(IFogmate.BadFogKey.selector);
            fogmate.create{value: STAKE}(terms(), 0, bad[i]);
        }
    }

    function test_two_contracts_and_two_creators_never_share_an_id() public {
        Fogmate second = new Fogmate(fogmate.turnVerifier(), fogmate.turnKey(), PROOF_LENGTH);
        assertTrue(second.nextGameId(creator) != fogmate.nextGameId(creator), "contract");
        assertTrue(fogmate.nextGameId(joiner) != fogmate.nextGameId(creator), "creator");
        bytes32 here = fogmate.nextGameId(creator);
        vm.chainId(5);
        assertTrue(fogmate.nextGameId(creator) != here, "chain");
    }

    // ---------------------------------------------------------------- cancel

    function test_cancel_gives_the_stake_back() public {
        bytes32 id = open();
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 0, IFogmate.Outcome.Cancelled);
        vm.prank(creator);
        fogmate.cancel(id);
        assertEq(fogmate.withdrawable(creator), STAKE, "stake");
        assertTrue(fogmate.game(id).status == IFogmate.Status.Over, "status");
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.Cancelled, "outcome");
    }

    function test_cancel_forgets_the_invited_opponent() public {
        IFogmate.Terms memory t = terms();
        t.opponent = joiner;
        vm.prank(creator);
        bytes32 id = fogmate.create{value: STAKE}(t, 0, creatorKey());
        vm.prank(creator);
        fogmate.cancel(id);
        assertEq(fogmate.withdrawable(joiner), 0, "invited player is owed nothing");
        vm.prank(joiner);
        refused(IFogmate.NotPlayer.selector);
        fogmate.publishViewKey(id, 0);
    }

    function test_cancel_is_the_creators_alone() public {
        bytes32 id = open();
        vm.prank(joiner);
        refused(IFogmate.NotCreator.selector);
        fogmate.cancel(id);
    }

    function test_cancel_comes_too_late_once_joined() public {
        bytes32 id = joined(true);
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Toss));
        fogmate.cancel(id);
    }

    function test_nothing_happens_to_a_game_that_does_not_exist() public {
        bytes memory none = wrongStatus(IFogmate.Status.None);
        IFogmate.Move memory m;
        vm.expectRevert(none);
        fogmate.cancel(0);
        vm.expectRevert(none);
        fogmate.join(0, 0, joinerKey());
        vm.expectRevert(none);
        fogmate.reveal(0, 0);
        vm.expectRevert(none);
        fogmate.move(0, m, "");
        vm.expectRevert(none);
        fogmate.resign(0);
        vm.expectRevert(none);
        fogmate.acceptDraw(0);
        vm.expectRevert(none);
        fogmate.claimTimeout(0);
        vm.expectRevert(none);
        fogmate.publishViewKey(0, 0);
        vm.expectRevert(none);
        fogmate.contextOf(0, 0);
    }

    // ---------------------------------------------------------------- join

    function test_join_seats_the_opponent() public {
        bytes32 id = open();
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.GameJoined(id, joiner, 77, joinerKey());
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, 77, joinerKey());
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.Toss, "status");
        assertEq(g.players[1].account, joiner, "joiner");
        assertEq(g.tossShare, 77, "share");
        assertEq(g.since, block.timestamp, "since");
        assertEq(address(fogmate).balance, 2 * STAKE, "balance");
    }

    function test_join_refuses_a_second_opponent() public {
        bytes32 id = joined(true);
        vm.prank(stranger);
        vm.expectRevert(wrongStatus(IFogmate.Status.Toss));
        fogmate.join{value: STAKE}(id, 0, joinerKey());
    }

    function test_join_refuses_the_creator() public {
        bytes32 id = open();
        vm.prank(creator);
        refused(IFogmate.SelfPlay.selector);
        fogmate.join{value: STAKE}(id, 0, joinerKey());
    }

    function test_join_refuses_who_is_not_invited() public {
        IFogmate.Terms memory t = terms();
        t.opponent = joiner;
        vm.prank(creator);
        bytes32 id = fogmate.create{value: STAKE}(t, 0, creatorKey());
        vm.prank(stranger);
        refused(IFogmate.NotInvited.selector);
        fogmate.join{value: STAKE}(id, 0, joinerKey());
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, 0, joinerKey());
    }

    function testFuzz_join_refuses_another_value_than_the_stake(uint256 value) public {
        value = bound(value, 0, 100 ether);
        vm.assume(value != STAKE);
        bytes32 id = open();
        vm.prank(joiner);
        refused(IFogmate.WrongStake.selector, STAKE);
        fogmate.join{value: value}(id, 0, joinerKey());
    }

    function test_join_refuses_a_bad_fog_key_and_the_creators() public {
        bytes32 id = open();
        vm.prank(joiner);
        refused(IFogmate.BadFogKey.selector);
        fogmate.join{value: STAKE}(id, 0, IFogmate.Point(2, 3));
        vm.prank(joiner);
        refused(IFogmate.SameFogKey.selector);
        fogmate.join{value: STAKE}(id, 0, creatorKey());
    }
}
