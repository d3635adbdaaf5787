// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ITagGame} from "../src/interfaces/Contests.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {TagKit} from "./TagKit.sol";
import {Data} from "./TurnFixture.sol";

/// @dev A real game of tag with real proofs, action by action, and how each can be mangled.
///
/// The fixture, test/fixtures/tag.json, is written by the prover (`make verifiers`) for the keys in src/generated/dev:
///
///   { "proofLength": bytes of a proof,
///     "actions": [ create, join, then a step and a reply for each of three plies, the joiner's second step, the creator's capture ] }
///
/// each with "by" (0 the creator, 1 the joiner) and "placement", "reply" (words and proof), or "place" and "proof".
abstract contract TagTest is TagKit {
    string private constant FIXTURE = "test/fixtures/tag.json";
    uint256 internal constant CREATE = 0;
    uint256 internal constant JOIN = 1;
    uint256 internal constant FIRST_STEP = 2;
    uint256 internal constant CAPTURE = 9;

    string internal _json;
    ITagGame.Verifiers internal _with;

    function setUp() public override {
        super.setUp();
        _json = vm.readFile(FIXTURE);
        _with.narrow = vm.deployCode("NarrowVerifier.sol:NarrowVerifier");
        _with.stepKey = keyOf("TagStepKey");
        _with.replyKey = keyOf("TagReplyKey");
        _with.captureKey = keyOf("TagCaptureKey");
        _with.proofLength = uint32(vm.parseJsonUint(_json, ".proofLength"));
        tag = ITagGame(create("TagGame", abi.encode(_with)));
    }

    function keyOf(string memory name) internal returns (address) {
        string memory file = string.concat("src/generated/dev/", name, ".json");
        return address(new Data(vm.parseJsonBytes(vm.readFile(file), ".code")));
    }

    function path(uint256 action, string memory field) internal pure returns (string memory) {
        return string.concat(".actions[", vm.toString(action), "].", field);
    }

    function proofOf(uint256 action, string memory field) internal view returns (bytes memory) {
        return vm.parseJsonBytes(_json, path(action, field));
    }

    function placementOf(uint256 action) internal view returns (ITagGame.Placement memory placement) {
        uint256[] memory words = vm.parseJsonUintArray(_json, path(action, "placement.words"));
        (placement.commitment, placement.setHash) = (words[0], words[1]);
        for (uint256 i = 0; i < 9; ++i) {
            placement.set[i] = words[2 + i];
        }
    }

    function answerOf(uint256 action) internal view returns (ITagGame.Answer memory answer) {
        uint256[] memory words = vm.parseJsonUintArray(_json, path(action, "reply.words"));
        for (uint256 i = 0; i < 9; ++i) {
            answer.raised[i] = words[i];
        }
        answer.own = words[9];
    }

    /// @dev A call with all its words: the selector, then calldata, of which tests change single words.
    function callOf(bytes32 id, uint256 action) internal view returns (bytes memory) {
        if (action == JOIN) {
            return abi.encodeCall(ITagGame.join, (id, placementOf(action), proofOf(action, "placement.proof")));
        }
        if (action == CAPTURE) {
            return abi.encodeCall(
                ITagGame.capture,
                (
                    id,
                    answerOf(action - 1),
                    uint8(vm.parseJsonUint(_json, path(action, "place"))),
                    proofOf(action, "proof")
                )
            );
        }
        if (action % 2 == 1) {
            return abi.encodeCall(ITagGame.reply, (id, answerOf(action), proofOf(action, "reply.proof")));
        }
        return abi.encodeCall(
            ITagGame.step,
            (
                id,
                placementOf(action),
                proofOf(action, "placement.proof"),
                answerOf(action),
                proofOf(action, "reply.proof")
            )
        );
    }

    function playerOf(uint256 action) internal view returns (address) {
        return players[vm.parseJsonUint(_json, path(action, "by"))];
    }

    function open(ITagGame.Terms memory t) internal returns (bytes32) {
        (ITagGame.Placement memory placement, bytes memory proof) =
            (placementOf(CREATE), proofOf(CREATE, "placement.proof"));
        vm.prank(players[0]);
        return tag.create{value: t.stake}(7, t, placement, proof);
    }

    /// @dev Sends a call by who makes that action.
    function send(uint256 action, bytes memory data) internal returns (bool done, bytes memory returned) {
        vm.prank(playerOf(action));
        return address(tag).call{value: action == JOIN ? STAKE : 0}(data);
    }

    /// @dev The real game up to an action, that one not included.
    function playedTo(uint256 action) internal returns (bytes32 id) {
        id = open(terms());
        for (uint256 i = JOIN; i < action; ++i) {
            (bool done,) = send(i, callOf(id, i));
            assertTrue(done, "a real action");
        }
    }

    function invalid() internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.InvalidProof.selector);
    }

    /// @dev The word at a place of calldata, counted behind the selector, with something added.
    function changed(bytes memory data, uint256 word, uint256 addend) internal pure returns (bytes memory copy) {
        copy = bytes.concat(data);
        assembly ("memory-safe") {
            let at := add(add(copy, 36), shl(5, word))
            mstore(at, add(mload(at), addend))
        }
    }

    function wordOf(bytes memory data, uint256 word) internal pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := mload(add(add(data, 36), shl(5, word)))
        }
    }

    function order() internal pure returns (uint256) {
        return FIELD_ORDER;
    }
}
