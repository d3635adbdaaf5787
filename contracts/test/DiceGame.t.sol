// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IContest, IDiceGame} from "../src/interfaces/Contests.sol";
import {DiceTest} from "./DiceTest.sol";

/// @dev A player that tries to be paid twice.
contract DiceReentrant {
    IDiceGame private immutable _dice;
    uint256 public attempts;

    constructor(IDiceGame dice) payable {
        _dice = dice;
    }

    function create(IDiceGame.Terms calldata terms) external returns (bytes32) {
        return _dice.create{value: terms.stake}(0, terms, 0);
    }

    function withdraw() external {
        _dice.withdraw(payable(address(this)));
    }

    receive() external payable {
        ++attempts;
        try _dice.withdraw(payable(address(this))) {
            revert("paid twice");
        } catch {}
    }
}

/// @dev Every action of the dice contract: what it does, and each of its refusals.
contract DiceGameTest is DiceTest {
    // ---------------------------------------------------------------- create and cancel

    function test_a_game_is_opened_with_its_terms() public {
        IDiceGame.Terms memory t = terms();
        bytes32 promise_ = promised(1);
        bytes32 expected = dice.gameIdOf(creator, 7, t, promise_);
        vm.expectEmit(address(dice));
        emit IDiceGame.GameCreated(expected, creator, joiner, 7, t, promise_);
        vm.prank(creator);
        bytes32 id = dice.create{value: STAKE}(7, t, promise_);
        assertEq(id, expected, "id");
        IDiceGame.Game memory g = dice.game(id);
        assertTrue(g.status == IContest.Status.Open && g.outcome == IContest.Outcome.None, "status");
        assertEq(g.creator, creator, "creator");
        assertEq(g.joiner, joiner, "invited");
        assertEq(g.winner, address(0), "nobody");
        assertEq(uint256(g.stake) + g.turn + g.expiry, uint256(STAKE) + TURN + t.expiry, "terms");
        assertEq(g.head, id, "head");
        assertEq(g.creatorPromise, promise_, "promise");
        assertEq(address(dice).balance, STAKE, "stake");
    }

    function test_what_cannot_be_opened() public {
        IDiceGame.Terms memory t = terms();
        bytes32 wrongStake = 0;
        for (uint256 value = 0; value < 3; ++value) {
            if (value == 1) continue;
            bytes memory why = abi.encodeWithSelector(IContest.WrongStake.selector, STAKE);
            refusedWith(creator, value * STAKE, abi.encodeCall(IDiceGame.create, (1, t, wrongStake)), why);
        }
        t.opponent = address(0);
        refusedWith(
            creator,
            STAKE,
            abi.encodeCall(IDiceGame.create, (1, t, 0)),
            abi.encodeWithSelector(IDiceGame.NoOpponent.selector)
        );
        t.opponent = joiner;
        t.turn = 5 minutes - 1;
        refusedWith(
            creator,
            STAKE,
            abi.encodeCall(IDiceGame.create, (1, t, 0)),
            abi.encodeWithSelector(IContest.BadTerms.selector)
        );
        t.turn = 5 minutes;
        open(t);
        t.stake = 0;
        t.opponent = creator;
        refused(creator, abi.encodeCall(IDiceGame.create, (1, t, 0)), IContest.SelfPlay.selector);
        t.opponent = address(0);
        IDiceGame.Terms[4] memory bad = [copy(t), copy(t), copy(t), copy(t)];
        bad[0].turn = 0;
        bad[1].turn = 30 days + 1;
        bad[2].expiry = uint40(time() - 1);
        bad[3].expiry = uint40(time() + 30 days + 1);
        for (uint256 i = 0; i < 4; ++i) {
            refused(creator, abi.encodeCall(IDiceGame.create, (1, bad[i], 0)), IContest.BadTerms.selector);
        }
        t.turn = 30 days;
        t.expiry = uint40(time());
        vm.prank(creator);
        dice.create(1, t, 0);
        refused(creator, abi.encodeCall(IDiceGame.create, (1, t, 0)), IContest.GameExists.selector);
        (t.turn, t.expiry) = (1, uint40(time() + 30 days));
        vm.prank(creator);
        dice.create(1, t, 0);
    }

    function copy(IDiceGame.Terms memory t) private pure returns (IDiceGame.Terms memory) {
        return IDiceGame.Terms(t.stake, t.turn, t.expiry, t.opponent);
    }

    /// @dev The id hangs on everything, so a promise that was answered can't be replaced by another.
    function test_every_field_of_an_opening_is_in_the_id() public {
        IDiceGame.Terms memory t = terms();
        bytes32 id = dice.gameIdOf(creator, 1, t, bytes32(uint256(5)));
        IDiceGame.Terms[4] memory other = [copy(t), copy(t), copy(t), copy(t)];
        other[0].stake += 1;
        other[1].turn += 1;
        other[2].expiry += 1;
        other[3].opponent = stranger;
        for (uint256 i = 0; i < 4; ++i) {
            assertTrue(dice.gameIdOf(creator, 1, other[i], bytes32(uint256(5))) != id, "terms");
        }
        assertTrue(dice.gameIdOf(joiner, 1, t, bytes32(uint256(5))) != id, "creator");
        assertTrue(dice.gameIdOf(creator, 2, t, bytes32(uint256(5))) != id, "nonce");
        assertTrue(dice.gameIdOf(creator, 1, t, bytes32(uint256(6))) != id, "promise");
        vm.chainId(5);
        assertTrue(dice.gameIdOf(creator, 1, t, bytes32(uint256(5))) != id, "chain");
        vm.chainId(31337);
        assertTrue(IDiceGame(create("DiceGame", "")).gameIdOf(creator, 1, t, bytes32(uint256(5))) != id, "contract");
    }

    /// @dev Not before the expiry, whoever asks: the creator would step back at no cost once it has seen a joiner's number.
    function test_cancelling() public {
        bytes32 id = open();
        bytes memory call = abi.encodeCall(IContest.cancel, (id));
        uint256 expiry = dice.game(id).expiry;
        for (uint256 i = 0; i < 2; ++i) {
            refused(creator, call, abi.encodeWithSelector(IContest.StillInTime.selector, expiry));
            vm.warp(expiry);
        }
        vm.warp(expiry + 1);
        vm.expectEmit(address(dice));
        emit IContest.GameEnded(id, address(0), IContest.Outcome.Cancelled);
        vm.prank(stranger);
        dice.cancel(id);
        assertEq(dice.withdrawable(creator), STAKE, "its own");
        assertEq(dice.game(id).winner, address(0), "nobody has won");
        refused(creator, call, wrongStatus(IContest.Status.Over));
        refused(creator, abi.encodeCall(IContest.cancel, (joined())), wrongStatus(IContest.Status.Playing));
        refused(creator, abi.encodeCall(IContest.cancel, (bytes32(0))), wrongStatus(IContest.Status.None));
    }

    // ---------------------------------------------------------------- join

    function test_a_game_is_joined() public {
        bytes32 id = open();
        bytes32 promise_ = promised(2);
        bytes32 head = keccak256(abi.encode(id, joiner, given(1), promise_));
        vm.expectEmit(address(dice));
        emit IDiceGame.GameJoined(id, joiner, head, given(1), promise_);
        vm.prank(joiner);
        dice.join{value: STAKE}(id, given(1), promise_);
        IDiceGame.Game memory g = dice.game(id);
        assertTrue(g.status == IContest.Status.Playing, "status");
        assertEq(g.joiner, joiner, "joiner");
        assertEq(g.head, head, "head");
        assertEq(g.number, given(1), "number");
        assertEq(g.joinerPromise, promise_, "promise");
        assertEq(g.since, time(), "the time runs");
    }

    function test_what_cannot_be_joined() public {
        bytes32 id = open();
        bytes memory call = abi.encodeCall(IDiceGame.join, (id, 1, 0));
        refusedWith(creator, STAKE, call, abi.encodeWithSelector(IContest.SelfPlay.selector));
        refusedWith(joiner, STAKE - 1, call, abi.encodeWithSelector(IContest.WrongStake.selector, STAKE));
        vm.warp(dice.game(id).expiry + 1);
        refusedWith(joiner, STAKE, call, abi.encodeWithSelector(IContest.Expired.selector));
        vm.warp(time() - 1);
        vm.prank(joiner);
        dice.join{value: STAKE}(id, 1, 0);
        refusedWith(joiner, STAKE, call, wrongStatus(IContest.Status.Playing));
        call = abi.encodeCall(IDiceGame.join, (bytes32(0), 1, 0));
        refusedWith(stranger, 0, call, wrongStatus(IContest.Status.None));

        id = open();
        call = abi.encodeCall(IDiceGame.join, (id, 1, 0));
        refusedWith(stranger, STAKE, call, abi.encodeWithSelector(IContest.NotInvited.selector));
        IDiceGame.Terms memory t = terms();
        (t.stake, t.opponent) = (0, address(0));
        id = open(t);
        vm.prank(stranger);
        dice.join(id, 1, 0);
        assertEq(dice.game(id).joiner, stranger, "anyone");
    }

    // ---------------------------------------------------------------- roll

    function test_a_roll_moves_by_both_numbers() public {
        bytes32 id = joined();
        uint8[2] memory shown = thrown(id);
        uint8 die = shown[0];
        uint8 square = die == 1 ? 38 : die == 4 ? 14 : die;
        bytes32 head = keccak256(abi.encode(dice.game(id).head, secret(1), given(2), promised(3), die));
        bytes32 promise_ = promised(3);
        vm.warp(time() + 5);
        vm.expectEmit(address(dice));
        emit IDiceGame.Rolled(id, creator, 1, head, secret(1), given(2), promise_, shown, die, square);
        rollHonestly(id);
        IDiceGame.Game memory g = dice.game(id);
        assertEq(g.head, head, "head");
        assertEq(g.number, given(2), "number");
        assertEq(g.creatorPromise, promise_, "promise");
        assertEq(g.joinerPromise, promised(2), "the other's stands");
        assertEq(g.creatorSquare, square, "square");
        assertEq(uint256(g.rolls) + g.joinerSquare, 1, "rolls");
        assertEq(g.since, time(), "the time runs anew");
    }

    /// @dev Whoever has seen the dice moves by one of the two, and by nothing else; the heads after both differ.
    function test_one_of_two_dice_is_chosen() public {
        for (uint256 rolls = 0; rolls < 12; ++rolls) {
            bytes32 id = played(rolls);
            uint8[2] memory shown = thrown(id);
            address sender = toRoll(id);
            bytes32[2] memory heads;
            for (uint256 i = 0; i < 2; ++i) {
                uint256 state = vm.snapshotState();
                bytes memory call = choosing(id, shown[i]);
                vm.prank(sender);
                (bool done,) = address(dice).call(call);
                assertTrue(done, "either");
                heads[i] = dice.game(id).head;
                vm.revertToState(state);
            }
            assertTrue((heads[0] == heads[1]) == (shown[0] == shown[1]), "the head binds the choice");
            for (uint256 other = 0; other < 256; ++other) {
                if (other == shown[0] || other == shown[1]) continue;
                bytes memory why = abi.encodeWithSelector(IDiceGame.NoSuchDie.selector, shown);
                refused(sender, choosing(id, uint8(other)), why);
            }
            // What isn't the word of one byte doesn't pass for it.
            bytes memory wide = choosing(id, shown[0]);
            wide[wide.length - 2] = 0x01;
            refusedWith(sender, 0, wide, "");
        }
    }

    /// @dev A choice that has been made stays: the same roll by the other die follows an earlier message.
    function test_a_choice_is_made_once() public {
        bytes32 id = joined();
        while (thrown(id)[0] == thrown(id)[1]) {
            rollHonestly(id);
        }
        address sender = toRoll(id);
        bytes memory other = choosing(id, thrown(id)[1]);
        rollHonestly(id);
        refused(sender, other, IContest.NotYourTurn.selector);
        rollHonestly(id);
        refused(sender, other, abi.encodeWithSelector(IDiceGame.WrongHead.selector, dice.game(id).head));
    }

    /// @dev Tries numbers until the roll is the one it likes: it isn't the one that was promised.
    function testFuzz_a_biased_roll_is_refused(uint256 number) public {
        bytes32 id = played(2);
        vm.assume(number != secret(3));
        bytes memory call = abi.encodeCall(IDiceGame.roll, (id, dice.game(id).head, number, given(4), promised(5), 1));
        refused(creator, call, IDiceGame.WrongReveal.selector);
    }

    /// @dev Every bit of what was promised counts.
    function test_a_wrong_hash_is_refused() public {
        bytes32 id = joined();
        for (uint256 bit = 0; bit < 256; ++bit) {
            uint256 number = secret(1) ^ (uint256(1) << bit);
            bytes memory call =
                abi.encodeCall(IDiceGame.roll, (id, dice.game(id).head, number, given(2), promised(3), 1));
            refused(creator, call, IDiceGame.WrongReveal.selector);
        }
        rollHonestly(id);
    }

    function test_a_replayed_roll_is_refused() public {
        bytes32 id = joined();
        (bytes memory first,) = honest(id);
        rollHonestly(id);
        refused(creator, first, IContest.NotYourTurn.selector);
        rollHonestly(id);
        bytes32 head = dice.game(id).head;
        refused(creator, first, abi.encodeWithSelector(IDiceGame.WrongHead.selector, head));
        // Under the latest head, too.
        bytes memory again = abi.encodeCall(IDiceGame.roll, (id, head, secret(1), given(2), promised(3), 1));
        refused(creator, again, IDiceGame.WrongReveal.selector);
        // Nor in another game of the same players.
        bytes32 other = joined();
        refused(creator, first, abi.encodeWithSelector(IDiceGame.WrongHead.selector, head));
        bytes memory foreign = abi.encodeCall(IDiceGame.roll, (other, head, secret(1), given(2), promised(3), 1));
        refused(creator, foreign, abi.encodeWithSelector(IDiceGame.WrongHead.selector, dice.game(other).head));
    }

    /// @dev A promise is for one roll: repeated, it can't be opened, and its time runs out.
    function test_a_replayed_promise_loses() public {
        bytes32 id = joined();
        bytes32 opened = promised(1);
        bytes32 head = dice.game(id).head;
        uint8 shown = thrown(id)[0];
        vm.prank(creator);
        dice.roll(id, head, secret(1), given(2), opened, shown);
        rollHonestly(id);
        bytes memory call =
            abi.encodeCall(IDiceGame.roll, (id, dice.game(id).head, secret(1), given(4), promised(5), 1));
        refused(creator, call, IDiceGame.WrongReveal.selector);
        vm.warp(time() + TURN + 1);
        dice.claimTimeout(id);
        assertEq(dice.game(id).winner, joiner, "the other wins");
    }

    /// @dev A promise is of one player: copied, the number that opens it for the other opens nothing.
    function test_a_copied_promise_loses() public {
        bytes32 id = open();
        bytes32 copied = promised(1);
        vm.prank(joiner);
        dice.join{value: STAKE}(id, given(1), copied);
        rollHonestly(id);
        bytes memory call =
            abi.encodeCall(IDiceGame.roll, (id, dice.game(id).head, secret(1), given(3), promised(4), 1));
        refused(joiner, call, IDiceGame.WrongReveal.selector);
    }

    function test_a_wrong_order_is_refused() public {
        bytes32 id = open();
        bytes memory call = abi.encodeCall(IDiceGame.roll, (id, id, secret(1), given(2), promised(3), 1));
        refused(creator, call, wrongStatus(IContest.Status.Open));
        id = joined();
        for (uint256 rolls = 0; rolls < 4; ++rolls) {
            (bytes memory due, address sender) = honest(id);
            refused(sender == creator ? joiner : creator, due, IContest.NotYourTurn.selector);
            refused(stranger, due, IContest.NotYourTurn.selector);
            bytes32 head = dice.game(id).head;
            uint256 roll = rolls + 1;
            for (uint256 bit = 0; bit < 256; bit += 15) {
                bytes32 other = head ^ bytes32(uint256(1) << bit);
                due = abi.encodeCall(IDiceGame.roll, (id, other, secret(roll), given(roll + 1), promised(roll + 2), 1));
                refused(sender, due, abi.encodeWithSelector(IDiceGame.WrongHead.selector, head));
            }
            rollHonestly(id);
        }
    }

    // ---------------------------------------------------------------- time

    /// @dev Who withholds a reveal has lost, one second after its time, whoever calls.
    function test_a_withheld_reveal_loses() public {
        for (uint256 rolls = 0; rolls < 4; ++rolls) {
            bytes32 id = played(rolls);
            (bytes memory due, address silent) = honest(id);
            address other = silent == creator ? joiner : creator;
            uint256 last = time() + TURN;
            uint256 owed = dice.withdrawable(other);
            bytes memory claim = abi.encodeCall(IContest.claimTimeout, (id));
            vm.warp(last);
            refused(other, claim, abi.encodeWithSelector(IContest.StillInTime.selector, last));
            uint256 state = vm.snapshotState();
            rollHonestly(id);
            vm.revertToState(state);
            vm.warp(last + 1);
            refused(silent, due, IContest.OutOfTime.selector);
            refused(silent, abi.encodeCall(IContest.resign, (id)), IContest.OutOfTime.selector);
            vm.expectEmit(address(dice));
            emit IContest.GameEnded(id, other, IContest.Outcome.TimedOut);
            vm.prank(stranger);
            dice.claimTimeout(id);
            assertEq(dice.withdrawable(other), owed + 2 * STAKE, "both stakes");
            refused(other, claim, wrongStatus(IContest.Status.Over));
        }
        refused(joiner, abi.encodeCall(IContest.claimTimeout, (open())), wrongStatus(IContest.Status.Open));
    }

    // ---------------------------------------------------------------- the end

    function test_a_whole_game_pays_the_winner() public {
        bytes32 id = joined();
        uint256 rolls = 0;
        while (dice.game(id).status == IContest.Status.Playing) {
            rollHonestly(id);
            assertTrue(++rolls < 2_000, "it ends");
        }
        IDiceGame.Game memory g = dice.game(id);
        address winner = rolls % 2 == 1 ? creator : joiner;
        assertEq(g.winner, winner, "who rolled last");
        assertEq(rolls % 2 == 1 ? g.creatorSquare : g.joinerSquare, 100, "goal");
        assertTrue(g.outcome == IContest.Outcome.Won, "outcome");
        assertEq(dice.withdrawable(winner), 2 * STAKE, "both stakes");
        (bytes memory due,) = honest(id);
        refused(creator, due, wrongStatus(IContest.Status.Over));
        refused(creator, abi.encodeCall(IContest.resign, (id)), wrongStatus(IContest.Status.Over));
    }

    function test_resigning() public {
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = played(1);
            refused(stranger, abi.encodeCall(IContest.resign, (id)), IContest.NotPlayer.selector);
            (address loser, address winner) = i == 0 ? (creator, joiner) : (joiner, creator);
            vm.expectEmit(address(dice));
            emit IContest.GameEnded(id, winner, IContest.Outcome.Resigned);
            vm.prank(loser);
            dice.resign(id);
            assertEq(dice.withdrawable(winner), 2 * STAKE, "both stakes");
        }
        refused(creator, abi.encodeCall(IContest.resign, (open())), wrongStatus(IContest.Status.Open));
    }

    // ---------------------------------------------------------------- money

    function test_withdraw_pays_once_and_whom_the_owed_names() public {
        bytes32 id = joined();
        vm.prank(joiner);
        dice.resign(id);
        refused(joiner, abi.encodeCall(IContest.withdraw, (payable(joiner))), IContest.NothingOwed.selector);
        bytes memory toItself = abi.encodeCall(IContest.withdraw, (payable(address(dice))));
        refused(creator, toItself, IContest.TransferFailed.selector);
        bytes memory toNobody = abi.encodeCall(IContest.withdraw, (payable(address(0))));
        refused(creator, toNobody, IContest.TransferFailed.selector);
        uint256 before = stranger.balance;
        vm.expectEmit(address(dice));
        emit IContest.Withdrawn(creator, stranger, 2 * STAKE);
        vm.prank(creator);
        dice.withdraw(payable(stranger));
        assertEq(stranger.balance, before + 2 * STAKE, "paid");
        assertEq(address(dice).balance + dice.withdrawable(creator), 0, "empty");
        refused(creator, abi.encodeCall(IContest.withdraw, (payable(creator))), IContest.NothingOwed.selector);
    }

    function test_reentering_withdraw_pays_once() public {
        joined();
        DiceReentrant thief = new DiceReentrant(dice);
        vm.deal(address(thief), STAKE);
        bytes32 id = thief.create(terms());
        vm.warp(time() + 1 days + 1);
        dice.cancel(id);
        thief.withdraw();
        assertEq(thief.attempts(), 1, "it tried");
        assertEq(address(thief).balance, STAKE, "its own");
        assertEq(address(dice).balance, 2 * STAKE, "the others' stakes are whole");
    }

    function test_only_what_takes_money_is_payable() public {
        bytes32 id = played(2);
        (bytes memory due,) = honest(id);
        bytes[5] memory calls = [
            due,
            abi.encodeCall(IContest.resign, (id)),
            abi.encodeCall(IContest.claimTimeout, (id)),
            abi.encodeCall(IContest.cancel, (open())),
            ""
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            refusedWith(creator, 1, calls[i], "");
        }
    }

    // ---------------------------------------------------------------- cost

    /// @dev Each action as a transaction of its own, with its calldata.
    /// forge-config: default.isolate = true
    function test_gas() public {
        bytes32 id = open();
        emit log_named_uint("create", vm.lastCallGas().gasTotalUsed);
        bytes32 promise_ = promised(2);
        vm.prank(joiner);
        dice.join{value: STAKE}(id, given(1), promise_);
        emit log_named_uint("join", vm.lastCallGas().gasTotalUsed);
        for (uint256 i = 1; i < 6; ++i) {
            (bytes memory call, address sender) = honest(id);
            vm.prank(sender);
            (bool done,) = address(dice).call(call);
            uint256 gas = vm.lastCallGas().gasTotalUsed;
            emit log_named_uint(string.concat("roll ", vm.toString(i)), gas);
            assertTrue(done && gas < 75_000, "a roll");
        }
        vm.prank(creator);
        dice.resign(id);
        emit log_named_uint("resign", vm.lastCallGas().gasTotalUsed);
    }
}
