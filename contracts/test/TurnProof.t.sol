// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {TURN_INPUTS, TurnProof} from "../src/libraries/TurnProof.sol";
import {Test} from "./Vm.sol";

/// @dev The guard as a contract, so that a refusal is an outcome of a call.
contract Guard {
    function check(address verifier, uint256 length, uint256[TURN_INPUTS] calldata inputs, bytes calldata proof)
        external
        view
    {
        TurnProof.check(verifier, length, inputs, proof);
    }
}

/// @dev Real *turn* proofs against the generated verifier, behind the guard and inside the game contract.
///
/// The fixture, test/fixtures/turns.json, is written by the prover (`make fixture`) for src/generated/dev/TurnVerifierDev.sol; hex
/// strings are 0x and 64 digits, except addresses and proofs:
///
///   { "proofLength": bytes of a proof,
///     "turns": [ { "instance": [13 words], "proof": "0x..." }, ... ],      at least two, of different plies
///     "game": { "chainId": 31337, "contract": address, "creator": address, "joiner": address,
///               "gameId": keccak256(abi.encode(chainId, contract, creator, 0)),
///               "whiteKey": [x, y], "blackKey": [x, y],                    the creator is White
///               "moves": [ { "nextCommitment", "nextRequestRoot", "answerRoot", "ctxNext": words,
///                            "ply", "capture": numbers, "kingFell", "offerDraw": booleans, "proof": "0x..." }, ... ] } }
///
/// The moves are consecutive from ply 0. At least four, so that sight, answers and contexts take part.
contract TurnProofTest is Test {
    string private constant FIXTURE = "test/fixtures/turns.json";
    string private constant SOURCE = "src/generated/dev/TurnVerifierDev.sol";
    uint256 private constant R1 = 7;

    Guard private _guard;
    address private _verifier;
    uint256 private _length;
    string private _json;

    function setUp() public {
        // Only where no verifier has been generated; with one, its fixture must be there.
        if (!vm.exists(SOURCE)) vm.skip(true, "no generated verifier: see the prover");
        _json = vm.readFile(FIXTURE);
        _length = vm.parseJsonUint(_json, ".proofLength");
        _verifier = vm.deployCode("TurnVerifierDev.sol:TurnVerifierDev");
        _guard = new Guard();
    }

    // ---------------------------------------------------------------- the guard

    function turn(uint256 i) private view returns (uint256[TURN_INPUTS] memory inputs, bytes memory proof) {
        string memory path = string.concat(".turns[", vm.toString(i), "]");
        uint256[] memory words = vm.parseJsonUintArray(_json, string.concat(path, ".instance"));
        assertEq(words.length, TURN_INPUTS, "public inputs");
        for (uint256 k = 0; k < TURN_INPUTS; ++k) {
            inputs[k] = words[k];
        }
        proof = vm.parseJsonBytes(_json, string.concat(path, ".proof"));
    }

    function turnCount() private view returns (uint256 count) {
        while (vm.keyExistsJson(_json, string.concat(".turns[", vm.toString(count), "]"))) ++count;
    }

    function accepts(uint256[TURN_INPUTS] memory inputs, bytes memory proof) private view returns (bool) {
        try _guard.check(_verifier, _length, inputs, proof) {
            return true;
        } catch {
            return false;
        }
    }

    /// @dev The call must fail with exactly this error.
    function rejected(uint256[TURN_INPUTS] memory inputs, bytes memory proof, bytes memory why, string memory what)
        private
        view
    {
        try _guard.check(_verifier, _length, inputs, proof) {
            revert NotTrue(string.concat("accepted: ", what));
        } catch (bytes memory data) {
            assertEq(keccak256(data), keccak256(why), what);
        }
    }

    function invalid() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.InvalidProof.selector);
    }

    function test_the_verifier_fits_the_code_limit() public {
        emit log_named_uint("runtime code of the turn verifier, bytes", _verifier.code.length);
        assertTrue(_verifier.code.length < 24_576, "code size");
    }

    function test_real_proofs_are_accepted() public {
        assertTrue(turnCount() > 1, "two turns at least");
        for (uint256 i = 0; i < turnCount(); ++i) {
            (uint256[TURN_INPUTS] memory inputs, bytes memory proof) = turn(i);
            assertEq(proof.length, _length, "length");
            uint256 before = gasleft();
            assertTrue(accepts(inputs, proof), "a real proof");
            emit log_named_uint("gas of the guarded verification", before - gasleft());
        }
    }

    function test_every_public_input_is_bound() public view {
        (uint256[TURN_INPUTS] memory inputs, bytes memory proof) = turn(turnCount() - 1);
        for (uint256 i = 0; i < TURN_INPUTS; ++i) {
            uint256 right = inputs[i];
            inputs[i] = addmod(right, 1, FIELD_ORDER);
            rejected(inputs, proof, invalid(), "input + 1");
            inputs[i] = addmod(right, FIELD_ORDER - 1, FIELD_ORDER);
            rejected(inputs, proof, invalid(), "input - 1");
            inputs[i] = right + FIELD_ORDER;
            rejected(inputs, proof, abi.encodeWithSelector(IFogmate.NotInField.selector, inputs[i]), "input + r");
            inputs[i] = right;
        }
        assertTrue(accepts(inputs, proof), "restored");
    }

    function test_every_word_of_the_proof_is_bound() public view {
        (uint256[TURN_INPUTS] memory inputs, bytes memory proof) = turn(0);
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
        (uint256[TURN_INPUTS] memory inputs, bytes memory proof) = turn(0);
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
        (uint256[TURN_INPUTS] memory inputs, bytes memory proof) = turn(0);
        bytes memory why = abi.encodeWithSelector(IFogmate.WrongProofLength.selector, _length);
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
        (uint256[TURN_INPUTS] memory inputs,) = turn(0);
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
            (uint256[TURN_INPUTS] memory inputs,) = turn(i);
            for (uint256 k = 0; k < turnCount(); ++k) {
                (, bytes memory proof) = turn(k);
                if (i != k) rejected(inputs, proof, invalid(), "another turn's proof");
            }
        }
    }

    // ---------------------------------------------------------------- a real game

    struct Real {
        Fogmate fogmate;
        address creator;
        address joiner;
        bytes32 id;
    }

    /// @dev The game contract at the address, on the chain and with the players that the proofs were made for.
    function startGame(address place) private returns (Real memory g) {
        vm.chainId(vm.parseJsonUint(_json, ".game.chainId"));
        vm.etch(place, address(new Fogmate(_verifier, _length)).code);
        g.fogmate = Fogmate(place);
        g.creator = vm.parseJsonAddress(_json, ".game.creator");
        g.joiner = vm.parseJsonAddress(_json, ".game.joiner");
        g.id = openGame(g, key(".game.whiteKey"), key(".game.blackKey"));
    }

    function openGame(Real memory g, IFogmate.Point memory white, IFogmate.Point memory black)
        private
        returns (bytes32 id)
    {
        uint256 r2;
        while (uint256(keccak256(abi.encode(R1, r2))) & 1 == 1) ++r2;
        vm.prank(g.creator);
        id = g.fogmate
            .create(
                IFogmate.Terms({stake: 0, base: 600, increment: 0, delay: 0, opponent: address(0)}),
                keccak256(abi.encode(R1, g.creator)),
                white
            );
        vm.prank(g.joiner);
        g.fogmate.join(id, r2, black);
        vm.prank(g.creator);
        g.fogmate.reveal(id, R1);
    }

    function key(string memory path) private view returns (IFogmate.Point memory) {
        uint256[] memory words = vm.parseJsonUintArray(_json, path);
        return IFogmate.Point(words[0], words[1]);
    }

    function realMove(uint256 i) private view returns (IFogmate.Move memory m, bytes memory proof) {
        string memory path = string.concat(".game.moves[", vm.toString(i), "].");
        m.nextCommitment = vm.parseJsonUint(_json, string.concat(path, "nextCommitment"));
        m.nextRequestRoot = vm.parseJsonUint(_json, string.concat(path, "nextRequestRoot"));
        m.answerRoot = vm.parseJsonUint(_json, string.concat(path, "answerRoot"));
        m.ctxNext = vm.parseJsonUint(_json, string.concat(path, "ctxNext"));
        m.ply = uint16(vm.parseJsonUint(_json, string.concat(path, "ply")));
        m.capture = uint8(vm.parseJsonUint(_json, string.concat(path, "capture")));
        m.kingFell = vm.parseJsonBool(_json, string.concat(path, "kingFell"));
        m.offerDraw = vm.parseJsonBool(_json, string.concat(path, "offerDraw"));
        proof = vm.parseJsonBytes(_json, string.concat(path, "proof"));
    }

    function moveCount() private view returns (uint256 count) {
        while (vm.keyExistsJson(_json, string.concat(".game.moves[", vm.toString(count), "]"))) ++count;
    }

    function tryMove(Real memory g, bytes32 id, IFogmate.Move memory m, bytes memory proof)
        private
        returns (bool made, bytes memory why)
    {
        vm.prank(m.ply % 2 == 0 ? g.creator : g.joiner);
        try g.fogmate.move(id, m, proof) {
            made = true;
        } catch (bytes memory data) {
            why = data;
        }
    }

    function refuse(Real memory g, bytes32 id, IFogmate.Move memory m, bytes memory proof, string memory what) private {
        (bool made, bytes memory why) = tryMove(g, id, m, proof);
        assertTrue(!made, string.concat("made: ", what));
        assertEq(keccak256(why), keccak256(invalid()), what);
    }

    /// @dev Every ply is first tried with each of its values wrong and with every other ply's proof, then made.
    function test_a_real_game_and_nothing_but_it() public {
        Real memory g = startGame(vm.parseJsonAddress(_json, ".game.contract"));
        assertEq(g.id, vm.parseJsonBytes32(_json, ".game.gameId"), "game id");
        uint256 plies = moveCount();
        assertTrue(plies >= 4, "four plies at least");
        for (uint256 i = 0; i < plies; ++i) {
            (IFogmate.Move memory m, bytes memory proof) = realMove(i);
            for (uint256 k = 0; k < plies; ++k) {
                (, bytes memory other) = realMove(k);
                if (k != i) refuse(g, g.id, m, other, "another ply's proof");
            }
            attackValues(g, m, proof);
            (bool made,) = tryMove(g, g.id, m, proof);
            assertTrue(made, "the real move");
            (, bytes memory why) = tryMove(g, g.id, m, proof);
            bytes4 expected = m.kingFell ? IFogmate.WrongStatus.selector : IFogmate.StalePly.selector;
            assertTrue(bytes4(why) == expected, "a replay");
        }
    }

    function attackValues(Real memory g, IFogmate.Move memory m, bytes memory proof) private {
        m.kingFell = !m.kingFell;
        refuse(g, g.id, m, proof, "king flag");
        m.kingFell = !m.kingFell;
        m.nextRequestRoot = addmod(m.nextRequestRoot, 1, FIELD_ORDER);
        refuse(g, g.id, m, proof, "request root");
        m.nextRequestRoot = addmod(m.nextRequestRoot, FIELD_ORDER - 1, FIELD_ORDER);

        // The next context follows from these two, so an attacker would adapt it.
        uint256 context = m.ctxNext;
        uint256 capture = m.capture;
        m.capture = capture == 64 ? 0 : 64;
        m.ctxNext = adapted(g, m, proof, context);
        refuse(g, g.id, m, proof, "capture");
        m.capture = uint8(capture);
        m.nextCommitment = addmod(m.nextCommitment, 1, FIELD_ORDER);
        m.ctxNext = adapted(g, m, proof, context);
        refuse(g, g.id, m, proof, "commitment");
        m.nextCommitment = addmod(m.nextCommitment, FIELD_ORDER - 1, FIELD_ORDER);
        m.ctxNext = context;
    }

    /// @dev The context that the contract asks for, read from its refusal.
    function adapted(Real memory g, IFogmate.Move memory m, bytes memory proof, uint256 context)
        private
        returns (uint256)
    {
        m.ctxNext = context;
        (, bytes memory why) = tryMove(g, g.id, m, proof);
        if (bytes4(why) != IFogmate.WrongContext.selector) return context;
        uint256 asked;
        assembly ("memory-safe") {
            asked := mload(add(why, 36))
        }
        return asked;
    }

    /// @dev Same players, same contract, next game: with other fog keys not even the first ply's proof fits.
    function test_a_proof_of_another_game_is_rejected() public {
        Real memory g = startGame(vm.parseJsonAddress(_json, ".game.contract"));
        IFogmate.Point memory white = key(".game.whiteKey");
        IFogmate.Point memory black = key(".game.blackKey");
        bytes32 other = openGame(g, IFogmate.Point(white.x, FIELD_ORDER - white.y), negative(black));
        (IFogmate.Move memory m, bytes memory proof) = realMove(0);
        refuse(g, other, m, proof, "first ply, other keys");
    }

    /// @dev Even with the same keys, which nobody honest uses twice, a proof with sight is of one game, contract and chain.
    function test_a_proof_is_of_one_game_contract_and_chain() public {
        address home = vm.parseJsonAddress(_json, ".game.contract");
        Real memory g = startGame(home);
        bytes32 second = openGame(g, key(".game.whiteKey"), key(".game.blackKey"));
        replayElsewhere(g, second, "another game");
        Real memory away = startGame(address(uint160(home) ^ 1));
        replayElsewhere(away, away.id, "another contract");
        vm.chainId(vm.parseJsonUint(_json, ".game.chainId") + 1);
        replayElsewhere(g, g.id, "another chain");
    }

    /// @dev The opening has no context, so the same keys let it pass; ply 2 is the first that must not.
    function replayElsewhere(Real memory g, bytes32 id, string memory what) private {
        for (uint256 i = 0; i < 3; ++i) {
            (IFogmate.Move memory m, bytes memory proof) = realMove(i);
            (bool made, bytes memory why) = tryMove(g, id, m, proof);
            if (!made && bytes4(why) == IFogmate.WrongContext.selector) {
                assembly ("memory-safe") {
                    mstore(add(m, 0x60), mload(add(why, 36)))
                }
                (made, why) = tryMove(g, id, m, proof);
            }
            assertTrue(made == (i < 2), what);
            if (i == 2) assertEq(keccak256(why), keccak256(invalid()), what);
        }
    }

    function negative(IFogmate.Point memory point) private pure returns (IFogmate.Point memory) {
        return IFogmate.Point(point.x, FIELD_ORDER - point.y);
    }
}
