// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {FIELD_ORDER} from "./Field.sol";

/// @title What makes a fog key acceptable
/// @notice Protocol section 5: both coordinates below the field's order, and the point on Grumpkin. Its order is prime, so
/// every affine point generates the whole group. That its owner knows the key's secret is for the proofs to show.
library FogKeys {
    /// @notice Whether `key` is an affine point of y² = x³ − 17.
    function isValid(IFogmate.Point calldata key) internal pure returns (bool) {
        (uint256 x, uint256 y) = (key.x, key.y);
        if (x >= FIELD_ORDER || y >= FIELD_ORDER) return false;
        uint256 cube = mulmod(mulmod(x, x, FIELD_ORDER), x, FIELD_ORDER);
        return mulmod(y, y, FIELD_ORDER) == addmod(cube, FIELD_ORDER - 17, FIELD_ORDER);
    }
}
