// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @dev The first word of a proof to which the verifier comes to no verdict.
bytes32 constant NO_VERDICT = keccak256("no verdict");
/// @dev The length of this verifier's proofs.
uint32 constant TRUTH_PROOF_LENGTH = 32;

/// @dev For tests of the rules: a verifier for abstract proofs. A proof is one word, and right if and only if it is the hash
/// of the key and of exactly the public inputs it was made for: so a right proof is accepted only if the contract asks with
/// the very inputs that the test expects. Without gas to spare it says nothing, as one does whose precompile ran out of it.
contract TruthVerifier {
    uint256 private constant GAS = 300_000;
    uint256 private immutable _inputs;

    /// @param count How many public inputs it takes.
    constructor(uint256 count) {
        _inputs = 32 * (count + 1);
    }

    fallback(bytes calldata data) external returns (bytes memory) {
        bytes32 proof = bytes32(data[_inputs:]);
        require(gasleft() > GAS && data.length == _inputs + 32 && proof != NO_VERDICT);
        return abi.encode(proof == keccak256(data[:_inputs]));
    }
}

/// @dev The right proof for these inputs, padded with zeros to as many as the verifier takes.
function rightProof(address key, uint256[] memory inputs, uint256 padded) pure returns (bytes memory) {
    bytes memory zeros = new bytes(32 * (padded - inputs.length));
    return abi.encode(keccak256(abi.encodePacked(uint256(uint160(key)), inputs, zeros)));
}

/// @dev Tells time and base fee to tests that change them on their way: the optimizer takes both for constant in a call.
contract Chain {
    function time() external view returns (uint256) {
        return block.timestamp;
    }

    function fee() external view returns (uint256) {
        return block.basefee;
    }
}

/// @dev A player or a stranger that is a contract. What it is told to call is called in its name.
contract Actor {
    enum Payment {
        /// Takes what it is paid.
        Accept,
        /// Its owner refuses every payment.
        Refuse,
        /// When it is paid it asks for more.
        AskAgain
    }

    Payment public immutable payment;

    constructor(Payment kind) {
        payment = kind;
    }

    /// @dev Whether the call succeeded.
    function act(address to, bytes calldata data, uint256 limit) external payable returns (bool done) {
        (done,) = to.call{value: msg.value, gas: limit == 0 ? gasleft() : limit}(data);
    }

    receive() external payable {
        require(payment != Payment.Refuse);
        if (payment != Payment.AskAgain) return;
        (bool again,) = msg.sender.call(abi.encodeWithSignature("withdraw(address)", address(this)));
        again;
    }
}
