// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {ExactVerifier} from "./AcceptAllVerifier.sol";
import {GameTest} from "./GameTest.sol";

/// @dev A ply: what it changes, what the verifier is handed, and what it costs.
contract MoveTest is GameTest {
    // ---------------------------------------------------------------- what it changes

    function test_a_ply_chains_the_movers_commitment_and_passes_the_turn() public {
        bytes32 id = played(3);
        IFogmate.Game memory before = fogmate.game(id);
        IFogmate.Move memory m = next(id, 27);
        m.offerDraw = true;
        vm.warp(block.timestamp + 7);
        vm.expectEmit(true, true, true, true, address(fogmate));
        emit IFogmate.Moved(id, joiner, 3, 27, false, true, m.nextCommitment, m.nextRequestRoot, m.answerRoot);
        vm.prank(joiner);
        fogmate.move(id, m, _proof);

        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.ply, 4, "ply");
        assertEq(g.pending, 27, "pending");
        assertEq(g.quietPlies, 0, "quiet plies");
        assertTrue(g.drawOffered, "offer");
        assertEq(g.since, block.timestamp, "since");
        assertEq(g.answerRoot, m.answerRoot, "answer root");
        assertEq(g.players[1].commitment, m.nextCommitment, "mover's commitment");
        assertEq(g.players[1].requestRoot, m.nextRequestRoot, "mover's request");
        assertEq(
            keccak256(abi.encode(g.players[0])), keccak256(abi.encode(before.players[0])), "opponent's side untouched"
        );
        assertTrue(g.status == IFogmate.Status.Playing, "status");
    }

    function test_the_joiner_moves_first_when_the_toss_says_so() public {
        bytes32 id = started(false);
        IFogmate.Move memory m = next(id);
        refuseMove(id, m, creator, abi.encodeWithSelector(IFogmate.NotYourTurn.selector));
        vm.prank(joiner);
        fogmate.move(id, m, _proof);
        assertEq(fogmate.game(id).players[0].commitment, m.nextCommitment, "white is the joiner");
    }

    function test_quiet_plies_are_counted_and_an_offer_dies_with_the_next_move() public {
        bytes32 id = played(4);
        assertEq(fogmate.game(id).quietPlies, 4, "quiet plies");
        IFogmate.Move memory m = next(id, 0);
        m.offerDraw = true;
        move(id, m);
        play(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.quietPlies, 1, "one since the capture");
        assertEq(g.pending, 64, "pending is of one ply");
        assertTrue(!g.drawOffered, "offer died");
    }

    function test_a_captured_king_ends_the_game() public {
        bytes32 id = played(4);
        IFogmate.Move memory m = next(id, 60);
        m.kingFell = true;
        m.offerDraw = true;
        vm.prank(creator);
        fogmate.move(id, m, _proof);
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.status == IFogmate.Status.Over, "status");
        assertTrue(g.outcome == IFogmate.Outcome.KingCaptured, "outcome");
        assertEq(g.winner, creator, "winner");
        assertEq(g.ply, 5, "the last ply counts");
        assertEq(g.players[0].commitment, m.nextCommitment, "the last commitment stands for the audit");
        assertEq(fogmate.withdrawable(creator), 2 * STAKE, "stakes");
        refuseMove(id, m, joiner, wrongStatus(IFogmate.Status.Over));
    }

    function test_the_last_ply_that_can_be_counted_draws() public {
        bytes32 id = played(2);
        // `ply` stands in bits 16..32 of the game's first word; 65534 is White's.
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot)) & ~(uint256(0xffff) << 16);
        vm.store(address(fogmate), slot, bytes32(word | (uint256(65534) << 16)));
        assertEq(fogmate.game(id).ply, 65534, "the storage layout");
        play(id);
        IFogmate.Game memory g = fogmate.game(id);
        assertTrue(g.outcome == IFogmate.Outcome.TooLong, "outcome");
        assertEq(g.ply, 65535, "ply");
        assertEq(fogmate.withdrawable(creator), STAKE, "stake back");
        assertEq(fogmate.withdrawable(joiner), STAKE, "stake back");
    }

    // ---------------------------------------------------------------- what the verifier is handed

    /// @dev The thirteen words are written down here from the protocol's list, not from the contract.
    function verifierGets(bytes32 id, IFogmate.Move memory m, uint256[3] memory sight) private {
        IFogmate.Game memory g = fogmate.game(id);
        IFogmate.Player memory mover = g.players[g.ply & 1];
        IFogmate.Player memory other = g.players[(g.ply & 1) ^ 1];
        bytes memory head = abi.encode(mover.commitment, g.pending, m.nextCommitment, sight, other.fogKey);
        bytes memory tail = abi.encode(m.nextRequestRoot, g.ply & 1, g.ply < 2, m.capture, m.kingFell);
        for (uint256 i = 0; i < PROOF_LENGTH; ++i) {
            _proof[i] = bytes1(uint8(i + 1));
        }
        bytes memory key = abi.encode(fogmate.turnKey());
        ExactVerifier exact = new ExactVerifier(bytes.concat(key, head, tail, _proof));
        bytes32 hash = vm.load(address(exact), 0);
        vm.etch(fogmate.turnVerifier(), address(exact).code);
        vm.store(fogmate.turnVerifier(), 0, hash);
        vm.prank(toMove(id));
        fogmate.move(id, m, _proof);
    }

    function test_the_opening_hands_over_no_sight() public {
        bytes32 id = started();
        verifierGets(id, next(id), [uint256(0), 0, 0]);
        verifierGets(id, next(id), [uint256(0), 0, 0]);
    }

    function testFuzz_later_plies_hand_over_request_answer_and_context(
        uint8 plies,
        uint8 lost,
        uint8 capture,
        bool king
    ) public {
        bytes32 id = played(bound(plies, 1, 6));
        move(id, next(id, uint8(bound(lost, 0, 64))));
        IFogmate.Game memory g = fogmate.game(id);
        IFogmate.Move memory m = next(id, uint8(bound(capture, 0, 64)));
        m.kingFell = king;
        verifierGets(id, m, [g.players[g.ply & 1].requestRoot, g.answerRoot, fogmate.contextOf(id, 0)]);
    }

    function test_an_answer_is_made_for_the_context_its_receiver_proves_in() public {
        bytes32 id = played(1);
        for (uint8 i = 0; i < 6; ++i) {
            IFogmate.Move memory m = next(id, i % 2 == 0 ? i : 64);
            move(id, m);
            assertEq(fogmate.contextOf(id, 0), m.ctxNext, "posted context = context of the next turn");
        }
    }

    // ---------------------------------------------------------------- gas

    /// forge-config: default.isolate = true
    function test_gas_of_a_ply_without_its_verification() public {
        bytes32 id = started();
        for (uint256 i = 0; i < 8; ++i) {
            IFogmate.Move memory m = next(id, i == 5 ? 20 : 64);
            // Commitments, roots and contexts are full words; a real proof's calldata counts with its verification.
            move(id, m);
            uint256 used = vm.lastCallGas().gasTotalUsed;
            emit log_named_uint("gas of a ply, transaction included, proof of 96 zero bytes accepted by all", used);
            // Plies 0 and 1 write three words for the first time, at 17,100 each.
            assertTrue(used < (i > 1 ? 95_000 : 120_000), "gas");
        }
    }
}
