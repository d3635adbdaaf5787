// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {FogKeys} from "../src/libraries/FogKeys.sol";
import {Test} from "./Vm.sol";

/// @dev Which fog keys are acceptable: by the curve's equation, and the keys of the protocol's vectors.
contract FogKeysTest is Test {
    string private constant VECTORS = "../test/data/sight_vectors.jsonl";

    function isValid(IFogmate.Point calldata key) external pure returns (bool) {
        return FogKeys.isValid(key);
    }

    function testFuzz_a_key_is_valid_exactly_on_the_curve(uint256 x, uint256 y) public view {
        bool on = x < FIELD_ORDER && y < FIELD_ORDER;
        if (on) {
            uint256 cube = mulmod(x, mulmod(x, x, FIELD_ORDER), FIELD_ORDER);
            on = addmod(mulmod(y, y, FIELD_ORDER), 17, FIELD_ORDER) == cube;
        }
        assertTrue(this.isValid(IFogmate.Point(x, y)) == on, "validity");
    }

    function test_keys_of_the_vectors_are_valid_and_their_neighbours_are_not() public view {
        for (uint256 i = 0; i < 12; ++i) {
            uint256[] memory a = vm.parseJsonUintArray(vm.readLine(VECTORS), ".A");
            assertTrue(this.isValid(IFogmate.Point(a[0], a[1])), "valid");
            assertTrue(this.isValid(IFogmate.Point(a[0], FIELD_ORDER - a[1])), "its negative");
            assertTrue(!this.isValid(IFogmate.Point(a[0], a[1] + 1)), "y + 1");
            assertTrue(!this.isValid(IFogmate.Point(a[0] + 1, a[1])), "x + 1");
            assertTrue(!this.isValid(IFogmate.Point(a[1], a[0])), "swapped");
            assertTrue(!this.isValid(IFogmate.Point(a[0] + FIELD_ORDER, a[1])), "x + r");
            assertTrue(!this.isValid(IFogmate.Point(a[0], a[1] + FIELD_ORDER)), "y + r");
        }
    }
}
