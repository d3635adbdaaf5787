// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @dev For tests of the game's own rules only: accepts every proof. What a real verifier accepts is tested in TurnProof.t.sol.
contract AcceptAllVerifier {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(1);
    }
}

/// @dev For tests only: rejects every proof.
contract RejectAllVerifier {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(0);
    }
}

/// @dev For tests only: answers with any bytes.
contract AnyAnswerVerifier {
    bytes private _answer;

    constructor(bytes memory answer) {
        _answer = answer;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        return _answer;
    }
}

/// @dev For tests only: burns all gas it is given, and so gives no verdict.
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

    fallback(bytes calldata data) external returns (bytes memory) {
        return abi.encode(keccak256(data) == _expected ? 1 : 0);
    }
}
