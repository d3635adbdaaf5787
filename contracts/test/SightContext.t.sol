// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {Progress} from "../src/types/Progress.sol";
import {CTX_TAG, SightContext} from "../src/types/SightContext.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The contexts of sights against the protocol's vectors, alone and as the contract computes them from storage; and
/// what it says that a player is owed, against what the players did.
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

    /// @dev The whole contract at the vectors' address, with the vectors' game in its storage, answers their contexts. This
    /// pins the storage layout: the first word of a game is its progress, the commitments begin at word 2, five words for
    /// each role, of which the first two are its states by turns.
    function test_the_contract_computes_the_vectors_contexts_from_storage() public {
        bytes32 model = started();
        for (uint256 i = 0; i < 12; ++i) {
            Vector memory v = readVector(vm.readLine(VECTORS));
            vm.chainId(v.chainId);
            vm.etch(v.game, address(fogmate).code);
            // In phase 1 the receiver has moved: the contract is one ply further and the sender is to move.
            uint256 ply = v.ply + v.phase;
            uint256 pending = v.phase == 0 ? v.pendingReceiver : v.pendingSender;
            // The creator is Black in every other vector. `receiver` = ply mod 2, in both phases.
            Progress p = Progress.wrap(uint256(vm.load(address(fogmate), slotOf(model))));
            p = p.withPly(ply).withPending(pending).withWhiteRole(i % 2);
            uint256 receiver = (v.ply & 1) ^ (i % 2);
            uint256 slot = uint256(slotOf(v.id));
            put(v.game, slot, Progress.unwrap(p));
            uint256 own = slot + 2 + 5 * receiver;
            uint256 others = slot + 2 + 5 * (1 - receiver);
            put(v.game, own + p.movesOf(v.ply & 1) % 2, v.receiverCommitment);
            put(v.game, own + 2, v.requestRoot);
            put(v.game, others + p.movesOf((v.ply & 1) ^ 1) % 2, v.senderCommitment);
            put(v.game, others + 3, v.key[0]);
            put(v.game, others + 4, v.key[1]);
            assertEq(IFogmate(v.game).contextOf(v.id, IFogmate.Phase(v.phase)), v.ctx, "ctx");
            IFogmate.Exchange memory e = IFogmate(v.game).exchangeOf(v.id, IFogmate.Phase(v.phase), uint8(v.ply & 1));
            assertEq(e.ctx, v.ctx, "ctx of the exchange");
            assertEq(e.commitment, v.senderCommitment, "commitment");
            assertTrue(IFogmate(v.game).contextOf(v.id, IFogmate.Phase(1 - v.phase)) != v.ctx, "the phases differ");
        }
    }

    function slotOf(bytes32 id) private pure returns (bytes32) {
        return keccak256(abi.encode(id, uint256(1)));
    }

    function put(address account, uint256 slot, uint256 value) private {
        vm.store(account, bytes32(slot), bytes32(value));
    }

    function same(IFogmate.Exchange memory found, IFogmate.Exchange memory expected, string memory what) private pure {
        assertEq(keccak256(abi.encode(found)), keccak256(abi.encode(expected)), what);
    }

    /// @dev In every position of a game with captures and missing answers, what either player is owed is what follows from
    /// the plies made, also the sight after a move to which the opponent has replied.
    function testFuzz_what_is_owed_follows_from_the_plies(uint256 seed, bool creatorWhite) public {
        bytes32 id = started(creatorWhite);
        for (uint256 n = 0; n < 7; ++n) {
            uint256 luck = uint256(keccak256(abi.encode(seed, n)));
            uint8 capture = luck % 3 == 0 ? uint8((luck >> 8) % 64) : 64;
            IFogmate.Move memory m = next(id, capture);
            if (luck % 5 == 0 && n > 0) m.answerRoot = 0;
            uint256 named = contextAfter(id, m);
            move(id, m);
            uint8 moved = uint8(n & 1);
            same(fogmate.exchangeOf(id, IFogmate.Phase.Post, moved), postExchange(id, n), "after the move");
            assertEq(fogmate.contextOf(id, IFogmate.Phase.Post), postExchange(id, n).ctx, "its context");
            if (n == 0) continue;
            same(fogmate.exchangeOf(id, IFogmate.Phase.Pre, moved ^ 1), preExchange(id), "before the next");
            assertEq(fogmate.contextOf(id, IFogmate.Phase.Pre), preExchange(id).ctx, "its context");
            assertEq(named, preExchange(id).ctx, "which the move named");
            same(
                fogmate.exchangeOf(id, IFogmate.Phase.Post, moved ^ 1),
                postExchange(id, n - 1),
                "after a move that was replied to"
            );
        }
    }

    function test_no_sight_is_owed_that_does_not_exist() public {
        bytes32 id = started();
        assertEq(fogmate.contextOf(id, IFogmate.Phase.Pre), 0, "opening");
        for (uint8 color = 0; color < 2; ++color) {
            for (uint256 phase = 0; phase < 2; ++phase) {
                refused(IFogmate.NothingToDemand.selector);
                fogmate.exchangeOf(id, IFogmate.Phase(phase), color);
            }
        }
        refused(IFogmate.NothingToDemand.selector);
        fogmate.contextOf(id, IFogmate.Phase.Post);
        play(id);
        assertEq(fogmate.contextOf(id, IFogmate.Phase.Pre), 0, "opening");
        refused(IFogmate.NothingToDemand.selector);
        fogmate.exchangeOf(id, IFogmate.Phase.Pre, 1);
        refused(IFogmate.NothingToDemand.selector);
        fogmate.exchangeOf(id, IFogmate.Phase.Post, 1);
        play(id);
        refused(IFogmate.NothingToDemand.selector);
        fogmate.exchangeOf(id, IFogmate.Phase.Pre, 1);
    }

    function test_contexts_and_exchanges_are_of_games_in_play() public {
        bytes32 id = played(3);
        vm.prank(creator);
        fogmate.resign(id);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.contextOf(id, IFogmate.Phase.Pre);
        vm.expectRevert(wrongStatus(IFogmate.Status.Over));
        fogmate.exchangeOf(id, IFogmate.Phase.Pre, 1);
        id = joined(true);
        vm.expectRevert(wrongStatus(IFogmate.Status.CreatorReveals));
        fogmate.contextOf(id, IFogmate.Phase.Pre);
    }
}
