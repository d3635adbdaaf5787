// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ITagGame} from "../src/interfaces/Contests.sol";
import {Test, heedControl} from "./Vm.sol";

/// @dev Who plays tag in tests, and for what.
abstract contract TagKit is Test {
    uint96 internal constant STAKE = 1 ether;
    uint24 internal constant TURN = 600;

    ITagGame internal tag;
    address[2] internal players = [address(0xC1), address(0xC2)];
    address internal stranger = address(0xC3);

    function setUp() public virtual {
        heedControl(vm);
        vm.warp(1_000_000);
        for (uint256 i = 0; i < 2; ++i) {
            vm.deal(players[i], 100 ether);
        }
        vm.deal(stranger, 100 ether);
    }

    function terms() internal view returns (ITagGame.Terms memory) {
        return ITagGame.Terms(STAKE, 6, 20, TURN, uint40(time() + 1 days), address(0));
    }

    /// @dev A call that reverts with these bytes.
    function refuse(address sender, bytes memory data, bytes memory reason, string memory what) internal {
        vm.prank(sender);
        (bool done, bytes memory returned) = address(tag).call(data);
        assertTrue(!done, what);
        assertEq(keccak256(returned), keccak256(reason), what);
    }
}
