// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {NARROW_INPUTS, TurnInputs} from "../src/types/PublicInputs.sol";
import {Test} from "./Vm.sol";

/// @dev A contract whose code is what it is told, as a key is deployed.
contract Data {
    constructor(bytes memory code) {
        assembly ("memory-safe") {
            return(add(code, 32), mload(code))
        }
    }
}

/// @dev Real *turn* proofs and the generated verifier they were made for.
///
/// The fixture, test/fixtures/turns.json, is written by the prover (`make verifiers`) for
/// src/generated/dev/TurnKey.json; hex strings are 0x and 64 digits, except addresses and proofs:
///
///   { "proofLength": bytes of a proof,
///     "turns": [ { "instance": [13 words], "proof": "0x..." }, ... ],      at least two, of different plies
///     "game": { "chainId": 31337, "contract": address, "creator": address, "joiner": address,
///               "gameId": id of the game opened with TERMS below,
///               "nonce", "creatorShare", "joinerShare": words,
///               "whiteKey": [x, y], "blackKey": [x, y],                    the creator is White
///               "moves": [ { "nextCommitment", "nextRequestRoot", "answerRoot", "basis": words,
///                            "ply", "capture": numbers, "kingFell", "offerDraw": booleans, "proof": "0x..." }, ... ] } }
///
/// The moves are consecutive from ply 0. At least four, so that sight, answers and contexts take part.
abstract contract TurnFixture is Test {
    string private constant FIXTURE = "test/fixtures/turns.json";
    string private constant KEY = "src/generated/dev/TurnKey.json";

    address internal _verifier;
    address internal _key;
    uint256 internal _length;
    string internal _json;

    function setUp() public virtual {
        _json = vm.readFile(FIXTURE);
        _length = vm.parseJsonUint(_json, ".proofLength");
        _verifier = vm.deployCode("NarrowVerifier.sol:NarrowVerifier");
        _key = address(new Data(vm.parseJsonBytes(vm.readFile(KEY), ".code")));
    }

    function turn(uint256 i) internal view returns (TurnInputs memory inputs, bytes memory proof) {
        string memory path = string.concat(".turns[", vm.toString(i), "]");
        inputs = fromWords(vm.parseJsonUintArray(_json, string.concat(path, ".instance")));
        proof = vm.parseJsonBytes(_json, string.concat(path, ".proof"));
    }

    /// @dev The inputs from their words in the verifier's order.
    function fromWords(uint256[] memory words) internal pure returns (TurnInputs memory) {
        assertEq(words.length, NARROW_INPUTS, "public inputs");
        return abi.decode(abi.encodePacked(words), (TurnInputs));
    }

    /// @dev The words of the inputs in the verifier's order.
    function toWords(TurnInputs memory inputs) internal pure returns (uint256[] memory words) {
        bytes memory packed = abi.encode(inputs);
        words = new uint256[](packed.length / 32);
        for (uint256 i = 0; i < words.length; ++i) {
            uint256 word;
            assembly ("memory-safe") {
                word := mload(add(add(packed, 32), shl(5, i)))
            }
            words[i] = word;
        }
    }

    function turnCount() internal view returns (uint256 count) {
        while (vm.keyExistsJson(_json, string.concat(".turns[", vm.toString(count), "]"))) ++count;
    }

    function key(string memory path) internal view returns (IFogmate.Point memory) {
        uint256[] memory words = vm.parseJsonUintArray(_json, path);
        return IFogmate.Point(words[0], words[1]);
    }

    function realMove(uint256 i) internal view returns (IFogmate.Move memory m, bytes memory proof) {
        string memory path = string.concat(".game.moves[", vm.toString(i), "].");
        m.nextCommitment = vm.parseJsonUint(_json, string.concat(path, "nextCommitment"));
        m.nextRequestRoot = vm.parseJsonUint(_json, string.concat(path, "nextRequestRoot"));
        m.answerRoot = vm.parseJsonUint(_json, string.concat(path, "answerRoot"));
        m.basis = vm.parseJsonBytes32(_json, string.concat(path, "basis"));
        m.ply = uint16(vm.parseJsonUint(_json, string.concat(path, "ply")));
        m.capture = uint8(vm.parseJsonUint(_json, string.concat(path, "capture")));
        m.kingFell = vm.parseJsonBool(_json, string.concat(path, "kingFell"));
        m.offerDraw = vm.parseJsonBool(_json, string.concat(path, "offerDraw"));
        proof = vm.parseJsonBytes(_json, string.concat(path, "proof"));
    }

    function moveCount() internal view returns (uint256 count) {
        while (vm.keyExistsJson(_json, string.concat(".game.moves[", vm.toString(count), "]"))) ++count;
    }

    function invalid() internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.InvalidProof.selector);
    }
}
