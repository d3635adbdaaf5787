// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {TagGame} from "../src/TagGame.sol";
import {ITagGame} from "../src/interfaces/ITagGame.sol";
import {AcceptAllVerifier} from "./AcceptAllVerifier.sol";
import {TagTest} from "./TagTest.sol";

/// @dev Seats, order, ends and money, with a verifier that accepts every proof.
contract TagRulesTest is TagTest {
    bytes private _proof;

    function setUp() public override {
        super.setUp();
        address any = address(new AcceptAllVerifier());
        tag = new TagGame(ITagGame.Verifiers(any, any, any, any, _with.proofLength));
        _proof = new bytes(_with.proofLength);
    }

    function placement(uint256 salt) private pure returns (ITagGame.Placement memory p) {
        (p.commitment, p.setHash) = (salt, salt + 1);
    }

    function answer(uint256 salt) private pure returns (ITagGame.Answer memory a) {
        a.own = salt;
    }

    function createCall(uint256 nonce, ITagGame.Terms memory t) private view returns (bytes memory) {
        return abi.encodeCall(ITagGame.create, (nonce, t, placement(1), _proof));
    }

    function stepCall(bytes32 id) private view returns (bytes memory) {
        return abi.encodeCall(ITagGame.step, (id, placement(5), _proof, answer(6), _proof));
    }

    function replyCall(bytes32 id) private view returns (bytes memory) {
        return abi.encodeCall(ITagGame.reply, (id, answer(7), _proof));
    }

    function reason(bytes4 selector) private pure returns (bytes memory) {
        return abi.encodeWithSelector(selector);
    }

    function joined(uint16 plies) private returns (bytes32 id) {
        ITagGame.Terms memory t = terms();
        t.plies = plies;
        vm.prank(players[0]);
        id = tag.create{value: STAKE}(1, t, placement(1), _proof);
        vm.prank(players[1]);
        tag.join{value: STAKE}(id, placement(3), _proof);
    }

    function act(address by, bytes memory data) private {
        vm.prank(by);
        (bool done,) = address(tag).call(data);
        assertTrue(done, "in order");
    }

    function test_terms_must_make_sense() public {
        for (uint256 i = 0; i < 8; ++i) {
            ITagGame.Terms memory t = terms();
            t.stake = 0;
            if (i == 0) t.side = 7;
            if (i == 1) t.side = 0;
            if (i == 2) t.plies = 0;
            if (i == 3) t.turn = 0;
            if (i == 4) t.turn = 30 days + 1;
            if (i == 5) t.expiry = uint40(time() - 1);
            if (i == 6) t.opponent = players[0];
            if (i == 7) t.stake = 1;
            bytes memory expected = reason(ITagGame.BadTerms.selector);
            if (i == 6) expected = reason(ITagGame.SelfPlay.selector);
            if (i == 7) expected = abi.encodeWithSelector(ITagGame.WrongStake.selector, 1);
            refuse(players[0], createCall(1, t), expected, "terms");
        }
        ITagGame.Terms memory fine = terms();
        (fine.stake, fine.side) = (0, 8);
        act(players[0], createCall(1, fine));
        refuse(players[0], createCall(1, fine), reason(ITagGame.GameExists.selector), "twice");
        act(players[0], createCall(2, fine));
        act(players[1], createCall(1, fine));
    }

    /// @dev A chain that is taken back over `create` may bring the same opening with another king: nobody's `join` is for that one.
    function test_a_join_is_for_the_king_that_was_seen() public {
        ITagGame.Terms memory t = terms();
        t.stake = 0;
        uint256 before = vm.snapshotState();
        vm.prank(players[0]);
        bytes32 seen = tag.create(1, t, placement(1), _proof);
        ITagGame.Placement memory other = placement(1);
        for (uint256 i = 0; i < 2; ++i) {
            vm.revertToState(before);
            other = placement(1);
            if (i == 0) other.commitment += 1;
            if (i == 1) other.setHash += 1;
            vm.prank(players[0]);
            assertTrue(tag.create(1, t, other, _proof) != seen, "another game");
            bytes memory join = abi.encodeCall(ITagGame.join, (seen, placement(3), _proof));
            refuse(players[1], join, abi.encodeWithSelector(ITagGame.WrongStatus.selector, 0), "not what was seen");
        }
    }

    function test_seats_are_taken_as_agreed() public {
        ITagGame.Terms memory t = terms();
        (t.stake, t.opponent) = (0, players[1]);
        vm.prank(players[0]);
        bytes32 id = tag.create(1, t, placement(1), _proof);
        bytes memory join = abi.encodeCall(ITagGame.join, (id, placement(3), _proof));
        refuse(players[0], join, reason(ITagGame.SelfPlay.selector), "its own game");
        refuse(stranger, join, reason(ITagGame.NotInvited.selector), "not invited");
        refuse(players[0], stepCall(id), abi.encodeWithSelector(ITagGame.WrongStatus.selector, 1), "alone");
        bytes memory cancel = abi.encodeCall(ITagGame.cancel, (id));
        refuse(players[0], cancel, abi.encodeWithSelector(ITagGame.StillInTime.selector, t.expiry), "in time");
        vm.warp(t.expiry + 1);
        refuse(players[1], join, reason(ITagGame.Expired.selector), "expired");
        act(stranger, cancel);
        assertTrue(tag.game(id).outcome == ITagGame.Outcome.Cancelled, "cancelled");
        refuse(players[1], join, abi.encodeWithSelector(ITagGame.WrongStatus.selector, 3), "cancelled");
    }

    /// @dev At every point of a game of three plies who may do what, and nobody else anything.
    function test_the_order_of_actions() public {
        bytes32 id = joined(3);
        for (uint256 ply = 0; ply < 3; ++ply) {
            (address mover, address other) = (players[ply % 2], players[1 - ply % 2]);
            bytes memory wrongPhase = abi.encodeWithSelector(ITagGame.WrongPhase.selector, ITagGame.Phase.Step);
            refuse(other, stepCall(id), reason(ITagGame.NotYourTurn.selector), "not the mover");
            refuse(stranger, stepCall(id), reason(ITagGame.NotYourTurn.selector), "a stranger");
            refuse(other, replyCall(id), wrongPhase, "nothing to reply to");
            refuse(other, abi.encodeCall(ITagGame.settle, (id)), wrongPhase, "nothing to settle");
            act(mover, stepCall(id));
            wrongPhase = abi.encodeWithSelector(ITagGame.WrongPhase.selector, ITagGame.Phase.Reply);
            refuse(mover, stepCall(id), wrongPhase, "twice");
            refuse(mover, replyCall(id), reason(ITagGame.NotYourTurn.selector), "to itself");
            act(other, replyCall(id));
            assertEq(uint256(tag.game(id).ply), ply + 1, "plies");
        }
        bytes memory last = abi.encodeWithSelector(ITagGame.WrongPhase.selector, ITagGame.Phase.Last);
        refuse(players[1], stepCall(id), last, "after the last ply");
        bytes memory settle = abi.encodeCall(ITagGame.settle, (id));
        refuse(players[1], settle, reason(ITagGame.NotYourTurn.selector), "not the last mover");
        act(players[0], settle);
        ITagGame.Game memory g = tag.game(id);
        assertTrue(g.outcome == ITagGame.Outcome.Drawn && g.winner == address(0), "drawn");
        for (uint256 i = 0; i < 2; ++i) {
            assertEq(tag.withdrawable(players[i]), STAKE, "its own stake");
        }
    }

    /// @dev After the last ply the last mover may still capture; if it says nothing the game is drawn.
    function test_after_the_last_ply() public {
        bytes32 id = joined(1);
        act(players[0], stepCall(id));
        act(players[1], replyCall(id));
        uint256 before = vm.snapshotState();
        act(players[0], abi.encodeCall(ITagGame.capture, (id, answer(7), 4, _proof)));
        assertEq(tag.game(id).winner, players[0], "the last mover");
        vm.revertToState(before);
        vm.warp(time() + TURN + 1);
        act(stranger, abi.encodeCall(ITagGame.claimTimeout, (id)));
        assertTrue(tag.game(id).outcome == ITagGame.Outcome.Drawn, "drawn");
    }

    /// @dev The captor's window: until it says the next thing itself, though the other has stepped on.
    function test_a_captor_may_capture_instead_of_replying_and_not_after() public {
        bytes32 id = joined(9);
        act(players[0], stepCall(id));
        act(players[1], replyCall(id));
        act(players[1], stepCall(id));
        bytes memory capture = abi.encodeCall(ITagGame.capture, (id, answer(7), 4, _proof));
        refuse(players[1], capture, reason(ITagGame.NotYourTurn.selector), "the other");
        uint256 before = vm.snapshotState();
        act(players[0], capture);
        assertTrue(tag.game(id).outcome == ITagGame.Outcome.Captured, "captured");
        vm.revertToState(before);
        act(players[0], replyCall(id));
        refuse(players[0], capture, reason(ITagGame.NotYourTurn.selector), "after it has replied");
    }

    function test_resigning_and_money() public {
        bytes32 id = joined(9);
        bytes memory resign = abi.encodeCall(ITagGame.resign, (id));
        refuse(stranger, resign, reason(ITagGame.NotPlayer.selector), "a stranger");
        act(players[0], resign);
        assertEq(tag.game(id).winner, players[1], "the other");
        refuse(
            players[0],
            abi.encodeCall(ITagGame.withdraw, (payable(players[0]))),
            reason(ITagGame.NothingOwed.selector),
            "nothing"
        );
        uint256 balance = stranger.balance;
        vm.prank(players[1]);
        tag.withdraw(payable(stranger));
        assertEq(stranger.balance - balance, 2 * uint256(STAKE), "both stakes");
        assertEq(tag.withdrawable(players[1]), 0, "once");
        vm.prank(players[1]);
        (bool done,) = address(tag).call(abi.encodeCall(ITagGame.withdraw, (payable(stranger))));
        assertTrue(!done, "twice");
    }
}
