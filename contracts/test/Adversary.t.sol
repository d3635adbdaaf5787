// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {GameTest} from "./GameTest.sol";
import {Verdict} from "./ScriptedVerifier.sol";
import {Vm} from "./Vm.sol";

/// @dev A player that, when it is paid, tries everything at once, and as deep as the gas lasts.
contract Reentrant {
    IFogmate private immutable _fogmate;
    bytes[] private _calls;
    uint256 public received;
    uint256 public done;

    constructor(IFogmate fogmate) {
        _fogmate = fogmate;
    }

    function plan(bytes calldata call) external {
        _calls.push(call);
    }

    receive() external payable {
        received += msg.value;
        for (uint256 i = 0; i < _calls.length; ++i) {
            (bool success,) = address(_fogmate).call(_calls[i]);
            if (success) ++done;
        }
    }
}

/// @dev A player that burns all gas when it is paid.
contract Burner {
    receive() external payable {
        assembly {
            invalid()
        }
    }
}

/// @dev Attacks on the rules as they are, found by looking for them. Each sentence says what would be gained.
contract AdversaryTest is GameTest {
    // ---------------------------------------------------------------- calldata

    /// @dev The same exchange with a bit above a small field: another hash, or another reading of the same. Neither answers.
    function test_an_exchange_with_dirty_bits_answers_nothing() public {
        bytes32 id = played(4);
        demandPre(id);
        IFogmate.Exchange memory e = preExchange(id);
        bytes memory call = abi.encodeCall(IFogmate.answerSight, (id, e, e.postedRoot, elements(1), wideProof()));
        // phase, ply, receiver, pendingReceiver, pendingSender: the words 1..5 behind the selector.
        for (uint256 word = 1; word <= 5; ++word) {
            for (uint256 bit = 16; bit < 256; bit += 80) {
                bytes memory dirty = bytes.concat(call);
                uint256 place = 4 + 32 * word + 31 - bit / 8;
                dirty[place] = bytes1(uint8(dirty[place]) ^ uint8(1 << (bit % 8)));
                vm.prank(joiner);
                (bool answered,) = address(fogmate).call(dirty);
                assertTrue(!answered, "another word");
            }
        }
        vm.prank(joiner);
        (bool done,) = address(fogmate).call(call);
        assertTrue(done, "the very words");
    }

    /// @dev Terms with dirty bits would open a game under an id that says something else than its terms.
    function test_terms_with_dirty_bits_open_no_game() public {
        bytes memory call = abi.encodeCall(IFogmate.create, (7, terms(), commitment(R1, creator), creatorKey()));
        uint8[9] memory widths = [8, 96, 32, 32, 32, 32, 32, 40, 160];
        for (uint256 i = 0; i < widths.length; ++i) {
            bytes memory dirty = bytes.concat(call);
            uint256 place = 4 + 32 * (1 + i) + 31 - widths[i] / 8;
            dirty[place] = bytes1(uint8(dirty[place]) | 1);
            vm.prank(creator);
            (bool opened,) = address(fogmate).call{value: STAKE}(dirty);
            assertTrue(!opened, "dirty terms");
        }
        vm.prank(creator);
        (bool done,) = address(fogmate).call{value: STAKE}(call);
        assertTrue(done, "clean terms");
    }

    // ---------------------------------------------------------------- roots and demands

    /// @dev A root of 0, and a garbage root just before the opponent's demand: the demand freezes it, and nothing fits it.
    function test_a_garbage_root_filled_in_before_the_demand_loses() public {
        bytes32 id = played(3);
        move(id, nextWithoutAnswer(id));
        uint256 ctx = fogmate.contextOf(id, IFogmate.Phase.Pre);
        vm.prank(joiner);
        fogmate.fillAnswer(id, ctx, 666);
        demandPre(id);
        IFogmate.Exchange memory e = fogmate.exchangeOf(id, IFogmate.Phase.Pre, 0);
        assertEq(e.postedRoot, 666, "frozen");
        vm.prank(joiner);
        refused(IFogmate.WrongRoot.selector, 666);
        fogmate.answerSight(id, e, 7, elements(1), wideProof());
        vm.warp(time() + WINDOW + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.game(id).winner, creator, "who was owed the sight");
    }

    /// @dev An answer on chain gives a root; it is not overwritten by a garbage root for the move that is under way.
    function test_after_a_demanded_answer_no_root_is_filled_in() public {
        bytes32 id = played(3);
        move(id, nextWithoutAnswer(id));
        demandPre(id);
        answer(id, preExchange(id), 77);
        uint256 ctx = fogmate.contextOf(id, IFogmate.Phase.Pre);
        vm.prank(joiner);
        refused(IFogmate.NothingToFill.selector);
        fogmate.fillAnswer(id, ctx, 666);
        assertEq(fogmate.game(id).answerRoot, 77, "what was proven");
    }

    /// @dev An answer that was given is given again for the next demand in the same slot, which asks for another board.
    function test_an_old_answer_serves_no_new_demand() public {
        bytes32 id = played(3);
        demandPost(id, 0);
        IFogmate.Exchange memory old = postExchange(id, 2);
        answer(id, old);
        play(id, 2);
        demandPost(id, 0);
        vm.prank(joiner);
        refused(IFogmate.NothingDemanded.selector);
        fogmate.answerSight(id, old, 7, elements(1), wideProof());
        answer(id, postExchange(id, 4));
    }

    /// @dev A demand is left open while many moves are made, so that the board that it is about is long forgotten, and the
    /// answer fits nothing.
    function test_a_demand_is_answered_from_its_snapshot_however_the_game_went_on() public {
        bytes32 id = played(3);
        demandPost(id, 0);
        IFogmate.Exchange memory e = postExchange(id, 2);
        play(id, 9);
        answer(id, e);
        assertEq(fogmate.withdrawable(joiner), answerShare(), "and paid");
    }

    // ---------------------------------------------------------------- clocks

    /// @dev A demand in the very last second, answered in its very last second: the delay is all that is left, and enough to
    /// move in; once in a ply, so that it is no clock that stands still.
    function test_a_hold_in_the_last_second_leaves_the_delay_and_no_more() public {
        bytes32 id = played(4);
        (uint256 left,,) = fogmate.clocks(id);
        vm.warp(time() + DELAY + left);
        demandPre(id);
        vm.warp(time() + WINDOW);
        answer(id, preExchange(id));
        (left,,) = fogmate.clocks(id);
        assertEq(left, 0, "nothing on the clock");
        uint256 bond = fogmate.leastBond(false);
        vm.prank(creator);
        refused(IFogmate.NothingToDemand.selector);
        fogmate.demandSight{value: bond}(id, IFogmate.Phase.Pre, points(1), _proof);
        vm.warp(time() + DELAY);
        play(id);
        assertEq(fogmate.game(id).players[0].clock, INCREMENT, "in time");
    }

    // ---------------------------------------------------------------- money

    /// @dev A demand where gas is free: no bond, and the game is lost by silence all the same.
    function test_a_demand_without_a_base_fee_counts() public {
        vm.fee(0);
        bytes32 id = played(4);
        vm.prank(creator);
        fogmate.demandSight(id, IFogmate.Phase.Pre, points(1), _proof);
        vm.warp(time() + WINDOW + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.game(id).winner, creator, "unanswered");
        refused(IFogmate.NothingOwed.selector);
        fogmate.reclaim(id, IFogmate.Slot.Hold);
    }

    /// @dev A player that is a contract and acts again while it is paid: withdraws again, frees its bond again and again, ends
    /// the game once more.
    function test_who_acts_again_while_it_is_paid_gets_what_it_is_owed() public {
        Reentrant player = new Reentrant(fogmate);
        creator = address(player);
        vm.deal(creator, 10 ether);
        bytes32 id = played(4);
        uint96 bond = demandPre(id);
        bytes32 other = open();
        vm.prank(joiner);
        fogmate.resign(id);
        vm.warp(time() + WINDOW + 1);
        player.plan(abi.encodeCall(IFogmate.reclaim, (id, IFogmate.Slot.Hold)));
        player.plan(abi.encodeCall(IFogmate.withdraw, (payable(creator))));
        player.plan(abi.encodeCall(IFogmate.cancel, (other)));
        player.plan(abi.encodeCall(IFogmate.claimTimeout, (id)));
        player.plan(abi.encodeCall(IFogmate.resign, (id)));
        vm.prank(creator);
        fogmate.withdraw(payable(creator));
        while (fogmate.withdrawable(creator) != 0) {
            vm.prank(creator);
            fogmate.withdraw(payable(creator));
        }
        assertEq(player.received(), 3 * STAKE + bond, "two stakes, its bond and the stake of the other game");
        assertEq(player.done(), 3, "a bond freed, a game taken back, a withdrawal within a withdrawal");
        assertEq(address(fogmate).balance, 0, "and nothing is left");
    }

    /// @dev A player that can't be paid without burning the caller's gas: the other one is paid, the game ends, and the credit
    /// stays where it is or goes to another address.
    function test_who_burns_gas_when_it_is_paid_harms_itself() public {
        Burner player = new Burner();
        joiner = address(player);
        vm.deal(joiner, 10 ether);
        bytes32 id = played(4);
        demandPre(id);
        answer(id, preExchange(id));
        vm.prank(creator);
        fogmate.resign(id);
        vm.prank(creator);
        fogmate.withdraw(payable(creator));
        uint256 owed = fogmate.withdrawable(joiner);
        assertEq(owed, 2 * STAKE + answerShare(), "the stakes and its share");
        vm.prank(joiner);
        (bool paid,) = address(fogmate).call{gas: 500_000}(abi.encodeCall(IFogmate.withdraw, (payable(joiner))));
        assertTrue(!paid && fogmate.withdrawable(joiner) == owed, "not paid, and still owed");
        vm.prank(joiner);
        fogmate.withdraw(payable(address(0xFEE)));
        assertEq(address(0xFEE).balance, owed, "paid where it can be");
    }

    /// @dev The contract itself as a recipient, or as a player's address: ether that nobody could take out any more.
    function test_the_contract_takes_no_withdrawal() public {
        bytes32 id = played(1);
        vm.prank(creator);
        fogmate.resign(id);
        vm.prank(joiner);
        refused(IFogmate.TransferFailed.selector);
        fogmate.withdraw(payable(address(fogmate)));
        assertEq(fogmate.withdrawable(joiner), 2 * STAKE, "still owed");
    }

    // ---------------------------------------------------------------- the toss

    /// @dev A joiner's transaction is copied and sent first, with its commitment and key: the copier can't open it and loses
    /// its stake; who was copied has lost the gas of a refused join.
    function test_a_copied_join_costs_the_copier_its_stake() public {
        bytes32 id = open();
        bytes32 seen = commitment(5, joiner);
        vm.prank(stranger);
        fogmate.join{value: STAKE}(id, seen, joinerKey());
        vm.prank(joiner);
        vm.expectRevert(wrongStatus(IFogmate.Status.CreatorReveals));
        fogmate.join{value: STAKE}(id, seen, joinerKey());
        vm.prank(creator);
        fogmate.revealCreator(id, R1, seen);
        vm.prank(stranger);
        refused(IFogmate.WrongReveal.selector);
        fogmate.revealJoiner(id, 5);
        vm.warp(time() + 2 * REVEAL + 1);
        fogmate.claimTimeout(id);
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "both stakes");
    }

    /// @dev All values that follow from the opponent's choice are field elements, so that no honest proof can fail for them:
    /// x + r in place of x, in a key, a root, a commitment.
    function test_no_value_of_the_opponent_has_a_second_form() public {
        IFogmate.Point memory key = creatorKey();
        key.x += FIELD_ORDER;
        IFogmate.Terms memory t = terms();
        vm.prank(creator);
        refused(IFogmate.BadFogKey.selector);
        fogmate.create{value: STAKE}(9, t, commitment(R1, creator), key);
        bytes32 id = played(3);
        IFogmate.Move memory m = next(id);
        m.answerRoot += FIELD_ORDER;
        refuseMove(id, m, abi.encodeWithSelector(IFogmate.NotInField.selector, m.answerRoot));
        move(id, nextWithoutAnswer(id));
        uint256 ctx = fogmate.contextOf(id, IFogmate.Phase.Pre);
        vm.prank(joiner);
        refused(IFogmate.WrongContext.selector, ctx);
        fogmate.fillAnswer(id, ctx + FIELD_ORDER, 1);
        vm.prank(joiner);
        refused(IFogmate.NotInField.selector, FIELD_ORDER + 1);
        fogmate.fillAnswer(id, ctx, FIELD_ORDER + 1);
    }
}
