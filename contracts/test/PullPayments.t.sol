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

/// @dev What players are owed: who is paid, once, and who can't be paid.
contract PullPaymentsTest is GameTest {
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
