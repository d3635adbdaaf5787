// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {FIELD_ORDER} from "./Field.sol";

/// @title How the game asks a generated verifier
/// @notice Protocol section 7, for any statement. A verifier serves all statements of one shape and is told the key of each
/// call. It answers with one word, 1 or 0, and that is a verdict; anything else is none: too little gas, at whatever depth,
/// can take a verdict away but not turn it.
/// @dev A proof's bytes are malleable, so nothing may take their hash for a name.
library ProofGuard {
    /// @notice Reverts unless `proof` is valid for the public inputs.
    /// @param verifier The generated verifier of the statement's shape.
    /// @param key The statement's key.
    /// @param proofLength The exact length of the statement's proofs, in bytes.
    /// @param inputs Where the public inputs stand in memory, a word each; for *turn* it is `TurnInputs.pointer`.
    /// @param count The number of public inputs.
    /// @param proof The proof.
    function check(
        address verifier,
        address key,
        uint256 proofLength,
        uint256 inputs,
        uint256 count,
        bytes calldata proof
    ) internal view {
        if (proof.length != proofLength) revert IFogmate.WrongProofLength(proofLength);
        if (verdict(verifier, key, inputs, count, proof)) return;
        requireField(inputs, count);
        revert IFogmate.InvalidProof();
    }

    /// @notice The verifier's verdict about a proof of any length; reverts if there is none. No gas is kept back.
    /// @param verifier The generated verifier of the statement's shape.
    /// @param key The statement's key.
    /// @param inputs Where the public inputs stand in memory, a word each.
    /// @param count The number of public inputs.
    /// @param proof The proof.
    /// @return valid Whether the proof is valid; false is as certain as true.
    function verdict(address verifier, address key, uint256 inputs, uint256 count, bytes calldata proof)
        internal
        view
        returns (bool valid)
    {
        uint256 answer;
        bool answered;
        assembly ("memory-safe") {
            // Key, inputs and proof go to the verifier as they are, without a selector.
            let size := shl(5, count)
            let data := mload(0x40)
            mstore(data, key)
            mcopy(add(data, 0x20), inputs, size)
            size := add(size, 0x20)
            calldatacopy(add(data, size), proof.offset, proof.length)
            answered := staticcall(gas(), verifier, data, add(size, proof.length), 0, 0x20)
            answered := and(answered, eq(returndatasize(), 0x20))
            answer := mload(0)
        }
        if (!answered || answer > 1) {
            requireCode(verifier);
            revert IFogmate.NoVerdict();
        }
        return answer == 1;
    }

    /// @notice Reverts if a public input is not below the field's order.
    /// @param inputs Where the public inputs stand in memory, a word each.
    /// @param count The number of public inputs.
    function requireField(uint256 inputs, uint256 count) internal pure {
        uint256 end = inputs + 32 * count;
        uint256 input;
        for (uint256 next = inputs; next < end;) {
            assembly ("memory-safe") {
                input := mload(next)
                next := add(next, 32)
            }
            if (input >= FIELD_ORDER) revert IFogmate.NotInField(input);
        }
    }

    /// @notice Reverts if there is no code at an address of a verifier or a key.
    function requireCode(address place) internal view {
        if (place.code.length == 0) revert IFogmate.NoVerifier();
    }
}
