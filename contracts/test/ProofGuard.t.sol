// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {ProofGuard, Query} from "../src/libraries/ProofGuard.sol";
import {ScriptedVerifier, Verdict} from "./ScriptedVerifier.sol";
import {Test} from "./Vm.sol";

/// @dev The guard on the first `count` of any words.
contract AnyGuard {
    function check(
        address verifier,
        address key,
        uint256[] memory words,
        uint256 count,
        uint256 padded,
        bytes calldata proof
    ) external view {
        ProofGuard.check(Query(verifier, key, start(words), count, padded), proof);
    }

    function requireCode(address account) external view {
        ProofGuard.requireCode(account);
    }

    function start(uint256[] memory words) private pure returns (uint256 first) {
        assembly ("memory-safe") {
            first := add(words, 32)
        }
    }
}

/// @dev The guard for statements of any number of inputs: what the verifier is handed, and what is made of each thing that
/// it may say. What a real verifier accepts behind it is tested with generated ones.
contract ProofGuardTest is Test {
    uint256 private constant MOST = 40;
    address private constant KEY = address(0x7EA1);

    AnyGuard private _guard = new AnyGuard();
    ScriptedVerifier private _verifier = new ScriptedVerifier();

    /// @dev So many words that follow from `seed`.
    function wordsOf(uint256 count, bytes32 seed) private pure returns (uint256[] memory words) {
        words = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            words[i] = uint256(keccak256(abi.encode(seed, i)));
        }
    }

    /// @dev So many bytes that follow from `seed`.
    function bytesOf(uint256 length, bytes32 seed) private pure returns (bytes memory data) {
        data = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            data[i] = keccak256(abi.encode(seed, "proof", i))[0];
        }
    }

    function testFuzz_the_verifier_is_handed_key_inputs_zeros_and_proof(
        uint256 count,
        uint256 padded,
        uint256 length,
        address key,
        bytes32 seed
    ) public view {
        padded = bound(padded, 0, MOST);
        count = bound(count, 0, padded);
        // Words behind the inputs stand in memory, and are not handed over.
        uint256[] memory words = wordsOf(count + 3, seed);
        bytes memory proof = bytesOf(bound(length, 0, 300), seed);
        _guard.check(address(_verifier), key, words, count, padded, proof);
        bytes memory expected =
            abi.encodePacked(uint256(uint160(key)), wordsOf(count, seed), new bytes(32 * (padded - count)), proof);
        assertEq(_verifier.lastAsked(key), keccak256(expected), "as they are");
        assertEq(_verifier.timesAsked(key), 1, "once");
    }

    function test_only_one_word_1_or_0_is_a_verdict() public {
        uint256[] memory words = wordsOf(13, 0);
        bytes memory proof = bytesOf(64, 0);
        for (uint256 i = 0; i <= uint256(type(Verdict).max); ++i) {
            _verifier.say(KEY, Verdict(i));
            if (i > uint256(Verdict.Refuse)) vm.expectRevert(abi.encodeWithSelector(IFogmate.NoVerdict.selector));
            if (i == uint256(Verdict.Refuse)) vm.expectRevert(abi.encodeWithSelector(IFogmate.InvalidProof.selector));
            _guard.check{gas: 3_000_000}(address(_verifier), KEY, words, 13, 13, proof);
        }
    }

    /// @dev Too little gas makes no refusal: at every amount the call comes to the true verdict or to none.
    function testFuzz_want_of_gas_is_no_verdict(uint256 gasGiven) public view {
        gasGiven = bound(gasGiven, 5_000, 200_000);
        uint256[] memory words = wordsOf(13, 0);
        bytes memory proof = bytesOf(64, 0);
        try _guard.check{gas: gasGiven}(address(_verifier), KEY, words, 13, 13, proof) {}
        catch (bytes memory why) {
            bool none = why.length == 0 || bytes4(why) == IFogmate.NoVerdict.selector;
            assertTrue(none, "no verdict");
        }
    }

    function test_an_account_without_code_comes_to_no_verdict() public {
        vm.expectRevert(abi.encodeWithSelector(IFogmate.NoVerdict.selector));
        _guard.check(address(0xDEAD), KEY, wordsOf(13, 0), 13, 13, bytesOf(64, 0));
    }

    function test_code_is_required() public {
        _guard.requireCode(address(_verifier));
        vm.expectRevert(abi.encodeWithSelector(IFogmate.NoVerifier.selector));
        _guard.requireCode(address(0xDEAD));
    }
}
