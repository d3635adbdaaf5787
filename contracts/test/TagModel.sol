// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ITagGame} from "../src/interfaces/Contests.sol";
import {TagKit} from "./TagKit.sol";
import {TRUTH_PROOF_LENGTH, TruthVerifier, rightProof} from "./Truth.sol";

/// @dev Games of tag with abstract proofs: the verifier takes a proof for the very inputs that docs/src/statements.md names. No two words that are said
/// are the same.
abstract contract TagModel is TagKit {
    address internal constant STEP = address(0x57E9);
    address internal constant REPLY = address(0x4E91);
    address internal constant CAPTURE = address(0xCA97);
    uint256 internal constant INPUTS = 13;

    function setUp() public virtual override {
        super.setUp();
        address[3] memory keys = [STEP, REPLY, CAPTURE];
        for (uint256 i = 0; i < 3; ++i) {
            vm.etch(keys[i], hex"00");
        }
        address verifier = address(new TruthVerifier(INPUTS));
        tag = ITagGame(
            create("TagGame", abi.encode(ITagGame.Verifiers(verifier, STEP, REPLY, CAPTURE, TRUTH_PROOF_LENGTH)))
        );
    }

    /// @dev The public input for a king that is placed, `side + 16·(1 + code)`: the creator's on a1, the joiner's on e5, f6, g7 or h8.
    function corner(uint256 side, uint256 role) internal pure returns (uint256) {
        uint16[4] memory last = [1109, 1382, 1655, 1928];
        return role == 0 ? side + 16 : last[side - 5];
    }

    function placement(uint256 salt) internal pure returns (ITagGame.Placement memory p) {
        (p.commitment, p.setHash) = (salt, salt + 1);
        for (uint256 i = 0; i < 9; ++i) {
            p.set[i] = salt + 2 + i;
        }
    }

    function answer(uint256 salt) internal pure returns (ITagGame.Answer memory a) {
        a.own = salt;
        for (uint256 i = 0; i < 9; ++i) {
            a.raised[i] = salt + 1 + i;
        }
    }

    function stepProof(uint256 previous, uint256 place, ITagGame.Placement memory p)
        internal
        pure
        returns (bytes memory)
    {
        uint256[] memory inputs = new uint256[](INPUTS);
        (inputs[0], inputs[1], inputs[2], inputs[3]) = (previous, p.commitment, place, p.setHash);
        for (uint256 i = 0; i < 9; ++i) {
            inputs[4 + i] = p.set[i];
        }
        return rightProof(STEP, inputs, INPUTS);
    }

    function replyProof(uint256 commitment, uint256 setHash, ITagGame.Answer memory a)
        internal
        pure
        returns (bytes memory)
    {
        uint256[] memory inputs = new uint256[](12);
        (inputs[0], inputs[1], inputs[11]) = (commitment, setHash, a.own);
        for (uint256 i = 0; i < 9; ++i) {
            inputs[2 + i] = a.raised[i];
        }
        return rightProof(REPLY, inputs, INPUTS);
    }

    /// @dev What is said in ply p has salts from 1000·(p + 1) on: the placement, from 100 on the answer with it, from 200 on the other's answer.
    function saltOf(uint256 ply) internal pure returns (uint256) {
        return 1000 * (ply + 1);
    }

    /// @dev The answer that came with the step of a ply.
    function stepAnswer(uint256 ply) internal pure returns (ITagGame.Answer memory) {
        return answer(saltOf(ply) + 100);
    }

    function createCall(uint256 nonce, ITagGame.Terms memory t) internal pure returns (bytes memory) {
        return createAt(nonce, t, corner(t.side, 0));
    }

    /// @dev With a king that is proven to be placed elsewhere.
    function createAt(uint256 nonce, ITagGame.Terms memory t, uint256 place) internal pure returns (bytes memory) {
        return abi.encodeCall(ITagGame.create, (nonce, t, placement(1), stepProof(0, place, placement(1))));
    }

    function joinCall(bytes32 id) internal pure returns (bytes memory) {
        return joinAt(id, corner(6, 1));
    }

    function joinAt(bytes32 id, uint256 place) internal pure returns (bytes memory) {
        return abi.encodeCall(ITagGame.join, (id, placement(51), stepProof(0, place, placement(51))));
    }

    function stepCall(bytes32 id) internal view returns (bytes memory) {
        ITagGame.Game memory g = tag.game(id);
        return stepFrom(id, g.commitments[g.ply % 2], g.setHashes[1 - g.ply % 2]);
    }

    function stepFrom(bytes32 id, uint256 previous, uint256 setHash) internal view returns (bytes memory) {
        return stepOn(tag.game(id).side, id, previous, setHash);
    }

    /// @dev A step that is proven for a grid.
    function stepOn(uint256 side, bytes32 id, uint256 previous, uint256 setHash) internal view returns (bytes memory) {
        uint256 ply = tag.game(id).ply;
        ITagGame.Placement memory p = placement(saltOf(ply));
        bytes memory proof = replyProof(p.commitment, setHash, stepAnswer(ply));
        return abi.encodeCall(ITagGame.step, (id, p, stepProof(previous, side, p), stepAnswer(ply), proof));
    }

    function replyCall(bytes32 id) internal view returns (bytes memory) {
        ITagGame.Game memory g = tag.game(id);
        return replyFrom(id, g.commitments[1 - g.ply % 2], g.setHashes[g.ply % 2]);
    }

    function replyFrom(bytes32 id, uint256 commitment, uint256 setHash) internal view returns (bytes memory) {
        ITagGame.Answer memory a = answer(saltOf(tag.game(id).ply) + 200);
        return abi.encodeCall(ITagGame.reply, (id, a, replyProof(commitment, setHash, a)));
    }

    /// @dev A capture of what stands at place 4 of an answer, proven for a player's king.
    function captureCall(bytes32 id, uint256 captor, ITagGame.Answer memory a) internal view returns (bytes memory) {
        uint256[] memory inputs = new uint256[](3);
        (inputs[0], inputs[1], inputs[2]) = (tag.game(id).commitments[captor], a.own, a.raised[4]);
        return abi.encodeCall(ITagGame.capture, (id, a, 4, rightProof(CAPTURE, inputs, INPUTS)));
    }

    function reason(bytes4 selector) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(selector);
    }

    function act(address by, bytes memory data) internal {
        send(by, 0, data);
    }

    function send(address by, uint256 value, bytes memory data) internal {
        vm.prank(by);
        (bool done,) = address(tag).call{value: value}(data);
        assertTrue(done, "in order");
    }

    function joined(uint16 plies) internal returns (bytes32 id) {
        ITagGame.Terms memory t = terms();
        t.plies = plies;
        id = tag.gameIdOf(players[0], 1, t, 1, 2);
        send(players[0], STAKE, createCall(1, t));
        send(players[1], STAKE, joinCall(id));
    }

    /// @dev A game of nine plies after so many steps and replies.
    function played(uint256 actions) internal returns (bytes32 id) {
        id = joined(9);
        for (uint256 i = 0; i < actions; ++i) {
            uint256 mover = tag.game(id).ply % 2;
            if (i % 2 == 0) act(players[mover], stepCall(id));
            else act(players[1 - mover], replyCall(id));
        }
    }
}
