// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {Progress, openProgress} from "../src/types/Progress.sol";
import {CTX_TAG, SightContext} from "../src/types/SightContext.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The contexts of sights against the protocol's vectors, alone and as the contract computes them from storage.
contract SightContextTest is GameTest {
    string private constant VECTORS = "../test/data/sight_vectors.jsonl";

    struct Vector {
        uint256 chainId;
        address game;
        bytes32 id;
        uint256 ply;
        uint256 phase;
        uint256 pendingSender;
        uint256 pendingReceiver;
        uint256 senderCommitment;
        uint256 receiverCommitment;
        uint256[] key;
        uint256 requestRoot;
        uint256 ctx;
    }

    function readVector(string memory line) private pure returns (Vector memory v) {
        v.chainId = vm.parseJsonUint(line, ".chainId");
        v.game = vm.parseJsonAddress(line, ".contract");
        v.id = vm.parseJsonBytes32(line, ".gameId");
        v.ply = vm.parseJsonUint(line, ".ply");
        v.phase = vm.parseJsonUint(line, ".phase");
        v.pendingSender = vm.parseJsonUint(line, ".pendingSender");
        v.pendingReceiver = vm.parseJsonUint(line, ".pendingReceiver");
        v.senderCommitment = vm.parseJsonUint(line, ".senderState.commitment");
        v.receiverCommitment = vm.parseJsonUint(line, ".receiverState.commitment");
        v.key = vm.parseJsonUintArray(line, ".A");
        v.requestRoot = vm.parseJsonUint(line, ".requestRoot");
        v.ctx = vm.parseJsonUint(line, ".ctx");
    }

    /// @dev The hash of the vectors' values.
    function test_contexts_equal_the_vectors() public view {
        uint256[2] memory phases;
        for (uint256 i = 0; i < 12; ++i) {
            Vector memory v = readVector(vm.readLine(VECTORS));
            SightContext memory context = SightContext({
                tag: CTX_TAG,
                chainId: v.chainId,
                gameContract: v.game,
                gameId: v.id,
                ply: v.ply,
                phase: v.phase,
                senderCommitment: v.senderCommitment,
                pendingSender: v.pendingSender,
                receiverCommitment: v.receiverCommitment,
                pendingReceiver: v.pendingReceiver,
                fogKeyX: v.key[0],
                fogKeyY: v.key[1],
                requestRoot: v.requestRoot
            });
            assertEq(context.ctx(), v.ctx, "ctx");
            assertEq(uint256(keccak256(abi.encode(context))) % FIELD_ORDER, v.ctx, "as abi.encode lays it out");
            ++phases[v.phase];
        }
        assertTrue(phases[0] > 0 && phases[1] > 0, "both phases are covered");
    }

    /// @dev The whole contract at the vectors' address, with the vectors' game in its storage, answers their contexts.
    function test_the_contract_computes_the_vectors_contexts_from_storage() public {
        for (uint256 i = 0; i < 12; ++i) {
            Vector memory v = readVector(vm.readLine(VECTORS));
            vm.chainId(v.chainId);
            vm.etch(v.game, address(fogmate).code);
            // In phase 1 the receiver has moved: the contract is one ply further and the sender is to move.
            uint256 ply = v.ply + v.phase;
            uint256 pending = v.phase == 0 ? v.pendingReceiver : v.pendingSender;
            Progress p = openProgress(600, 0, 0).withStatus(IFogmate.Status.Playing).withPly(ply).withPending(pending);
            // The creator is Black in every other vector. `receiver` = ply mod 2, in both phases.
            p = p.withWhiteRole(i % 2);
            uint256 receiver = (v.ply & 1) ^ (i % 2);
            uint256 slot = uint256(keccak256(abi.encode(v.id, uint256(1))));
            put(v.game, slot, Progress.unwrap(p));
            put(v.game, slot + 2 + 4 * receiver, v.receiverCommitment);
            put(v.game, slot + 3 + 4 * receiver, v.requestRoot);
            put(v.game, slot + 2 + 4 * (1 - receiver), v.senderCommitment);
            put(v.game, slot + 4 + 4 * (1 - receiver), v.key[0]);
            put(v.game, slot + 5 + 4 * (1 - receiver), v.key[1]);
            assertEq(Fogmate(v.game).contextOf(v.id, uint8(v.phase)), v.ctx, "ctx");
            assertTrue(Fogmate(v.game).contextOf(v.id, uint8(1 - v.phase)) != v.ctx, "the phases differ");
        }
    }

    function put(address account, uint256 slot, uint256 value) private {
        vm.store(account, bytes32(slot), bytes32(value));
    }

    function test_contexts_are_of_games_in_play() public {
        bytes32 id = started();
        assertEq(fogmate.contextOf(id, 0), 0, "opening");
        refused(IFogmate.NoSuchPhase.selector);
        fogmate.contextOf(id, 1);
        refused(IFogmate.NoSuchPhase.selector);
        fogmate.contextOf(id, 2);
        play(id);
        assertEq(fogmate.contextOf(id, 0), 0, "opening");
        assertTrue(fogmate.contextOf(id, 1) != 0, "white's first sight is after its move");
        play(id);
        assertTrue(fogmate.contextOf(id, 0) != 0, "sight");
        vm.prank(creator);
        fogmate.resign(id);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.contextOf(id, 0);
    }
}
