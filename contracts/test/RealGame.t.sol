// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {TurnFixture} from "./TurnFixture.sol";

/// @dev A real game with real proofs inside the game contract: it is accepted, and nothing but it.
contract RealGameTest is TurnFixture {
    struct Real {
        IFogmate fogmate;
        address creator;
        address joiner;
        bytes32 id;
    }

    /// @dev The terms of the fixture's game.
    function terms() private pure returns (IFogmate.Terms memory) {
        return IFogmate.Terms({
            mode: IFogmate.Mode.Verified,
            stake: 0,
            base: 600,
            increment: 0,
            delay: 0,
            window: 3600,
            reveal: 600,
            expiry: type(uint40).max,
            opponent: address(0)
        });
    }

    /// @dev Verifier and key of *turn*; the other statements have no part in this game.
    function verifiers() private view returns (IFogmate.Verifiers memory with) {
        with.narrow = with.wide = _verifier;
        with.turnKey = with.requestDataKey = with.fiftyKey = with.noMoveKey = with.answerKey = _key;
        with.narrowProofLength = with.wideProofLength = uint32(_length);
    }

    /// @dev The game contract at the address, on the chain and with the players that the proofs were made for.
    function startGame(address place) private returns (Real memory g) {
        vm.chainId(vm.parseJsonUint(_json, ".game.chainId"));
        vm.etch(place, create("Fogmate", abi.encode(verifiers(), IFogmate.Prices(430_000, 0, 0))).code);
        g.fogmate = IFogmate(place);
        g.creator = vm.parseJsonAddress(_json, ".game.creator");
        g.joiner = vm.parseJsonAddress(_json, ".game.joiner");
        uint256 nonce = vm.parseJsonUint(_json, ".game.nonce");
        g.id = openGame(g, nonce, key(".game.whiteKey"), key(".game.blackKey"));
    }

    /// @dev Opens a game in which the creator is White; the joiner's share is the fixture's if that makes it so.
    function openGame(Real memory g, uint256 nonce, IFogmate.Point memory white, IFogmate.Point memory black)
        private
        returns (bytes32 id)
    {
        uint256 creatorShare = vm.parseJsonUint(_json, ".game.creatorShare");
        uint256 joinerShare = vm.parseJsonUint(_json, ".game.joinerShare");
        bytes32 opened = g.fogmate.tossCommitmentOf(g.creator, creatorShare);
        vm.prank(g.creator);
        id = g.fogmate.create(nonce, terms(), opened, white);
        while (uint256(keccak256(abi.encode(creatorShare, joinerShare, id))) & 1 == 1) ++joinerShare;
        bytes32 committed = g.fogmate.tossCommitmentOf(g.joiner, joinerShare);
        vm.prank(g.joiner);
        g.fogmate.join(id, committed, black);
        vm.prank(g.creator);
        g.fogmate.revealCreator(id, creatorShare, committed);
        vm.prank(g.joiner);
        g.fogmate.revealJoiner(id, joinerShare);
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
        bytes32 basis = m.basis;
        m.kingFell = !m.kingFell;
        refuseAdapted(g, m, proof, "king flag");
        m.kingFell = !m.kingFell;
        m.nextRequestRoot = addmod(m.nextRequestRoot, 1, FIELD_ORDER);
        refuseAdapted(g, m, proof, "request root");
        m.nextRequestRoot = addmod(m.nextRequestRoot, FIELD_ORDER - 1, FIELD_ORDER);
        uint256 capture = m.capture;
        m.capture = capture == 64 ? 0 : 64;
        refuseAdapted(g, m, proof, "capture");
        m.capture = uint8(capture);
        m.nextCommitment = addmod(m.nextCommitment, 1, FIELD_ORDER);
        refuseAdapted(g, m, proof, "commitment");
        m.nextCommitment = addmod(m.nextCommitment, FIELD_ORDER - 1, FIELD_ORDER);
        m.basis = basis;
    }

    /// @dev The basis follows from what is declared, so an attacker would adapt it.
    function refuseAdapted(Real memory g, IFogmate.Move memory m, bytes memory proof, string memory what) private {
        (, bytes memory why) = tryMove(g, g.id, m, proof);
        assertTrue(bytes4(why) == IFogmate.WrongBasis.selector, "another basis");
        m.basis = askedBasis(why);
        refuse(g, g.id, m, proof, what);
    }

    /// @dev The argument of `WrongBasis`.
    function askedBasis(bytes memory why) private pure returns (bytes32 asked) {
        assembly ("memory-safe") {
            asked := mload(add(why, 36))
        }
    }

    /// @dev Same players, same contract, next game: with other fog keys not even the first ply's proof fits.
    function test_a_proof_of_another_game_is_rejected() public {
        Real memory g = startGame(vm.parseJsonAddress(_json, ".game.contract"));
        IFogmate.Point memory white = key(".game.whiteKey");
        IFogmate.Point memory black = key(".game.blackKey");
        bytes32 other = openGame(g, 1, IFogmate.Point(white.x, FIELD_ORDER - white.y), negative(black));
        (IFogmate.Move memory m, bytes memory proof) = realMove(0);
        (, bytes memory why) = tryMove(g, other, m, proof);
        m.basis = askedBasis(why);
        refuse(g, other, m, proof, "first ply, other keys");
    }

    /// @dev Even with the same keys, which nobody honest uses twice, a proof with sight is of one game, contract and chain.
    function test_a_proof_is_of_one_game_contract_and_chain() public {
        address home = vm.parseJsonAddress(_json, ".game.contract");
        Real memory g = startGame(home);
        bytes32 second = openGame(g, 2, key(".game.whiteKey"), key(".game.blackKey"));
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
            if (!made && bytes4(why) == IFogmate.WrongBasis.selector) {
                m.basis = askedBasis(why);
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
