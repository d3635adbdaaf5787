// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";
import {FIELD_ORDER} from "./Field.sol";

/// @title The guard in front of a generated verifier
/// @notice Protocol section 7, for any statement. A generated verifier alone would accept a public input with the field's
/// order added to it, bytes after the proof, and (as any call does) an address without code; and a point off the curve
/// burns all gas it is given. Here all four are closed.
/// @dev A proof's bytes are malleable, so nothing may take their hash for a name.
library ProofGuard {
    /// @dev Gas the verifier may burn. An honest *turn* proof takes about half of it.
    uint256 internal constant GAS_CAP = 1_000_000;

    /// @notice Reverts unless the verifier accepts `proof` for the public inputs.
    /// @param verifier The statement's generated verifier.
    /// @param proofLength The exact length of the statement's proofs, in bytes.
    /// @param inputs Where the public inputs stand in memory, a word each; for *turn* it is `TurnInputs.pointer`.
    /// @param count The number of public inputs.
    /// @param proof The proof.
    function check(address verifier, uint256 proofLength, uint256 inputs, uint256 count, bytes calldata proof)
        internal
        view
    {
        if (proof.length != proofLength) revert IFogmate.WrongProofLength(proofLength);
        uint256 end = inputs + 32 * count;
        uint256 input;
        for (uint256 next = inputs; next < end;) {
            assembly ("memory-safe") {
                input := mload(next)
                next := add(next, 32)
            }
            if (input >= FIELD_ORDER) revert IFogmate.NotInField(input);
        }
        requireCode(verifier);

        bool accepted;
        assembly ("memory-safe") {
            // Inputs and proof go to the verifier as they are, without a selector.
            let size := sub(end, inputs)
            let data := mload(0x40)
            mcopy(data, inputs, size)
            calldatacopy(add(data, size), proof.offset, proof.length)
            accepted := staticcall(GAS_CAP, verifier, data, add(size, proof.length), 0, 0)
        }
        if (!accepted) revert IFogmate.InvalidProof();
    }

    /// @notice Reverts if there is no code at `verifier`, where every call would seem to succeed.
    function requireCode(address verifier) internal view {
        if (verifier.code.length == 0) revert IFogmate.NoVerifier();
    }
}
