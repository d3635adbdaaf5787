// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {AcceptAllVerifier} from "./AcceptAllVerifier.sol";
import {GameKit} from "./GameTest.sol";
import {TRUTH_PROOF_LENGTH, TruthVerifier, rightProof} from "./Truth.sol";

/// @dev A move that was right when it was signed is sent again after the chain was taken back and something else stands under it: by
/// its player, or by anybody who kept the transaction. Proofs are abstract but exact, see `TruthVerifier`.
contract TakenBackTest is GameKit {
    /// What White has signed.
    struct Reply {
        IFogmate.Move move;
        bytes proof;
    }

    uint256 private constant ROOT = 777;

    function setUp() public {
        address narrow = address(new TruthVerifier(13));
        IFogmate.Verifiers memory with = verifiersOf(narrow, address(new AcceptAllVerifier()));
        with.narrowProofLength = TRUTH_PROOF_LENGTH;
        fogmate = IFogmate(create("Fogmate", abi.encode(with, prices())));
        vm.deal(creator, 100 ether);
        vm.deal(joiner, 100 ether);
        vm.warp(START);
        vm.fee(BASE_FEE);
    }

    // ---------------------------------------------------------------- the doors

    function test_another_root_under_it() public {
        bytes32 id = blackToMove();
        Reply memory reply = replyTo(id, next(id), 0);
        IFogmate.Move memory other = next(id);
        other.answerRoot = fresh(id, 3, "another answer");
        make(id, other);
        assertTrue(!takenAgain(id, reply), "taken");
    }

    function test_another_capture_under_it() public {
        bytes32 id = blackToMove();
        Reply memory reply = replyTo(id, next(id), 0);
        make(id, next(id, 11));
        assertTrue(!takenAgain(id, reply), "taken");
    }

    function test_another_filled_root_under_it() public {
        bytes32 id = blackToMove();
        Reply memory reply = replyTo(id, nextWithoutAnswer(id), ROOT);
        make(id, nextWithoutAnswer(id));
        fill(id, ROOT + 1);
        assertTrue(!takenAgain(id, reply), "taken");
    }

    function test_a_filled_root_that_is_not_there_yet() public {
        bytes32 id = blackToMove();
        Reply memory reply = replyTo(id, nextWithoutAnswer(id), ROOT);
        make(id, nextWithoutAnswer(id));
        assertTrue(!takenAgain(id, reply), "taken");
        fill(id, ROOT);
        assertTrue(takenAgain(id, reply), "then it is the same position");
    }

    function test_a_demanded_answer_that_is_gone() public {
        bytes32 id = blackToMove();
        make(id, nextWithoutAnswer(id));
        uint256 beforeDemand = vm.snapshotState();
        demandRight(id);
        answer(id, preExchange(id), ROOT);
        Reply memory reply = sign(id);
        vm.revertToState(beforeDemand);
        assertTrue(!takenAgain(id, reply), "taken");
    }

    // ---------------------------------------------------------------- what leaves it right

    function test_the_same_position_takes_it_again() public {
        bytes32 id = blackToMove();
        Reply memory reply = replyTo(id, next(id), 0);
        make(id, next(id));
        assertTrue(takenAgain(id, reply), "refused");
    }

    /// @dev A draw that is offered in the one fork only changes nothing that the move was made by.
    function test_an_offer_of_a_draw_leaves_it_right() public {
        bytes32 id = blackToMove();
        Reply memory reply = replyTo(id, next(id), 0);
        IFogmate.Move memory other = next(id);
        other.offerDraw = true;
        make(id, other);
        assertTrue(takenAgain(id, reply), "refused");
    }

    /// @dev In mode `Verified` nothing was lost but the gas of the verification, and in mode `Unproven` only the audit could tell.
    function test_it_is_refused_before_any_verifier_is_asked() public {
        for (uint256 i = 0; i < 2; ++i) {
            _mode = modeOf(i);
            bytes32 id = blackToMove();
            Reply memory reply = replyTo(id, next(id), 0);
            make(id, next(id, 11));
            bytes memory data = abi.encodeCall(IFogmate.move, (id, reply.move, reply.proof));
            vm.prank(creator);
            uint256 gas = gasleft();
            (bool taken, bytes memory why) = address(fogmate).call(data);
            gas -= gasleft();
            assertTrue(!taken && bytes4(why) == IFogmate.WrongBasis.selector, "refused by its basis");
            assertTrue(gas < 100_000, "and cheaply");
        }
    }

    /// @dev Anything of Black's last transactions is another, in any combination.
    function testFuzz_a_move_is_taken_again_or_refused_by_its_basis(uint8 what, uint256 seed) public {
        bytes32 id = blackToMove();
        bool fills = what & 32 != 0;
        IFogmate.Move memory first = fills ? nextWithoutAnswer(id) : next(id);
        Reply memory reply = replyTo(id, first, fills ? ROOT : 0);
        IFogmate.Move memory other = first;
        if (what & 1 != 0) other.answerRoot = fresh(id, seed, "root");
        if (what & 2 != 0) other.capture = uint8(seed % 65);
        if (what & 4 != 0) other.offerDraw = true;
        if (what & 8 != 0) other.nextCommitment = fresh(id, seed, "commitment");
        if (what & 16 != 0) other.nextRequestRoot = fresh(id, seed, "request");
        make(id, based(id, other));
        if (other.answerRoot == 0 && what & 64 != 0) fill(id, what & 128 != 0 ? ROOT : ROOT + 1);
        takenAgain(id, reply);
    }

    // ---------------------------------------------------------------- steps

    /// @dev A game in which Black is to make its second move.
    function blackToMove() private returns (bytes32 id) {
        id = started();
        for (uint256 i = 0; i < 3; ++i) {
            make(id, next(id));
        }
    }

    /// @dev The player to move makes `m` with a right proof.
    function make(bytes32 id, IFogmate.Move memory m) private {
        bytes memory proof = prove(id, m);
        vm.prank(toMove(id));
        fogmate.move(id, m, proof);
        _history[id].push(Ply(m.nextCommitment, m.nextRequestRoot, m.answerRoot, m.capture, keccak256(proof)));
    }

    function prove(bytes32 id, IFogmate.Move memory m) private view returns (bytes memory) {
        if (_mode == IFogmate.Mode.Unproven) return "";
        uint256[13] memory words = turnWords(id, m);
        uint256[] memory inputs = new uint256[](13);
        for (uint256 i = 0; i < 13; ++i) {
            inputs[i] = words[i];
        }
        return rightProof(TURN_KEY, inputs, 13);
    }

    /// @dev What the player to move signs in the position as it stands.
    function sign(bytes32 id) private view returns (Reply memory reply) {
        reply.move = next(id);
        reply.proof = prove(id, reply.move);
    }

    /// @dev What White signs after Black's move and, if it is not 0, a root that is filled in. Then the chain is taken back to before them.
    function replyTo(bytes32 id, IFogmate.Move memory m, uint256 filled) private returns (Reply memory reply) {
        uint256 before = vm.snapshotState();
        make(id, m);
        if (filled != 0) fill(id, filled);
        reply = sign(id);
        vm.revertToState(before);
    }

    function fill(bytes32 id, uint256 root) private {
        uint256 ctx = fogmate.contextOf(id, IFogmate.Phase.Pre);
        vm.prank(joiner);
        fogmate.fillAnswer(id, ctx, root);
    }

    /// @dev White demands the sight before its move, with a right proof of its points.
    function demandRight(bytes32 id) private {
        uint256[128] memory p = points(1);
        uint256[] memory values = new uint256[](128);
        for (uint256 i = 0; i < 128; ++i) {
            values[i] = p[i];
        }
        uint256[] memory inputs = new uint256[](3);
        inputs[0] = fogmate.game(id).players[0].requestRoot;
        (inputs[1], inputs[2]) = binding(inputs[0], values);
        uint256 bond = 2 * fogmate.leastBond(false);
        vm.prank(creator);
        fogmate.demandSight{value: bond}(id, IFogmate.Phase.Pre, p, rightProof(REQUEST_DATA_KEY, inputs, 13));
    }

    /// @dev Whether White's move is taken when it is sent again; one that isn't is refused by its basis.
    function takenAgain(bytes32 id, Reply memory reply) private returns (bool) {
        vm.prank(creator);
        try fogmate.move(id, reply.move, reply.proof) {}
        catch (bytes memory why) {
            assertTrue(bytes4(why) == IFogmate.WrongBasis.selector, "refused by its basis");
            return false;
        }
        return true;
    }
}
