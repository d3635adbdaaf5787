// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IContest, IDiceGame} from "../src/interfaces/Contests.sol";
import {Test, heedControl} from "./Vm.sol";

/// @dev Games of dice between two honest players, to start from.
abstract contract DiceTest is Test {
    IDiceGame internal dice;
    address internal creator = address(0xC1);
    address internal joiner = address(0xC2);
    address internal stranger = address(0xC3);
    uint96 internal constant STAKE = 1 ether;
    uint24 internal constant TURN = 600;
    uint256 private _nonce;

    function setUp() public virtual {
        dice = IDiceGame(create("DiceGame", ""));
        heedControl(vm);
        vm.warp(1_000_000);
        address[3] memory all = [creator, joiner, stranger];
        for (uint256 i = 0; i < 3; ++i) {
            vm.deal(all[i], 100 ether);
        }
    }

    function terms() internal view returns (IDiceGame.Terms memory) {
        return IDiceGame.Terms(STAKE, TURN, uint40(time() + 1 days), joiner);
    }

    /// @dev The number that is promised for a roll, and the one given in clear for it.
    function secret(uint256 roll) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode("promised", roll)));
    }

    function given(uint256 roll) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode("given", roll)));
    }

    function promised(uint256 roll) internal view returns (bytes32) {
        return dice.promiseOf(roll % 2 == 1 ? creator : joiner, uint64(roll), secret(roll));
    }

    function open(IDiceGame.Terms memory t) internal returns (bytes32) {
        bytes32 promise_ = promised(1);
        vm.prank(creator);
        return dice.create{value: t.stake}(++_nonce, t, promise_);
    }

    function open() internal returns (bytes32) {
        return open(terms());
    }

    function joined() internal returns (bytes32 id) {
        id = open();
        bytes32 promise_ = promised(2);
        vm.prank(joiner);
        dice.join{value: STAKE}(id, given(1), promise_);
    }

    function played(uint256 rolls) internal returns (bytes32 id) {
        id = joined();
        for (uint256 i = 0; i < rolls; ++i) {
            rollHonestly(id);
        }
    }

    /// @dev What the dice of the next roll show, if its number is the one of these players.
    function thrown(bytes32 id) internal view returns (uint8[2] memory) {
        IDiceGame.Game memory g = dice.game(id);
        unchecked {
            return dice.diceOf(secret(g.rolls + 1) + g.number, id, g.rolls + 1);
        }
    }

    function toRoll(bytes32 id) internal view returns (address) {
        return dice.game(id).rolls % 2 == 0 ? creator : joiner;
    }

    function rollHonestly(bytes32 id) internal {
        (bytes memory call, address sender) = honest(id);
        vm.prank(sender);
        (bool done,) = address(dice).call(call);
        assertTrue(done, "an honest roll");
    }

    /// @dev The roll that is due, by the first of its dice, and whose it is.
    function honest(bytes32 id) internal view returns (bytes memory, address) {
        return (choosing(id, thrown(id)[0]), toRoll(id));
    }

    /// @dev The roll that is due, by what is chosen.
    function choosing(bytes32 id, uint8 chosen) internal view returns (bytes memory) {
        IDiceGame.Game memory g = dice.game(id);
        uint256 roll = g.rolls + 1;
        return abi.encodeCall(IDiceGame.roll, (id, g.head, secret(roll), given(roll + 1), promised(roll + 2), chosen));
    }

    /// @dev A call of somebody that must be refused with these bytes.
    function refused(address sender, bytes memory call, bytes memory why) internal {
        refusedWith(sender, 0, call, why);
    }

    function refused(address sender, bytes memory call, bytes4 why) internal {
        refusedWith(sender, 0, call, abi.encodeWithSelector(why));
    }

    function refusedWith(address sender, uint256 value, bytes memory call, bytes memory why) internal {
        vm.prank(sender);
        (bool done, bytes memory reason) = address(dice).call{value: value}(call);
        assertTrue(!done, "refused");
        assertEq(keccak256(reason), keccak256(why), "why");
    }

    function wrongStatus(IContest.Status status) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IContest.WrongStatus.selector, status);
    }
}
