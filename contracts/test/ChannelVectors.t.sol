// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {ChannelKit} from "./ChannelTest.sol";

/// @dev The positions and results of test/data/channel.json, which the client's code must make the same of: the contract takes their
/// signatures, at the vectors' address, on their chain, in their game.
contract ChannelVectorsTest is ChannelKit {
    string private _json;

    /// @dev The whole contract at the vectors' address, with a game there that is asleep.
    function setUp() public override {
        super.setUp();
        _json = vm.readFile("../test/data/channel.json");
        bytes32 model = started();
        address there = vm.parseJsonAddress(_json, ".contract");
        vm.etch(there, address(fogmate).code);
        vm.deal(there, 2 * STAKE);
        (uint256 from, uint256 to) = (slotOf(model), slotOf(gameId()));
        for (uint256 i = 0; i < 32; ++i) {
            vm.store(there, bytes32(to + i), vm.load(address(fogmate), bytes32(from + i)));
        }
        fogmate = IFogmate(there);
        vm.chainId(vm.parseJsonUint(_json, ".chainId"));
    }

    function gameId() private view returns (bytes32) {
        return vm.parseJsonBytes32(_json, ".gameId");
    }

    function slotOf(bytes32 id) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(id, uint256(1))));
    }

    function signaturesOf(string memory path) private view returns (IFogmate.Signature[2] memory signatures) {
        for (uint256 role = 0; role < 2; ++role) {
            bytes memory data = vm.parseJsonBytes(_json, string.concat(path, ".signatures[", vm.toString(role), "]"));
            signatures[role] = abi.decode(data, (IFogmate.Signature));
        }
    }

    function test_the_contract_takes_the_vectors_positions() public {
        bytes32 id = gameId();
        uint256 count;
        for (; vm.keyExistsJson(_json, string.concat(".positions[", vm.toString(count), "]")); ++count) {
            string memory path = string.concat(".positions[", vm.toString(count), "]");
            bytes memory words = abi.encodePacked(vm.parseJsonUintArray(_json, string.concat(path, ".words")));
            IFogmate.Position memory p = abi.decode(words, (IFogmate.Position));
            assertEq(digestOf(id, p), vm.parseJsonBytes32(_json, string.concat(path, ".digest")), "digest");
            vm.prank(stranger);
            fogmate.wake(id, p, signaturesOf(path));
            assertEq(fogmate.game(id).ply, count + 1, "woken");
        }
        assertTrue(count > 4, "both players have moved twice");
    }

    function test_the_contract_takes_the_vectors_results() public {
        bytes32 id = gameId();
        uint256 state = vm.snapshotState();
        uint256 count;
        for (; vm.keyExistsJson(_json, string.concat(".results[", vm.toString(count), "]")); ++count) {
            string memory path = string.concat(".results[", vm.toString(count), "]");
            uint256[] memory words = vm.parseJsonUintArray(_json, string.concat(path, ".words"));
            vm.prank(stranger);
            fogmate.close(id, uint8(words[0]), IFogmate.Outcome(words[1]), bytes32(words[2]), signaturesOf(path));
            assertTrue(fogmate.game(id).outcome == IFogmate.Outcome(words[1]), "closed");
            vm.revertToState(state);
            state = vm.snapshotState();
        }
        assertEq(count, 5, "every outcome that can be signed");
    }
}
