// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev A player that tries to be paid twice.
contract Reentrant {
    IFogmate private immutable _fogmate;
    uint256 public attempts;
    bytes public refusal;

    constructor(IFogmate fogmate) payable {
        _fogmate = fogmate;
    }

    function createAndCancel(IFogmate.Terms calldata terms, IFogmate.Point calldata key) external {
        _fogmate.cancel(_fogmate.create{value: terms.stake}(0, terms, 0, key));
    }

    function withdraw() external {
        _fogmate.withdraw(payable(address(this)));
    }

    receive() external payable {
        ++attempts;
        try _fogmate.withdraw(payable(address(this))) {}
        catch (bytes memory data) {
            refusal = data;
        }
    }
}

/// @dev A player that doesn't take money.
contract Unpayable {
    function createAndCancel(IFogmate fogmate, IFogmate.Terms calldata terms, IFogmate.Point calldata key)
        external
        payable
    {
        fogmate.cancel(fogmate.create{value: msg.value}(0, terms, 0, key));
    }

    function withdraw(IFogmate fogmate, address payable to) external {
        fogmate.withdraw(to);
    }
}

/// @dev What players are owed: who is paid, once, and who can't be paid.
contract PullPaymentsTest is GameTest {
    function test_withdraw_pays_once() public {
        bytes32 id = started();
        vm.prank(joiner);
        fogmate.resign(id);
        uint256 before = creator.balance;
        vm.expectEmit(address(fogmate));
        emit IFogmate.Withdrawn(creator, creator, 2 * STAKE);
        vm.prank(creator);
        fogmate.withdraw(payable(creator));
        assertEq(creator.balance, before + 2 * STAKE, "paid");
        assertEq(address(fogmate).balance, 0, "empty");
        assertEq(fogmate.withdrawable(creator), 0, "nothing more");
        vm.prank(creator);
        refused(IFogmate.NothingOwed.selector);
        fogmate.withdraw(payable(creator));
        vm.prank(joiner);
        refused(IFogmate.NothingOwed.selector);
        fogmate.withdraw(payable(creator));
    }

    function testFuzz_withdraw_pays_whom_the_owed_names(address payable to) public {
        vm.assume(to.code.length == 0 && uint160(address(to)) > 0x1FF);
        bytes32 id = started();
        vm.prank(joiner);
        fogmate.resign(id);
        uint256 before = to.balance;
        vm.expectEmit(address(fogmate));
        emit IFogmate.Withdrawn(creator, to, 2 * STAKE);
        vm.prank(creator);
        fogmate.withdraw(to);
        assertEq(to.balance, before + 2 * STAKE, "paid");
        assertEq(fogmate.withdrawable(creator), 0, "by whom it was owed");
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
        bytes32 id = started(t, true);
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

    function test_who_cannot_be_paid_keeps_the_claim_and_may_name_another() public {
        Unpayable stubborn = new Unpayable();
        stubborn.createAndCancel{value: STAKE}(fogmate, terms(), creatorKey());
        refused(IFogmate.TransferFailed.selector);
        stubborn.withdraw(fogmate, payable(address(stubborn)));
        assertEq(fogmate.withdrawable(address(stubborn)), STAKE, "still owed");
        refused(IFogmate.TransferFailed.selector);
        stubborn.withdraw(fogmate, payable(address(fogmate)));
        refused(IFogmate.TransferFailed.selector);
        stubborn.withdraw(fogmate, payable(address(0)));
        stubborn.withdraw(fogmate, payable(stranger));
        assertEq(stranger.balance, 101 ether, "paid elsewhere");
    }

    /// @dev A player that is a contract and takes no money, or burns all gas when it is paid: the game goes on and ends without
    /// it, the others are paid, and what it is owed stays.
    function test_a_player_that_takes_no_money_hinders_nobody() public {
        bytes32 id = played(4);
        vm.etch(joiner, hex"fe");
        demandPre(id);
        answer(id, preExchange(id));
        uint96 bond = demandPost(id, 1);
        move(id, nextKing(id));
        vm.warp(time() + WINDOW + 1);
        fogmate.reclaim(id, IFogmate.Slot.BlackPost);
        assertEq(fogmate.withdrawable(joiner), bond + answerShare(), "owed");
        vm.prank(creator);
        fogmate.withdraw(payable(creator));
        vm.prank(joiner);
        refused(IFogmate.TransferFailed.selector);
        fogmate.withdraw(payable(joiner));
        vm.prank(joiner);
        fogmate.withdraw(payable(stranger));
        assertEq(address(fogmate).balance, 0, "all paid");
    }

    function test_plain_payments_are_refused() public {
        (bool taken,) = address(fogmate).call{value: 1 ether}("");
        assertTrue(!taken, "no way in but stakes and bonds");
    }

    /// @dev Nobody's money stays behind by mistake: what takes none refuses it.
    function test_only_what_takes_money_is_payable() public {
        bytes32 id = played(3);
        IFogmate.Move memory m = next(id);
        IFogmate.Exchange memory e;
        bytes[11] memory calls = [
            abi.encodeCall(IFogmate.withdraw, (payable(joiner))),
            abi.encodeCall(IFogmate.cancel, (open())),
            abi.encodeCall(IFogmate.revealCreator, (joined(true), R1, 0)),
            abi.encodeCall(IFogmate.revealJoiner, (halfRevealed(true), 0)),
            abi.encodeCall(IFogmate.move, (id, m, proofOf(0))),
            abi.encodeCall(IFogmate.resign, (id)),
            abi.encodeCall(IFogmate.answerSight, (id, e, 0, elements(0), wideProof())),
            abi.encodeCall(IFogmate.fillAnswer, (id, 0, 1)),
            abi.encodeCall(IFogmate.respondFifty, (id, true, proofOf(0))),
            abi.encodeCall(IFogmate.claimNoMove, (id, proofOf(0))),
            abi.encodeCall(IFogmate.reclaim, (id, IFogmate.Slot.Hold))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            vm.prank(joiner);
            (bool taken, bytes memory why) = address(fogmate).call{value: 1}(calls[i]);
            assertTrue(!taken && why.length == 0, "not payable");
        }
    }
}
