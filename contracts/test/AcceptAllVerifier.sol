// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @dev For tests of the game's own rules only: accepts every proof. What a real verifier accepts is tested in TurnProof.t.sol.
contract AcceptAllVerifier {
    fallback() external {}
}

/// @dev For tests only: rejects every proof.
contract RejectAllVerifier {
    fallback() external {
        revert();
    }
}

/// @dev For tests only: burns all gas it is given, as a verifier does that meets a point off the curve.
contract BurnAllVerifier {
    fallback() external {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

/// @dev For tests only: accepts exactly one calldata, so that a test sees what the game contract hands over.
contract ExactVerifier {
    bytes32 private _expected;

    constructor(bytes memory data) {
        _expected = keccak256(data);
    }

    fallback() external {
        require(keccak256(msg.data) == _expected);
    }
}
