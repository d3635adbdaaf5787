// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev A player that tries to be paid twice.
contract Reentrant {
    Fogmate private immutable _fogmate;
    uint256 public attempts;
    bytes public refusal;

    constructor(Fogmate fogmate) payable {
        _fogmate = fogmate;
    }

    function createAndCancel(IFogmate.Terms calldata terms, IFogmate.Point calldata key) external {
        _fogmate.cancel(_fogmate.create{value: terms.stake}(terms, 0, key));
    }

    function withdraw() external {
        _fogmate.withdraw();
    }

    receive() external payable {
        ++attempts;
        try _fogmate.withdraw() {}
        catch (bytes memory data) {
            refusal = data;
        }
    }
}

/// @dev A player that can't be paid.
contract Unpayable {
    function createAndCancel(Fogmate fogmate, IFogmate.Terms calldata terms, IFogmate.Point calldata key)
        external
        payable
    {
        fogmate.cancel(fogmate.create{value: msg.value}(terms, 0, key));
    }

    function withdraw(Fogmate fogmate) external {
        fogmate.withdraw();
    }
}

/// @dev How games end, the clock, stakes and view keys: what they do and every refusal.
contract EndingTest is GameTest {
    // ---------------------------------------------------------------- resignation

    function test_either_player_resigns_at_any_time() public {
        for (uint256 i = 0; i < 4; ++i) {
            bytes32 id = played(i / 2);
            (address loser, address winner) = i % 2 == 0 ? (creator, joiner) : (joiner, creator);
            uint256 owed = fogmate.withdrawable(winner);
            vm.expectEmit(true, true, true, true, address(fogmate));
            emit IFogmate.GameEnded(id, winner, uint16(i / 2), IFogmate.Outcome.Resigned);
            vm.prank(loser);
            fogmate.resign(id);
            assertEq(fogmate.withdrawable(winner), owed + 2 * STAKE, "both stakes");
            assertEq(fogmate.game(id).winner, winner, "winner");
            assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.Resigned, "outcome");
        }
    }

    function test_resigning_is_for_players_in_play() public {
        bytes32 id = started();
        vm.prank(stranger);
        refused(IFogmate.NotPlayer.selector);
        fogmate.resign(id);
        vm.prank(creator);
        fogmate.resign(id);
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.resign(id);
        id = joined(true);
        vm.prank(joiner);
        vm.expectRevert(wrongStatus(IFogmate.Status.Toss));
        fogmate.resign(id);
    }

    // ---------------------------------------------------------------- draw

    function offered() private returns (bytes32 id) {
        id = played(2);
        IFogmate.Move memory m = next(id);
        m.offerDraw = true;
        move(id, m);
    }

    function test_an_accepted_draw_gives_each_its_stake() public {
        bytes32 id = offered();
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.GameEnded(id, address(0), 3, IFogmate.Outcome.DrawAgreed);
        vm.prank(joiner);
        fogmate.acceptDraw(id);
        assertEq(fogmate.withdrawable(creator), STAKE, "stake");
        assertEq(fogmate.withdrawable(joiner), STAKE, "stake");
        assertEq(fogmate.game(id).winner, address(0), "nobody won");
    }

    function test_a_draw_is_accepted_by_the_player_to_move_only() public {
        bytes32 id = offered();
        vm.prank(creator);
        refused(IFogmate.NotYourTurn.selector);
        fogmate.acceptDraw(id);
        vm.prank(stranger);
        refused(IFogmate.NotYourTurn.selector);
        fogmate.acceptDraw(id);
    }

    function test_no_draw_without_an_offer_or_after_it_died() public {
        bytes32 id = offered();
        play(id);
        vm.prank(creator);
        refused(IFogmate.NoDrawOffer.selector);
        fogmate.acceptDraw(id);
        id = started();
        vm.prank(creator);
        refused(IFogmate.NoDrawOffer.selector);
        fogmate.acceptDraw(id);
    }

    function test_no_draw_after_ones_time() public {
        bytes32 id = offered();
        vm.warp(block.timestamp + 60 + 605 + 1);
        vm.prank(joiner);
        refused(IFogmate.OutOfTime.selector);
        fogmate.acceptDraw(id);
    }

    function test_a_draw_needs_a_game_in_play() public {
        bytes32 id = offered();
        vm.prank(joiner);
        fogmate.acceptDraw(id);
        vm.prank(joiner);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.acceptDraw(id);
    }

    // ---------------------------------------------------------------- clock

    function testFuzz_a_timeout_is_claimed_after_the_deadline_by_anyone(uint256 wait, uint8 plies) public {
        bytes32 id = played(bound(plies, 0, 4));
        IFogmate.Game memory g = fogmate.game(id);
        wait = bound(wait, 0, 2000);
        uint256 deadline = g.since + g.delay + g.players[g.ply & 1].clock;
        vm.warp(g.since + wait);
        vm.prank(stranger);
        if (block.timestamp <= deadline) {
            refused(IFogmate.StillInTime.selector, deadline);
            fogmate.claimTimeout(id);
        } else {
            address winner = g.players[(g.ply & 1) ^ 1].account;
            fogmate.claimTimeout(id);
            assertEq(fogmate.game(id).winner, winner, "winner");
            assertTrue(fogmate.game(id).outcome == IFogmate.Outcome.TimedOut, "outcome");
            assertEq(fogmate.withdrawable(winner), 2 * STAKE, "both stakes");
        }
    }

    /// @dev The clock against a second, plainer model: waits are spent beyond the delay, then the increment comes.
    function testFuzz_clocks_follow_a_plain_model(uint32 base, uint32 increment, uint32 delay, uint32[8] memory waits)
        public
    {
        IFogmate.Terms memory t = terms();
        t.base = uint32(bound(base, 1, 30 days));
        t.increment = uint32(bound(increment, 0, 30 days));
        t.delay = uint32(bound(delay, 0, 30 days));
        vm.prank(creator);
        bytes32 id = fogmate.create{value: STAKE}(t, commitment(R1, creator), creatorKey());
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, share(true), joinerKey());
        vm.prank(creator);
        fogmate.reveal(id, R1);

        uint256[2] memory left = [uint256(t.base), t.base];
        for (uint256 ply = 0; ply < 8; ++ply) {
            uint256 mover = ply % 2;
            uint256 start = block.timestamp;
            uint256 wait = bound(waits[ply], 0, t.delay + left[mover]);
            vm.warp(start + wait);
            (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
            assertEq(deadline, start + t.delay + left[mover], "deadline");
            assertEq(mover == 0 ? black : white, left[mover ^ 1], "resting clock");
            left[mover] -= wait > t.delay ? wait - t.delay : 0;
            assertEq(mover == 0 ? white : black, left[mover], "running clock");
            play(id);
            left[mover] += t.increment;
            assertEq(fogmate.game(id).players[mover].clock, left[mover], "clock after the ply");
        }
        vm.warp(block.timestamp + t.delay + left[0] + 1);
        (uint256 flagged,,) = fogmate.clocks(id);
        assertEq(flagged, 0, "nothing left");
        fogmate.claimTimeout(id);
        (uint256 a, uint256 b, uint256 c) = fogmate.clocks(id);
        assertEq(a + b + c, 0, "no clock after the end");
    }

    function test_a_clock_stops_growing_at_what_the_layout_holds() public {
        bytes32 id = played(2);
        // Seat 0's clock stands in bits 104..136 of the game's first word.
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot));
        vm.store(address(fogmate), slot, bytes32(word | (uint256(type(uint32).max - 2) << 104)));
        play(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.players[0].clock, type(uint32).max, "saturated");
        assertEq(g.players[1].clock, 605, "the neighbour is untouched");
    }

    function test_a_timeout_needs_a_running_clock() public {
        bytes32 id = played(1);
        vm.prank(creator);
        fogmate.resign(id);
        vm.warp(block.timestamp + 365 days);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.claimTimeout(id);
    }

    // ---------------------------------------------------------------- view keys

    function test_view_keys_are_published_once_by_each_player_after_the_end() public {
        bytes32 id = played(2);
        vm.prank(creator);
        vm.expectRevert(wrongStatus(IFogmate.Status.Playing));
        fogmate.publishViewKey(id, "key");
        vm.prank(creator);
        fogmate.resign(id);

        vm.prank(stranger);
        refused(IFogmate.NotPlayer.selector);
        fogmate.publishViewKey(id, "key");
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.ViewKeyPublished(id, joiner, "key");
        vm.prank(joiner);
        fogmate.publishViewKey(id, "key");
        assertTrue(fogmate.game(id).players[1].viewKeyPublished, "joiner's");
        assertTrue(!fogmate.game(id).players[0].viewKeyPublished, "not the creator's");
        vm.prank(joiner);
        refused(IFogmate.AlreadyPublished.selector);
        fogmate.publishViewKey(id, "another");
        vm.prank(creator);
        fogmate.publishViewKey(id, "key");
        assertTrue(fogmate.game(id).players[0].viewKeyPublished, "creator's");
    }

    function test_contexts_are_of_games_in_play() public {
        bytes32 id = started();
        assertEq(fogmate.contextOf(id, 0), 0, "opening");
        refused(IFogmate.NoSuchPhase.selector);
        fogmate.contextOf(id, 1);
        refused(IFogmate.NoSuchPhase.selector);
        fogmate.contextOf(id, 2);
        play(id);
        assertEq(fogmate.contextOf(id, 0), 0, "opening");
        assertTrue(fogmate.contextOf(id, 1) != 0, "white's first sight is after its move");
        play(id);
        assertTrue(fogmate.contextOf(id, 0) != 0, "sight");
        vm.prank(creator);
        fogmate.resign(id);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.contextOf(id, 0);
    }

    // ---------------------------------------------------------------- money

    function test_withdraw_pays_once() public {
        bytes32 id = started();
        vm.prank(joiner);
        fogmate.resign(id);
        uint256 before = creator.balance;
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.Withdrawn(creator, 2 * STAKE);
        vm.prank(creator);
        fogmate.withdraw();
        assertEq(creator.balance, before + 2 * STAKE, "paid");
        assertEq(address(fogmate).balance, 0, "empty");
        vm.prank(creator);
        refused(IFogmate.NothingOwed.selector);
        fogmate.withdraw();
        vm.prank(joiner);
        refused(IFogmate.NothingOwed.selector);
        fogmate.withdraw();
    }

    function test_winnings_of_several_games_add_up() public {
        for (uint256 i = 0; i < 3; ++i) {
            bytes32 id = started();
            vm.prank(joiner);
            fogmate.resign(id);
        }
        assertEq(fogmate.withdrawable(creator), 6 * STAKE, "owed");
    }

    function test_a_game_for_nothing_owes_nothing() public {
        IFogmate.Terms memory t = terms();
        t.stake = 0;
        vm.prank(creator);
        bytes32 id = fogmate.create(t, commitment(R1, creator), creatorKey());
        vm.prank(joiner);
        fogmate.join(id, share(true), joinerKey());
        vm.prank(creator);
        fogmate.reveal(id, R1);
        vm.prank(creator);
        fogmate.resign(id);
        assertEq(fogmate.withdrawable(joiner), 0, "nothing");
        assertEq(fogmate.game(id).winner, joiner, "won all the same");
    }

    function test_reentering_withdraw_pays_once() public {
        started();
        Reentrant thief = new Reentrant(fogmate);
        vm.deal(address(thief), STAKE);
        thief.createAndCancel(terms(), creatorKey());
        thief.withdraw();
        assertEq(thief.attempts(), 1, "it tried");
        assertEq(
            keccak256(thief.refusal()), keccak256(abi.encodeWithSelector(IFogmate.NothingOwed.selector)), "why not"
        );
        assertEq(address(thief).balance, STAKE, "its own");
        assertEq(address(fogmate).balance, 2 * STAKE, "the others' stakes are whole");
    }

    function test_who_cannot_be_paid_keeps_the_claim() public {
        Unpayable stubborn = new Unpayable();
        stubborn.createAndCancel{value: STAKE}(fogmate, terms(), creatorKey());
        refused(IFogmate.TransferFailed.selector);
        stubborn.withdraw(fogmate);
        assertEq(fogmate.withdrawable(address(stubborn)), STAKE, "still owed");
    }

    function test_plain_payments_are_refused() public {
        (bool taken,) = address(fogmate).call{value: 1 ether}("");
        assertTrue(!taken, "no way in but stakes");
        (taken,) = address(fogmate).call{value: 1 ether}(abi.encodeCall(IFogmate.withdraw, ()));
        assertTrue(!taken, "not payable");
    }
}
