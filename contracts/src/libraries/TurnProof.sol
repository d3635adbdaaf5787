// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {FIELD_ORDER} from "./Field.sol";

/// @dev Number of public inputs of *turn*.
uint256 constant TURN_INPUTS = 13;

/// @title The guard in front of the generated verifier
/// @notice Protocol section 7, *turn*. The generated verifier alone would accept a public input with the field's order
/// added to it, bytes after the proof, and (as any call does) an address without code; and a point off the curve burns all
/// gas it is given. Here all four are closed. The thirteen public inputs are, in order: C, pending, C', requestRoot,
/// answerRoot, ctx, A.x and A.y of the opponent, requestRoot', the mover's colour, opening, capture, king flag.
/// A proof's bytes are malleable, so nothing may take their hash for a name.
library TurnProof {
    /// @dev Gas the verifier may burn. An honest proof takes about half of it.
    uint256 internal constant GAS_CAP = 1_000_000;

    /// @notice Reverts unless the verifier accepts `proof` for `inputs`.
    function check(address verifier, uint256 proofLength, uint256[TURN_INPUTS] memory inputs, bytes calldata proof)
        internal
        view
    {
        if (proof.length != proofLength) revert IFogmate.WrongProofLength(proofLength);
        for (uint256 i = 0; i < TURN_INPUTS; ++i) {
            uint256 input;
            assembly ("memory-safe") {
                input := mload(add(inputs, shl(5, i)))
            }
            if (input >= FIELD_ORDER) revert IFogmate.NotInField(input);
        }
        requireCode(verifier);

        bool accepted;
        assembly ("memory-safe") {
            // Inputs and proof go to the verifier as they are, without a selector.
            let data := mload(0x40)
            mcopy(data, inputs, 416)
            calldatacopy(add(data, 416), proof.offset, proof.length)
            accepted := staticcall(GAS_CAP, verifier, data, add(416, proof.length), 0, 0)
        }
        if (!accepted) revert IFogmate.InvalidProof();
    }

    /// @notice Reverts if there is no code at `verifier`, where every call would seem to succeed.
    function requireCode(address verifier) internal view {
        if (verifier.code.length == 0) revert IFogmate.NoVerifier();
    }
}
