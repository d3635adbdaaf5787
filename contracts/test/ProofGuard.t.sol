// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {ProofGuard} from "../src/libraries/ProofGuard.sol";
import {
    AcceptAllVerifier,
    AnyAnswerVerifier,
    BurnAllVerifier,
    ExactVerifier,
    RejectAllVerifier
} from "./AcceptAllVerifier.sol";
import {Test} from "./Vm.sol";

/// @dev The guard on the first `count` of any words.
contract AnyGuard {
    address public constant KEY = address(0x4E7);

    function check(address verifier, uint256 length, uint256[] memory words, uint256 count, bytes calldata proof)
        external
        view
    {
        ProofGuard.check(verifier, KEY, length, start(words), count, proof);
    }

    function verdict(address verifier, uint256[] memory words, bytes calldata proof) external view returns (bool) {
        return ProofGuard.verdict(verifier, KEY, start(words), words.length, proof);
    }

    function start(uint256[] memory words) private pure returns (uint256 first) {
        assembly ("memory-safe") {
            first := add(words, 32)
        }
    }
}

/// @dev The guard for statements of any number of inputs: what the verifier is handed, each refusal, and that nothing but a word
/// 1 or 0 is a verdict. What a real verifier accepts behind it is tested in TurnProof.t.sol.
contract ProofGuardTest is Test {
    uint256 private constant MOST = 40;

    AnyGuard private _guard = new AnyGuard();
    address private _acceptAll = address(new AcceptAllVerifier());
    address private _rejectAll = address(new RejectAllVerifier());
    uint256[4] private _counts = [uint256(1), 8, 14, MOST];

    /// @dev So many field elements that follow from `seed`.
    function elements(uint256 count, bytes32 seed) private pure returns (uint256[] memory words) {
        words = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            words[i] = uint256(keccak256(abi.encode(seed, i))) % FIELD_ORDER;
        }
    }

    /// @dev So many bytes that follow from `seed`.
    function bytesOf(uint256 length, bytes32 seed) private pure returns (bytes memory data) {
        data = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            data[i] = keccak256(abi.encode(seed, "proof", i))[0];
        }
    }

    /// @dev What a verifier gets.
    function handed(uint256[] memory words, bytes memory proof) private view returns (bytes memory) {
        return abi.encodePacked(uint256(uint160(_guard.KEY())), words, proof);
    }

    function accepts(address verifier, uint256[] memory words, bytes memory proof) private view {
        _guard.check(verifier, proof.length, words, words.length, proof);
    }

    /// @dev The call must fail with exactly this error.
    function rejected(address verifier, uint256 length, uint256[] memory words, bytes memory proof, bytes memory why)
        private
        view
    {
        try _guard.check(verifier, length, words, words.length, proof) {
            revert NotTrue("accepted");
        } catch (bytes memory data) {
            assertEq(keccak256(data), keccak256(why), "why");
        }
    }

    function invalid() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.InvalidProof.selector);
    }

    function testFuzz_the_verifier_is_handed_inputs_and_proof_as_they_are(uint256 count, uint256 length, bytes32 seed)
        public
    {
        uint256[] memory words = elements(bound(count, 0, MOST), seed);
        bytes memory proof = bytesOf(bound(length, 1, 300), seed);
        address exact = address(new ExactVerifier(handed(words, proof)));
        accepts(exact, words, proof);
        proof[proof.length - 1] ^= 0x01;
        rejected(exact, proof.length, words, proof, invalid());
        proof[proof.length - 1] ^= 0x01;
        for (uint256 i = 0; i < words.length; ++i) {
            words[i] = addmod(words[i], 1, FIELD_ORDER);
            rejected(exact, proof.length, words, proof, invalid());
            words[i] = addmod(words[i], FIELD_ORDER - 1, FIELD_ORDER);
        }
        accepts(exact, words, proof);
    }

    /// @dev A verifier refuses such an input itself; the guard says which one it was.
    function test_an_input_that_is_no_field_element_is_named() public view {
        bytes memory proof = bytesOf(64, 0);
        for (uint256 c = 0; c < _counts.length; ++c) {
            uint256[] memory words = elements(_counts[c], bytes32(c));
            for (uint256 i = 0; i < words.length; ++i) {
                uint256 right = words[i];
                words[i] = FIELD_ORDER - 1;
                rejected(_rejectAll, proof.length, words, proof, invalid());
                uint256[3] memory high = [FIELD_ORDER, right + FIELD_ORDER, type(uint256).max];
                for (uint256 k = 0; k < high.length; ++k) {
                    words[i] = high[k];
                    bytes memory why = abi.encodeWithSelector(IFogmate.NotInField.selector, high[k]);
                    rejected(_rejectAll, proof.length, words, proof, why);
                }
                words[i] = right;
            }
        }
    }

    function test_words_after_the_inputs_are_none() public {
        uint256[] memory words = elements(6, 0);
        bytes memory proof = bytesOf(64, 0);
        address exact = address(new ExactVerifier(handed(elements(5, 0), proof)));
        words[words.length - 1] = type(uint256).max;
        _guard.check(exact, proof.length, words, words.length - 1, proof);
    }

    function testFuzz_a_proof_has_its_exact_length(uint256 length, uint256 other) public view {
        length = bound(length, 1, 300);
        other = bound(other, 0, 300);
        bytes memory why = abi.encodeWithSelector(IFogmate.WrongProofLength.selector, length);
        for (uint256 c = 0; c < _counts.length; ++c) {
            uint256[] memory words = elements(_counts[c], bytes32(c));
            if (other != length) rejected(_acceptAll, length, words, bytesOf(other, 0), why);
            rejected(_acceptAll, length, words, bytesOf(length - 1, 0), why);
            rejected(_acceptAll, length, words, bytesOf(length + 1, 0), why);
            accepts(_acceptAll, words, bytesOf(length, 0));
        }
    }

    function test_a_verifier_has_code() public view {
        bytes memory proof = bytesOf(64, 0);
        bytes memory why = abi.encodeWithSelector(IFogmate.NoVerifier.selector);
        for (uint256 c = 0; c < _counts.length; ++c) {
            rejected(address(0xDEAD), proof.length, elements(_counts[c], bytes32(c)), proof, why);
        }
    }

    function test_a_rejected_proof_is_invalid() public view {
        bytes memory proof = bytesOf(64, 0);
        for (uint256 c = 0; c < _counts.length; ++c) {
            uint256[] memory words = elements(_counts[c], bytes32(c));
            rejected(_rejectAll, proof.length, words, proof, invalid());
            assertTrue(!_guard.verdict(_rejectAll, words, proof), "false");
            assertTrue(_guard.verdict(_acceptAll, words, proof), "true");
        }
    }

    function test_only_a_word_one_or_zero_is_a_verdict() public {
        bytes memory none = abi.encodeWithSelector(IFogmate.NoVerdict.selector);
        bytes[6] memory answers = [
            bytes(""),
            hex"01",
            bytes.concat(bytes31(0), hex"0001"),
            abi.encode(2),
            abi.encode(1, 1),
            abi.encode(type(uint256).max)
        ];
        uint256[] memory words = elements(3, 0);
        bytes memory proof = bytesOf(64, 0);
        for (uint256 i = 0; i < answers.length; ++i) {
            rejected(address(new AnyAnswerVerifier(answers[i])), proof.length, words, proof, none);
        }
        rejected(address(new BurnAllVerifier()), proof.length, words, proof, none);
        assertTrue(_guard.verdict(address(new AnyAnswerVerifier(abi.encode(1))), words, proof), "one");
        assertTrue(!_guard.verdict(address(new AnyAnswerVerifier(abi.encode(0))), words, proof), "zero");
    }

    function test_a_word_that_comes_with_a_revert_is_no_verdict() public {
        bytes memory none = abi.encodeWithSelector(IFogmate.NoVerdict.selector);
        rejected(address(new RevertingVerifier()), 64, elements(3, 0), bytesOf(64, 0), none);
    }
}

/// @dev Reverts with the word of a true verdict.
contract RevertingVerifier {
    fallback() external {
        assembly ("memory-safe") {
            mstore(0, 1)
            revert(0, 0x20)
        }
    }
}
