// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Deployment, create, cancel and join: what they do and every refusal.
contract LobbyTest is GameTest {
    // ---------------------------------------------------------------- deployment

    function test_deployment_records_the_verifiers() public view {
        IFogmate.Verifiers memory v = fogmate.verifiers();
        assertEq(v.narrow, address(_narrow), "narrow");
        assertEq(v.wide, address(_wide), "wide");
        assertEq(v.turnKey, TURN_KEY, "turn");
        assertEq(v.requestDataKey, REQUEST_DATA_KEY, "request data");
        assertEq(v.fiftyKey, FIFTY_KEY, "fifty");
        assertEq(v.noMoveKey, NO_MOVE_KEY, "no move");
        assertEq(v.answerKey, ANSWER_KEY, "answer");
        assertEq(v.narrowProofLength, PROOF_LENGTH, "narrow proof length");
        assertEq(v.wideProofLength, WIDE_PROOF_LENGTH, "wide proof length");
    }

    function test_deployment_refuses_each_contract_without_code() public {
        address nothing = address(0xDEAD);
        for (uint256 i = 0; i < 7; ++i) {
            IFogmate.Verifiers memory v = verifiersOf(address(_narrow), address(_wide));
            if (i == 0) v.narrow = nothing;
            if (i == 1) v.wide = nothing;
            if (i == 2) v.turnKey = nothing;
            if (i == 3) v.requestDataKey = nothing;
            if (i == 4) v.fiftyKey = nothing;
            if (i == 5) v.noMoveKey = nothing;
            if (i == 6) v.answerKey = nothing;
            refused(IFogmate.NoVerifier.selector);
            IFogmate(create("Fogmate", abi.encode(v, prices())));
        }
    }

    function test_runtime_code_fits_the_limit() public {
        emit log_named_uint("runtime code of the game contract, bytes", address(fogmate).code.length);
        assertTrue(address(fogmate).code.length <= 24_576, "code size");
    }

    // ---------------------------------------------------------------- create

    function create(uint256 value, IFogmate.Terms memory t, IFogmate.Point memory key) private returns (bytes32) {
        vm.prank(creator);
        return fogmate.create{value: value}(7, t, commitment(R1, creator), key);
    }

    function test_create_opens_a_game() public {
        IFogmate.Terms memory t = terms();
        t.opponent = joiner;
        bytes32 toss = commitment(R1, creator);
        bytes32 expected = keccak256(abi.encode(block.chainid, address(fogmate), creator, 7, t, toss, creatorKey()));
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameCreated(expected, creator, joiner, 7, t, toss, creatorKey());
        bytes32 id = create(STAKE, t, creatorKey());

        assertEq(id, expected, "id from its parts");
        assertEq(id, fogmate.gameIdOf(creator, 7, t, toss, creatorKey()), "id foretold");
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.Open, "status");
        assertTrue(g.outcome == IFogmate.Outcome.None, "outcome");
        assertEq(g.creator, creator, "creator");
        assertEq(keccak256(abi.encode(g.terms)), keccak256(abi.encode(t)), "terms");
        assertEq(g.players[0].account, creator, "first the creator");
        assertEq(g.players[0].fogKey.x, 1, "key");
        assertEq(g.players[0].tossCommitment, toss, "toss");
        assertEq(g.players[0].clock, BASE, "clock");
        assertEq(g.players[1].account, joiner, "invited");
        assertEq(g.winner, address(0), "winner");
        assertEq(address(fogmate).balance, STAKE, "balance");
    }

    function test_an_unknown_game_is_all_zero() public view {
        IFogmate.Game memory g = fogmate.game(keccak256("nothing"));
        assertEq(keccak256(abi.encode(g)), keccak256(new bytes(abi.encode(g).length)), "zero");
    }

    function test_the_very_same_game_is_opened_once() public {
        bytes32 id = create(STAKE, terms(), creatorKey());
        vm.prank(creator);
        refused(IFogmate.GameExists.selector);
        fogmate.create{value: STAKE}(7, terms(), commitment(R1, creator), creatorKey());
        // Nor is it opened again once it is over.
        vm.prank(creator);
        fogmate.cancel(id);
        vm.prank(creator);
        refused(IFogmate.GameExists.selector);
        fogmate.create{value: STAKE}(7, terms(), commitment(R1, creator), creatorKey());
    }

    /// @dev Its number is kept for nothing, and stands for no rules.
    function test_no_game_is_opened_in_the_retired_mode() public {
        IFogmate.Terms memory t = terms();
        t.mode = IFogmate.Mode.Retired;
        vm.prank(creator);
        refused(IFogmate.NoSuchMode.selector);
        fogmate.create{value: STAKE}(7, t, commitment(R1, creator), creatorKey());
    }

    /// @dev Each thing that is agreed on changes the id, and every chain, contract and creator has its own.
    function test_the_id_binds_every_part() public {
        bytes32[] memory ids = new bytes32[](17);
        bytes32 toss = commitment(R1, creator);
        for (uint256 i = 0; i < 14; ++i) {
            IFogmate.Terms memory t = terms();
            IFogmate.Point memory key = creatorKey();
            if (i == 1) (t.mode, t.stake) = (IFogmate.Mode.Unproven, 0);
            if (i == 2) ++t.stake;
            if (i == 3) ++t.base;
            if (i == 4) ++t.increment;
            if (i == 5) ++t.delay;
            if (i == 6) ++t.window;
            if (i == 7) ++t.reveal;
            if (i == 8) ++t.expiry;
            if (i == 9) t.opponent = joiner;
            if (i == 10) key = joinerKey();
            if (i == 11) key.y = FIELD_ORDER - key.y;
            bytes32 by = i == 12 ? commitment(R1 + 1, creator) : toss;
            uint256 nonce = i == 13 ? 8 : 7;
            ids[i] = fogmate.gameIdOf(creator, nonce, t, by, key);
            vm.prank(creator);
            bytes32 id = fogmate.create{value: t.stake}(nonce, t, by, key);
            assertEq(id, ids[i], "what create gives");
        }
        ids[14] = fogmate.gameIdOf(joiner, 7, terms(), toss, creatorKey());
        IFogmate second =
            IFogmate(create("Fogmate", abi.encode(verifiersOf(address(_narrow), address(_wide)), prices())));
        ids[15] = second.gameIdOf(creator, 7, terms(), toss, creatorKey());
        vm.chainId(5);
        ids[16] = fogmate.gameIdOf(creator, 7, terms(), toss, creatorKey());
        for (uint256 i = 0; i < ids.length; ++i) {
            for (uint256 k = 0; k < i; ++k) {
                assertTrue(ids[i] != ids[k], "two games of one id");
            }
        }
    }

    function testFuzz_create_refuses_another_value_than_the_stake(uint256 value) public {
        value = bound(value, 0, 100 ether);
        vm.assume(value != STAKE);
        vm.prank(creator);
        refused(IFogmate.WrongStake.selector, STAKE);
        fogmate.create{value: value}(0, terms(), commitment(R1, creator), creatorKey());
    }

    function test_create_refuses_oneself_as_opponent() public {
        IFogmate.Terms memory t = terms();
        t.opponent = creator;
        vm.prank(creator);
        refused(IFogmate.SelfPlay.selector);
        fogmate.create{value: STAKE}(0, t, commitment(R1, creator), creatorKey());
    }

    function testFuzz_create_takes_every_time_up_to_thirty_days(uint32[5] memory times) public {
        IFogmate.Terms memory t = terms();
        bool fair = true;
        for (uint256 i = 0; i < 5; ++i) {
            // Half of them fair.
            if (times[i] % 2 == 0) times[i] %= 30 days + 1;
            fair = fair && times[i] <= 30 days;
        }
        (t.base, t.increment, t.delay) = (times[0], times[1], times[2]);
        (t.window, t.reveal) = (times[3], times[4]);
        uint256 least = t.stake > 0 ? 300 : 1;
        fair = fair && uint256(t.base) + t.delay >= least && t.window >= least && t.reveal >= least;
        if (!fair) refused(IFogmate.BadTimeControl.selector);
        vm.prank(creator);
        bytes32 id = fogmate.create{value: STAKE}(0, t, 0, creatorKey());
        if (!fair) return;
        assertEq(keccak256(abi.encode(fogmate.game(id).terms)), keccak256(abi.encode(t)), "terms");
    }

    function test_create_refuses_each_time_above_thirty_days_and_want_of_time() public {
        uint32 most = 30 days;
        uint32[5][10] memory times = [
            [most + 1, 0, 0, 1, 1],
            [uint32(1), most + 1, 0, 1, 1],
            [uint32(1), 0, most + 1, 1, 1],
            [uint32(1), 0, 0, most + 1, 1],
            [uint32(1), 0, 0, 1, most + 1],
            // No time to move, to answer, to reveal.
            [uint32(0), 9, 0, 1, 1],
            [uint32(1), 0, 0, 0, 1],
            [uint32(1), 0, 0, 1, 0],
            // All that is possible, and the least.
            [most, most, most, most, most],
            [uint32(0), 0, 1, 1, 1]
        ];
        for (uint256 i = 0; i < times.length; ++i) {
            IFogmate.Terms memory t = terms();
            t.stake = 0;
            (t.base, t.increment, t.delay) = (times[i][0], times[i][1], times[i][2]);
            (t.window, t.reveal) = (times[i][3], times[i][4]);
            if (i < 8) refused(IFogmate.BadTimeControl.selector);
            vm.prank(creator);
            fogmate.create(0, t, 0, creatorKey());
        }
    }

    /// @dev Whichever front end sets the terms: for a stake nobody has less than five minutes to move, to answer, to reveal.
    function test_create_leaves_five_minutes_where_something_is_staked() public {
        uint32[4][5] memory times = [
            [uint32(240), 59, 300, 300],
            [uint32(240), 60, 299, 300],
            [uint32(240), 60, 300, 299],
            [uint32(240), 60, 300, 300],
            [uint32(0), 300, 300, 300]
        ];
        for (uint256 i = 0; i < times.length; ++i) {
            IFogmate.Terms memory t = terms();
            (t.base, t.increment, t.delay) = (times[i][0], 30, times[i][1]);
            (t.window, t.reveal) = (times[i][2], times[i][3]);
            for (uint96 stake = 0; stake < 2; ++stake) {
                t.stake = stake;
                if (i < 3 && stake > 0) refused(IFogmate.BadTimeControl.selector);
                vm.prank(creator);
                fogmate.create{value: stake}(0, t, 0, creatorKey());
            }
        }
    }

    // ---------------------------------------------------------------- in words

    function test_a_summary_says_it_in_words() public {
        bytes32 id = keccak256("no game");
        says(id, "none", "none", 0, address(0), address(0));
        id = open();
        says(id, "open", "none", 0, address(0), address(0));
        id = joined(true);
        says(id, "creator reveals", "none", 0, joiner, address(0));
        id = halfRevealed(false);
        says(id, "joiner reveals", "none", 0, joiner, address(0));
        id = started(false);
        play(id, 3);
        says(id, "playing", "none", 3, joiner, joiner);
        vm.prank(creator);
        fogmate.resign(id);
        says(id, "over", "resigned", 3, joiner, joiner);
        (,, address winner,,,,) = fogmate.summary(id);
        assertEq(winner, joiner, "who won");
        id = played(4);
        move(id, nextKing(id));
        says(id, "over", "king captured", 5, joiner, creator);
    }

    /// @dev Each outcome has its own word; the enum stands in the second byte of the game's first word.
    function test_every_outcome_has_a_word() public {
        string[11] memory words = [
            "none",
            "cancelled",
            "unrevealed",
            "king captured",
            "resigned",
            "timed out",
            "draw agreed",
            "too long",
            "unanswered",
            "fifty moves",
            "no move"
        ];
        bytes32 id = played(2);
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot)) & ~uint256(0xff00);
        for (uint256 i = 0; i <= uint256(type(IFogmate.Outcome).max); ++i) {
            vm.store(address(fogmate), slot, bytes32(word | (i << 8)));
            says(id, "playing", words[i], 2, joiner, i == 1 || i == 2 ? address(0) : creator);
        }
    }

    function says(bytes32 id, string memory status, string memory outcome, uint256 ply, address second, address white)
        private
        view
    {
        (string memory s, string memory o,, uint256 p, address c, address j, address w) = fogmate.summary(id);
        assertEq(keccak256(bytes(s)), keccak256(bytes(status)), status);
        assertEq(keccak256(bytes(o)), keccak256(bytes(outcome)), outcome);
        assertEq(p, ply, "plies");
        assertTrue(c == creator || fogmate.game(id).status == IFogmate.Status.None, "who opened it");
        assertEq(j, second, "who joined it");
        assertEq(w, white, "who is White");
    }

    function test_create_refuses_what_has_expired() public {
        IFogmate.Terms memory t = terms();
        t.expiry = uint40(time() - 1);
        vm.prank(creator);
        refused(IFogmate.BadTimeControl.selector);
        fogmate.create{value: STAKE}(0, t, 0, creatorKey());
        ++t.expiry;
        vm.prank(creator);
        fogmate.create{value: STAKE}(0, t, 0, creatorKey());
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
            fogmate.create{value: STAKE}(0, terms(), 0, bad[i]);
        }
    }

    // ---------------------------------------------------------------- cancel

    function test_cancel_gives_the_stake_back() public {
        bytes32 id = open();
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 0, IFogmate.Outcome.Cancelled);
        vm.prank(creator);
        fogmate.cancel(id);
        assertEq(fogmate.withdrawable(creator), STAKE, "stake");
        assertTrue(fogmate.game(id).status == IFogmate.Status.Over, "status");
        assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.Cancelled, "outcome");
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.cancel(id);
        assertEq(fogmate.withdrawable(creator), STAKE, "once");
    }

    function test_cancel_forgets_the_invited_opponent() public {
        IFogmate.Terms memory t = terms();
        t.opponent = joiner;
        bytes32 id = open(t);
        vm.prank(creator);
        fogmate.cancel(id);
        assertEq(fogmate.withdrawable(joiner), 0, "invited player is owed nothing");
        vm.prank(joiner);
        refused(IFogmate.NotPlayer.selector);
        fogmate.publishViewKey(id, 0);
    }

    function test_until_it_expires_cancel_is_the_creators_alone_then_everybodys() public {
        bytes32 id = open();
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(stranger);
            refused(IFogmate.NotCreator.selector);
            fogmate.cancel(id);
            vm.warp(EXPIRY);
        }
        vm.warp(EXPIRY + 1);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 0, IFogmate.Outcome.Cancelled);
        vm.prank(stranger);
        fogmate.cancel(id);
        assertEq(fogmate.withdrawable(creator), STAKE, "to whom it belongs");
        assertEq(fogmate.withdrawable(stranger), 0, "not to who called");
    }

    function test_cancel_comes_too_late_once_joined() public {
        bytes32 id = joined(true);
        vm.warp(EXPIRY + 1);
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.CreatorReveals));
        fogmate.cancel(id);
    }

    function test_nothing_happens_to_a_game_that_does_not_exist() public {
        bytes memory none = wrongStatus(IFogmate.Status.None);
        IFogmate.Move memory m;
        IFogmate.Exchange memory e;
        vm.expectRevert(none);
        fogmate.cancel(0);
        vm.expectRevert(none);
        fogmate.join(0, 0, joinerKey());
        vm.expectRevert(none);
        fogmate.revealCreator(0, 0, 0);
        vm.expectRevert(none);
        fogmate.revealJoiner(0, 0);
        vm.expectRevert(none);
        fogmate.move(0, m, "");
        vm.expectRevert(none);
        fogmate.resign(0);
        vm.expectRevert(none);
        fogmate.acceptDraw(0, 0, 0);
        vm.expectRevert(none);
        fogmate.claimTimeout(0);
        vm.expectRevert(none);
        fogmate.demandSight(0, IFogmate.Phase.Pre, points(0), "");
        vm.expectRevert(none);
        fogmate.answerSight(0, e, 0, elements(0), "");
        vm.expectRevert(none);
        fogmate.fillAnswer(0, 0, 0);
        vm.expectRevert(none);
        fogmate.claimFifty(0, "");
        vm.expectRevert(none);
        fogmate.respondFifty(0, true, "");
        vm.expectRevert(none);
        fogmate.claimNoMove(0, "");
        vm.expectRevert(none);
        fogmate.reclaim(0, IFogmate.Slot.Hold);
        vm.expectRevert(none);
        fogmate.publishViewKey(0, 0);
        vm.expectRevert(none);
        fogmate.contextOf(0, IFogmate.Phase.Pre);
        vm.expectRevert(none);
        fogmate.exchangeOf(0, IFogmate.Phase.Pre, 0);
    }

    // ---------------------------------------------------------------- join

    function join(bytes32 id, address by, uint256 value, IFogmate.Point memory key) private {
        vm.prank(by);
        fogmate.join{value: value}(id, "toss", key);
    }

    function test_join_seats_the_opponent() public {
        bytes32 id = open();
        vm.warp(time() + 7);
        vm.expectEmit(address(fogmate));
        emit IFogmate.GameJoined(id, joiner, "toss", joinerKey());
        join(id, joiner, STAKE, joinerKey());
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.CreatorReveals, "status");
        assertEq(g.players[1].account, joiner, "joiner");
        assertEq(g.players[1].tossCommitment, "toss", "its commitment");
        assertEq(g.players[0].tossCommitment, commitment(R1, creator), "the creator's");
        assertEq(g.players[1].fogKey.x, DOUBLE_X, "key");
        assertEq(g.players[1].fogKey.y, DOUBLE_Y, "key");
        assertEq(g.players[1].clock, BASE, "clock");
        assertEq(g.terms.opponent, joiner, "the terms' opponent is who joined");
        assertEq(g.since, time(), "since");
        assertEq(address(fogmate).balance, 2 * STAKE, "balance");
    }

    function test_join_refuses_a_second_opponent() public {
        bytes32 id = joined(true);
        vm.expectRevert(wrongStatus(IFogmate.Status.CreatorReveals));
        join(id, stranger, STAKE, joinerKey());
    }

    function test_join_refuses_the_creator() public {
        bytes32 id = open();
        vm.prank(creator);
        refused(IFogmate.SelfPlay.selector);
        fogmate.join{value: STAKE}(id, 0, joinerKey());
    }

    function test_join_in_the_last_second_and_not_after() public {
        bytes32 id = open();
        vm.warp(EXPIRY + 1);
        vm.prank(joiner);
        refused(IFogmate.Expired.selector);
        fogmate.join{value: STAKE}(id, "toss", joinerKey());
        vm.warp(EXPIRY);
        join(id, joiner, STAKE, joinerKey());
    }

    function test_join_refuses_who_is_not_invited() public {
        IFogmate.Terms memory t = terms();
        t.opponent = joiner;
        bytes32 id = open(t);
        vm.prank(stranger);
        refused(IFogmate.NotInvited.selector);
        fogmate.join{value: STAKE}(id, 0, joinerKey());
        join(id, joiner, STAKE, joinerKey());
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
        // Its negative shares an x but is another key.
        join(id, joiner, STAKE, IFogmate.Point(1, FIELD_ORDER - GENERATOR_Y));
    }
}
