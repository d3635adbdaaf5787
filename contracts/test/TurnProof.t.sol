// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {ProofGuard, Query} from "../src/libraries/ProofGuard.sol";
import {NARROW_INPUTS, TurnInputs} from "../src/types/PublicInputs.sol";
import {Data, TurnFixture} from "./TurnFixture.sol";

/// @dev The guard on *turn* as a contract, so that a refusal is an outcome of a call.
contract TurnGuard {
    function check(address verifier, address key, TurnInputs memory inputs, bytes calldata proof) external view {
        ProofGuard.check(query(verifier, key, inputs), proof);
    }

    function query(address verifier, address key, TurnInputs memory inputs) private pure returns (Query memory) {
        uint256 start;
        assembly ("memory-safe") {
            start := inputs
        }
        return Query(verifier, key, start, NARROW_INPUTS, NARROW_INPUTS);
    }
}

/// @dev Real *turn* proofs against the generated verifier behind the guard, mangled input by input and word by word.
contract TurnProofTest is TurnFixture {
    TurnGuard private _guard;

    function setUp() public override {
        super.setUp();
        _guard = new TurnGuard();
    }

    function accepts(TurnInputs memory inputs, bytes memory proof) private view returns (bool) {
        try _guard.check(_verifier, _key, inputs, proof) {
            return true;
        } catch {
            return false;
        }
    }

    /// @dev The call must fail with exactly this error.
    function rejected(TurnInputs memory inputs, bytes memory proof, bytes memory why, string memory what) private view {
        try _guard.check(_verifier, _key, inputs, proof) {
            revert NotTrue(string.concat("accepted: ", what));
        } catch (bytes memory data) {
            assertEq(keccak256(data), keccak256(why), what);
        }
    }

    function test_the_verifier_fits_the_code_limit() public {
        emit log_named_uint("runtime code of the turn verifier, bytes", _verifier.code.length);
        emit log_named_uint("code of its key, bytes", _key.code.length);
        assertTrue(_verifier.code.length < 24_576, "code size");
    }

    function test_inputs_are_words_in_a_row() public view {
        (TurnInputs memory inputs,) = turn(0);
        bytes memory words = abi.encode(inputs);
        assertEq(words.length, 32 * NARROW_INPUTS, "all of the struct");
        bytes32 hash;
        assembly ("memory-safe") {
            hash := keccak256(inputs, mload(words))
        }
        assertEq(hash, keccak256(words), "as abi.encode lays it out");
    }

    function test_real_proofs_are_accepted() public {
        assertTrue(turnCount() > 1, "two turns at least");
        string[2] memory hardforks = ["prague", "osaka"];
        for (uint256 k = 0; k < hardforks.length; ++k) {
            vm.setEvmVersion(hardforks[k]);
            for (uint256 i = 0; i < turnCount(); ++i) {
                (TurnInputs memory inputs, bytes memory proof) = turn(i);
                assertEq(proof.length, _length, "length");
                uint256 before = gasleft();
                assertTrue(accepts(inputs, proof), "a real proof");
                emit log_named_uint(string.concat(hardforks[k], " verification"), before - gasleft());
            }
        }
    }

    /// @dev What a verifier says to raw calldata: 0 false, 1 true, 2 nothing.
    function ask(bytes memory data, uint256 gas) private view returns (uint256 outcome) {
        (bool success, bytes memory answer) = _verifier.staticcall{gas: gas}(data);
        if (!success) {
            assertEq(answer.length, 0, "a revert says nothing");
            return 2;
        }
        assertEq(answer.length, 32, "one word");
        outcome = abi.decode(answer, (uint256));
        assertTrue(outcome < 2, "0 or 1");
    }

    function calldataOf(address key, TurnInputs memory inputs, bytes memory proof) private pure returns (bytes memory) {
        return bytes.concat(abi.encode(key, inputs), proof);
    }

    /// @dev Every amount of gas up to what suffices, in steps that meet each call of a precompiled contract: the true proof is
    /// never called false, a false one never true, and neither loses its verdict once there is enough gas.
    function test_too_little_gas_gives_no_verdict_and_never_another_one() public {
        (TurnInputs memory inputs, bytes memory proof) = turn(1);
        bytes memory right = calldataOf(_key, inputs, proof);
        inputs.nextRequestRoot = addmod(inputs.nextRequestRoot, 1, FIELD_ORDER);
        bytes memory wrong = calldataOf(_key, inputs, proof);
        uint256 enough;
        for (uint256 gas = 0; gas <= 450_000; gas += 743) {
            (uint256 one, uint256 zero) = (ask(right, gas), ask(wrong, gas));
            assertTrue(one != 0 && zero != 1, "turned");
            assertEq(one == 2 ? 1 : 0, zero == 2 ? 1 : 0, "both take the same gas");
            if (one == 1 && enough == 0) enough = gas;
            assertTrue(one == 1 || enough == 0, "lost again");
        }
        emit log_named_uint("gas for a verdict, at most", enough);
        assertTrue(enough != 0, "a verdict at the end");
    }

    /// @dev The same through the guard, which keeps a sixty-fourth at each call.
    function test_too_little_gas_for_the_guard_gives_no_verdict() public view {
        (TurnInputs memory inputs, bytes memory proof) = turn(1);
        TurnInputs memory wrong = fromWords(toWords(inputs));
        wrong.nextRequestRoot = addmod(inputs.nextRequestRoot, 1, FIELD_ORDER);
        for (uint256 gas = 10_000; gas <= 450_000; gas += 2_971) {
            try _guard.check{gas: gas}(_verifier, _key, inputs, proof) {}
            catch (bytes memory why) {
                assertTrue(bytes4(why) != IFogmate.InvalidProof.selector, "a true proof called false");
            }
            try _guard.check{gas: gas}(_verifier, _key, wrong, proof) {
                revert NotTrue("a false proof called true");
            } catch {}
        }
        assertTrue(accepts(inputs, proof), "true with all gas");
        rejected(wrong, proof, invalid(), "false with all gas");
    }

    function test_no_key_or_one_of_another_size_gives_no_verdict() public {
        (TurnInputs memory inputs, bytes memory proof) = turn(1);
        bytes memory code = _key.code;
        address[4] memory keys = [
            address(0xDEAD),
            address(new Data(bytes.concat(code, hex"00"))),
            address(new Data(cut(code, 1))),
            address(new Data(cut(code, 32)))
        ];
        for (uint256 i = 0; i < keys.length; ++i) {
            assertEq(ask(calldataOf(keys[i], inputs, proof), 1_000_000), 2, "no verdict");
        }
        assertEq(ask(calldataOf(address(new Data(code)), inputs, proof), 1_000_000), 1, "the same key elsewhere");
    }

    /// @dev Every word of a key counts: with another one there, the proof isn't valid, or there is no verdict because a commitment
    /// isn't a point any more.
    function test_every_word_of_the_key_is_bound() public {
        (TurnInputs memory inputs, bytes memory proof) = turn(1);
        bytes memory code = _key.code;
        for (uint256 offset = 32; offset < code.length; offset += 32) {
            code[offset] ^= 0x01;
            assertTrue(ask(calldataOf(address(new Data(code)), inputs, proof), 1_000_000) != 1, "another key");
            code[offset] ^= 0x01;
        }
        assertEq(ask(calldataOf(address(new Data(code)), inputs, proof), 1_000_000), 1, "restored");
    }

    /// @dev Straight to the verifier, without the guard: its own checks of length and form.
    function test_the_verifier_itself_refuses_other_lengths_and_forms() public view {
        (TurnInputs memory inputs, bytes memory proof) = turn(1);
        bytes memory data = calldataOf(_key, inputs, proof);
        assertEq(ask(data, 1_000_000), 1, "as it is");
        assertEq(ask("", 1_000_000), 0, "empty");
        assertEq(ask(cut(data, 1), 1_000_000), 0, "a byte short");
        assertEq(ask(cut(data, 32), 1_000_000), 0, "a word short");
        assertEq(ask(bytes.concat(data, hex"00"), 1_000_000), 0, "a byte long");
        assertEq(ask(bytes.concat(data, proof), 1_000_000), 0, "twice");
        for (uint256 offset = 32; offset < data.length; offset += 32) {
            bytes32 right = wordAt(data, offset);
            setWord(data, offset, bytes32(type(uint256).max));
            assertEq(ask(data, 60_000), 0, "too large, before anything dear");
            if (uint256(right) <= type(uint256).max - FIELD_ORDER) {
                setWord(data, offset, bytes32(uint256(right) + FIELD_ORDER));
                assertEq(ask(data, 1_000_000), 0, "a field's order more");
            }
            setWord(data, offset, right);
        }
    }

    function wordAt(bytes memory data, uint256 offset) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 32), offset))
        }
    }

    function setWord(bytes memory data, uint256 offset, bytes32 word) private pure {
        assembly ("memory-safe") {
            mstore(add(add(data, 32), offset), word)
        }
    }

    function test_every_public_input_is_bound() public view {
        (TurnInputs memory inputs, bytes memory proof) = turn(turnCount() - 1);
        uint256[] memory words = toWords(inputs);
        for (uint256 i = 0; i < NARROW_INPUTS; ++i) {
            uint256 right = words[i];
            words[i] = addmod(right, 1, FIELD_ORDER);
            rejected(fromWords(words), proof, invalid(), "input + 1");
            words[i] = addmod(right, FIELD_ORDER - 1, FIELD_ORDER);
            rejected(fromWords(words), proof, invalid(), "input - 1");
            words[i] = right + FIELD_ORDER;
            rejected(fromWords(words), proof, invalid(), "input + r");
            words[i] = right;
        }
        assertTrue(accepts(fromWords(words), proof), "restored");
    }

    function test_every_word_of_the_proof_is_bound() public view {
        (TurnInputs memory inputs, bytes memory proof) = turn(0);
        for (uint256 offset = 0; offset < proof.length; offset += 32) {
            bytes1 low = proof[offset + 31];
            bytes1 high = proof[offset];
            proof[offset + 31] = low ^ 0x01;
            rejected(inputs, proof, invalid(), "lowest bit of a word");
            proof[offset + 31] = low;
            proof[offset] = high ^ 0x10;
            rejected(inputs, proof, invalid(), "a high bit of a word");
            proof[offset] = high;
            assertTrue(offset % 256 != 0 || accepts(inputs, proof), "restored");
        }
    }

    function test_a_word_zeroed_or_swapped_is_rejected() public view {
        (TurnInputs memory inputs, bytes memory proof) = turn(0);
        for (uint256 offset = 32; offset < proof.length; offset += 32) {
            bytes memory other = bytes.concat(proof);
            assembly ("memory-safe") {
                mstore(add(add(other, 32), offset), 0)
            }
            rejected(inputs, other, invalid(), "a word zeroed");
            assembly ("memory-safe") {
                let here := add(add(other, 32), offset)
                mstore(here, mload(add(add(proof, 32), sub(offset, 32))))
                mstore(sub(here, 32), mload(add(add(proof, 32), offset)))
            }
            rejected(inputs, other, invalid(), "two words swapped");
        }
    }

    function test_a_proof_has_its_exact_length() public view {
        (TurnInputs memory inputs, bytes memory proof) = turn(0);
        bytes memory why = invalid();
        rejected(inputs, "", why, "empty");
        rejected(inputs, cut(proof, 1), why, "a byte short");
        rejected(inputs, cut(proof, 32), why, "a word short");
        rejected(inputs, bytes.concat(proof, hex"00"), why, "a byte long");
        rejected(inputs, bytes.concat(proof, bytes32(0)), why, "a word long");
        rejected(inputs, bytes.concat(proof, proof), why, "twice");
        rejected(inputs, bytes.concat(hex"00", cut(proof, 1)), invalid(), "shifted");
        rejected(inputs, new bytes(_length), invalid(), "zeros");
    }

    function cut(bytes memory proof, uint256 by) private pure returns (bytes memory shorter) {
        shorter = new bytes(proof.length - by);
        for (uint256 i = 0; i < shorter.length; ++i) {
            shorter[i] = proof[i];
        }
    }

    function testFuzz_garbage_is_rejected(bytes32 seed) public view {
        (TurnInputs memory inputs,) = turn(0);
        bytes memory proof = new bytes(_length);
        for (uint256 offset = 0; offset + 32 <= _length; offset += 32) {
            bytes32 word = keccak256(abi.encode(seed, offset));
            assembly ("memory-safe") {
                mstore(add(add(proof, 32), offset), word)
            }
        }
        rejected(inputs, proof, invalid(), "garbage");
    }

    function test_a_proof_of_another_statement_is_rejected() public view {
        for (uint256 i = 0; i < turnCount(); ++i) {
            (TurnInputs memory inputs,) = turn(i);
            for (uint256 k = 0; k < turnCount(); ++k) {
                (, bytes memory proof) = turn(k);
                if (i != k) rejected(inputs, proof, invalid(), "another turn's proof");
            }
        }
    }
}
