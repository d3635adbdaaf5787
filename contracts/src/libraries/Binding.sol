// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {FIELD_ORDER} from "./Field.sol";

/// @title How published values are bound to a proof
/// @notice Protocol section 7: values v₀, v₁, … that are too many to be public inputs are bound by their polynomial: with
/// z = keccak256(root ‖ values) mod |F|, the proof says that the values under `root` have Σ vᵢ zⁱ = y. The root must be
/// bound in the circuit too, for (z, y) alone could be met by other values.
library Binding {
    /// @notice z and y of `count` words of calldata, each of which must be a field element.
    /// @param root What the values are bound to.
    /// @param values Where they begin in calldata.
    /// @param count How many they are.
    function evaluate(uint256 root, uint256 values, uint256 count) internal pure returns (uint256 z, uint256 y) {
        uint256 wrong;
        assembly ("memory-safe") {
            let data := mload(0x40)
            let size := mul(32, count)
            mstore(data, root)
            calldatacopy(add(data, 32), values, size)
            z := mod(keccak256(data, add(32, size)), FIELD_ORDER)
            // Horner's rule, from the last value to the first.
            for { let next := add(data, size) } gt(next, data) { next := sub(next, 32) } {
                let value := mload(next)
                if iszero(lt(value, FIELD_ORDER)) {
                    wrong := value
                    break
                }
                y := addmod(mulmod(y, z, FIELD_ORDER), value, FIELD_ORDER)
            }
        }
        // 0 is a field element, so it stands for none.
        if (wrong != 0) revert IFogmate.NotInField(wrong);
    }
}
