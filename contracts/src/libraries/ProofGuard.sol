// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../interfaces/IFogmate.sol";

/// @dev What a verifier is asked, besides the proof. Its layout in memory is used below.
struct Query {
    /// The generated verifier of the statement's shape.
    address verifier;
    /// The contract that holds the statement's key.
    address key;
    /// Where the public inputs stand in memory, a word each.
    uint256 inputs;
    /// How many they are.
    uint256 count;
    /// How many the verifier takes; zeros follow.
    uint256 padded;
}

/// @title How a generated verifier is asked
/// @notice For any statement. The verifier takes, without a selector, the address of the key, the public inputs and the
/// proof, a word each and the proof's bytes. It returns one word, 1 or 0; whatever else comes back, nothing for example
/// because the gas ran out somewhere, is no verdict and reverts with `NoVerdict`. So no sender can make a right proof look false.
/// @dev A proof's bytes are malleable, so nothing may take their hash for a name.
library ProofGuard {
    /// @notice Reverts unless the verifier accepts `proof` for the public inputs: `InvalidProof` only if it says that it is none.
    function check(Query memory query, bytes calldata proof) internal view {
        bool answered;
        uint256 word;
        assembly ("memory-safe") {
            let data := mload(0x40)
            let given := mul(32, mload(add(query, 0x60)))
            let inputs := mul(32, mload(add(query, 0x80)))
            mstore(data, mload(add(query, 0x20)))
            // Reading calldata behind its end gives the zeros behind the inputs.
            calldatacopy(add(data, 32), calldatasize(), inputs)
            mcopy(add(data, 32), mload(add(query, 0x40)), given)
            let size := add(32, inputs)
            calldatacopy(add(data, size), proof.offset, proof.length)
            answered := staticcall(gas(), mload(query), data, add(size, proof.length), 0, 32)
            answered := and(answered, eq(returndatasize(), 32))
            word := mload(0)
        }
        if (!answered || word > 1) revert IFogmate.NoVerdict();
        if (word == 0) revert IFogmate.InvalidProof();
    }

    /// @notice Reverts if there is no code at a verifier's or a key's address.
    function requireCode(address account) internal view {
        if (account.code.length == 0) revert IFogmate.NoVerifier();
    }
}
