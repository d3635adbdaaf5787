// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {IContest, ITagGame} from "../src/interfaces/Contests.sol";
import {TagModel} from "./TagModel.sol";

/// @dev Seats, order, proofs, time and money: each refusal, and what is allowed beside it.
contract TagRulesTest is TagModel {
    // ---------------------------------------------------------------- create, cancel, join

    function test_terms_must_make_sense() public {
        for (uint256 i = 0; i < 12; ++i) {
            ITagGame.Terms memory t = terms();
            if (i != 9) t.stake = 0;
            if (i == 0) t.side = 4;
            if (i == 1) t.side = 0;
            if (i == 2) t.plies = 0;
            if (i == 3) t.turn = 0;
            if (i == 4) t.turn = 30 days + 1;
            if (i == 5) t.expiry = uint40(time() - 1);
            if (i == 6) t.expiry = uint40(time() + 30 days + 1);
            if (i == 7) t.opponent = players[0];
            if (i == 8) t.stake = 1;
            if (i == 9) t.turn = 5 minutes - 1;
            if (i == 10) t.side = 9;
            if (i == 11) t.side = 255;
            bytes memory expected = reason(IContest.BadTerms.selector);
            if (i == 7) expected = reason(IContest.SelfPlay.selector);
            if (i == 8) expected = abi.encodeWithSelector(IContest.WrongStake.selector, 1);
            bytes memory data = createCall(1, t);
            vm.prank(players[0]);
            (bool done, bytes memory returned) = address(tag).call{value: i == 9 ? STAKE : 0}(data);
            assertTrue(!done && keccak256(returned) == keccak256(expected), string.concat("terms ", vm.toString(i)));
        }
        ITagGame.Terms memory fine = terms();
        (fine.stake, fine.side, fine.turn, fine.expiry) = (0, 8, 1, uint40(time() + 30 days));
        act(players[0], createCall(1, fine));
        refuse(players[0], createCall(1, fine), reason(IContest.GameExists.selector), "twice");
        act(players[0], createCall(2, fine));
        act(players[1], createCall(1, fine));
        (fine.turn, fine.expiry) = (30 days, uint40(time()));
        act(players[0], createCall(1, fine));
        (fine.stake, fine.turn) = (STAKE, 5 minutes);
        send(players[0], STAKE, createCall(1, fine));
    }

    /// @dev A chain that is taken back over `create` may bring the same opening with another king: nobody's `join` is for that one.
    function test_a_join_is_for_the_king_that_was_seen() public {
        ITagGame.Terms memory t = terms();
        t.stake = 0;
        bytes32 seen = tag.gameIdOf(players[0], 1, t, 1, 2);
        for (uint256 i = 0; i < 2; ++i) {
            ITagGame.Placement memory other = placement(1);
            if (i == 0) other.commitment += 500;
            if (i == 1) other.setHash += 500;
            bytes memory proof = stepProof(0, corner(6, 0), other);
            vm.prank(players[0]);
            assertTrue(tag.create(1, t, other, proof) != seen, "another game");
            bytes memory none = abi.encodeWithSelector(IContest.WrongStatus.selector, 0);
            refuse(players[1], joinCall(seen), none, "not what was seen");
        }
    }

    function test_seats_are_taken_as_agreed() public {
        ITagGame.Terms memory t = terms();
        t.opponent = players[1];
        bytes32 id = tag.gameIdOf(players[0], 1, t, 1, 2);
        send(players[0], STAKE, createCall(1, t));
        bytes memory join = joinCall(id);
        refuse(players[0], join, reason(IContest.SelfPlay.selector), "its own game");
        refuse(stranger, join, reason(IContest.NotInvited.selector), "not invited");
        bytes memory stake = abi.encodeWithSelector(IContest.WrongStake.selector, STAKE);
        refuse(players[1], join, stake, "no stake");
        bytes memory alone = abi.encodeWithSelector(IContest.WrongStatus.selector, 1);
        refuse(players[0], stepCall(id), alone, "alone");
        refuse(players[0], abi.encodeCall(IContest.resign, (id)), alone, "alone");
        bytes memory cancel = abi.encodeCall(IContest.cancel, (id));
        vm.warp(t.expiry);
        refuse(players[0], cancel, abi.encodeWithSelector(IContest.StillInTime.selector, t.expiry), "in time");
        vm.warp(t.expiry + 1);
        refuse(players[1], join, reason(IContest.Expired.selector), "expired");
        act(stranger, cancel);
        assertTrue(tag.game(id).outcome == IContest.Outcome.Cancelled, "cancelled");
        assertEq(tag.withdrawable(players[0]), STAKE, "its own");
        bytes memory over = abi.encodeWithSelector(IContest.WrongStatus.selector, 3);
        refuse(players[1], join, over, "cancelled");
        refuse(stranger, cancel, over, "twice");
    }

    // ---------------------------------------------------------------- order

    /// @dev At every point of a game of three plies who may do what, and nobody else anything.
    function test_the_order_of_actions() public {
        bytes32 id = joined(3);
        bytes memory settle = abi.encodeCall(ITagGame.settle, (id));
        for (uint256 ply = 0; ply < 3; ++ply) {
            (address mover, address other) = (players[ply % 2], players[1 - ply % 2]);
            bytes memory wrongPhase = abi.encodeWithSelector(ITagGame.WrongPhase.selector, ITagGame.Phase.Step);
            refuse(other, stepCall(id), reason(IContest.NotYourTurn.selector), "not the mover");
            refuse(stranger, stepCall(id), reason(IContest.NotYourTurn.selector), "a stranger");
            refuse(mover, replyCall(id), wrongPhase, "nothing to reply to");
            refuse(mover, settle, wrongPhase, "nothing to settle");
            act(mover, stepCall(id));
            wrongPhase = abi.encodeWithSelector(ITagGame.WrongPhase.selector, ITagGame.Phase.Reply);
            refuse(other, stepCall(id), wrongPhase, "before its reply");
            refuse(mover, stepCall(id), reason(IContest.NotYourTurn.selector), "twice");
            refuse(mover, replyCall(id), reason(IContest.NotYourTurn.selector), "to itself");
            refuse(stranger, replyCall(id), reason(IContest.NotYourTurn.selector), "a stranger");
            act(other, replyCall(id));
            assertEq(uint256(tag.game(id).ply), ply + 1, "plies");
        }
        bytes memory last = abi.encodeWithSelector(ITagGame.WrongPhase.selector, ITagGame.Phase.Last);
        refuse(players[1], stepCall(id), last, "after the last ply");
        refuse(players[0], settle, reason(IContest.NotYourTurn.selector), "the last mover");
        act(players[1], settle);
        ITagGame.Game memory g = tag.game(id);
        assertTrue(g.outcome == IContest.Outcome.Drawn && g.winner == address(0), "drawn");
        for (uint256 i = 0; i < 2; ++i) {
            assertEq(tag.withdrawable(players[i]), STAKE, "its own stake");
        }
    }

    /// @dev "If a player can see the opponent when it is their turn, they win": from a step on the one who has not made it may capture, until it
    /// steps itself, by the answer that came with that step and no other. Asked at every point of a game of three plies.
    function test_who_is_to_move_next_may_capture_and_nobody_else() public {
        bytes32 id = joined(3);
        bytes memory notYours = reason(IContest.NotYourTurn.selector);
        bytes memory wrongAnswer = reason(ITagGame.WrongAnswer.selector);
        refuse(players[0], captureCall(id, 0, answer(0)), wrongAnswer, "before the first step");
        refuse(players[1], captureCall(id, 1, answer(0)), notYours, "before the first step");
        for (uint256 ply = 0; ply < 3; ++ply) {
            (uint256 mover, uint256 other) = (ply % 2, 1 - ply % 2);
            act(players[mover], stepCall(id));
            for (uint256 replied = 0; replied < 2; ++replied) {
                ITagGame.Answer memory latest = stepAnswer(ply);
                refuse(players[mover], captureCall(id, mover, latest), notYours, "who has stepped");
                refuse(stranger, captureCall(id, other, latest), notYours, "a stranger");
                ITagGame.Answer memory reply = answer(saltOf(ply) + 200);
                refuse(players[other], captureCall(id, other, reply), wrongAnswer, "its own answer");
                if (ply > 0) {
                    bytes memory earlier = captureCall(id, other, stepAnswer(ply - 1));
                    refuse(players[other], earlier, wrongAnswer, "an earlier step's");
                }
                bytes memory foreign = captureCall(id, mover, latest);
                refuse(players[other], foreign, reason(IFogmate.InvalidProof.selector), "the other's king");
                uint256 before = vm.snapshotState();
                act(players[other], captureCall(id, other, latest));
                ITagGame.Game memory g = tag.game(id);
                assertTrue(g.outcome == IContest.Outcome.Won && g.winner == players[other], "captured");
                assertEq(tag.withdrawable(players[other]), 2 * uint256(STAKE), "both stakes");
                vm.revertToState(before);
                if (replied == 0) act(players[other], replyCall(id));
            }
        }
        assertTrue(tag.game(id).phase == ITagGame.Phase.Last, "after the last ply too");
    }

    // ---------------------------------------------------------------- proofs

    /// @dev A right proof of something else than what stands on record.
    function test_proofs_are_of_the_kings_on_record() public {
        bytes memory invalid = reason(IFogmate.InvalidProof.selector);
        ITagGame.Terms memory t = terms();
        (t.stake, t.side) = (0, 6);
        ITagGame.Placement memory p = placement(1);
        for (uint256 i = 0; i < 3; ++i) {
            bytes memory proof = stepProof(i == 0 ? 1 : 0, i == 0 ? corner(6, 0) : i == 1 ? corner(6, 1) : 6, p);
            refuse(players[0], abi.encodeCall(ITagGame.create, (1, t, p, proof)), invalid, "not at its start");
        }
        act(players[0], createCall(1, t));
        bytes32 id = tag.gameIdOf(players[0], 1, t, 1, 2);
        refuse(players[1], joinAt(id, corner(6, 0)), invalid, "the creator's corner");
        act(players[1], joinCall(id));
        refuse(players[0], stepFrom(id, 0, 52), invalid, "placed again");
        refuse(players[0], stepFrom(id, 51, 52), invalid, "the other's king");
        refuse(players[0], stepFrom(id, 1, 2), invalid, "a reply to the own set");
        act(players[0], stepFrom(id, 1, 52));
        refuse(players[1], replyFrom(id, 51, 2), invalid, "a reply to the set before");
        refuse(players[1], replyFrom(id, saltOf(0), saltOf(0) + 1), invalid, "of the other's king");
        act(players[1], replyFrom(id, 51, saltOf(0) + 1));
    }

    /// @dev Games are opened, joined and played on each grid by what is proven for it, and by nothing that is proven for another one.
    function test_every_grid_has_proofs_of_its_own() public {
        bytes memory invalid = reason(IFogmate.InvalidProof.selector);
        ITagGame.Terms memory t = terms();
        t.stake = 0;
        for (t.side = 5; t.side <= 8; ++t.side) {
            bytes32 id = tag.gameIdOf(players[0], 1, t, 1, 2);
            for (uint256 other = 5; other <= 8; ++other) {
                if (other != t.side) refuse(players[0], createAt(1, t, corner(other, 0)), invalid, "placed elsewhere");
            }
            act(players[0], createCall(1, t));
            for (uint256 other = 5; other <= 8; ++other) {
                if (other != t.side) refuse(players[1], joinAt(id, corner(other, 1)), invalid, "joined elsewhere");
            }
            act(players[1], joinAt(id, corner(t.side, 1)));
            for (uint256 other = 5; other <= 8; ++other) {
                if (other != t.side) refuse(players[0], stepOn(other, id, 1, 52), invalid, "stepped elsewhere");
            }
            act(players[0], stepCall(id));
            assertEq(uint256(tag.game(id).side), t.side, "its grid");
        }
    }

    // ---------------------------------------------------------------- time

    /// @dev In every phase the last second counts, and one later everything but the claim is refused, whoever tries.
    function test_after_the_deadline_only_the_claim_is_left() public {
        for (uint256 actions = 1; actions < 4; ++actions) {
            bytes32 id = played(actions);
            uint256 ply = (actions - 1) / 2;
            uint256 other = 1 - ply % 2;
            // After one action and after three a reply is due, after two a step; of who may capture each time.
            bytes memory due = actions == 2 ? stepCall(id) : replyCall(id);
            bytes[3] memory calls =
                [due, captureCall(id, other, stepAnswer(ply)), abi.encodeCall(IContest.resign, (id))];
            bytes memory claim = abi.encodeCall(IContest.claimTimeout, (id));
            uint256 deadline = time() + TURN;
            vm.warp(deadline);
            refuse(stranger, claim, abi.encodeWithSelector(IContest.StillInTime.selector, deadline), "in time");
            for (uint256 i = 0; i < 3; ++i) {
                uint256 state = vm.snapshotState();
                act(players[other], calls[i]);
                vm.revertToState(state);
            }
            vm.warp(deadline + 1);
            for (uint256 i = 0; i < 3; ++i) {
                refuse(players[other], calls[i], reason(IContest.OutOfTime.selector), "late");
            }
            act(stranger, claim);
            ITagGame.Game memory g = tag.game(id);
            assertTrue(g.outcome == IContest.Outcome.TimedOut, "timed out");
            assertEq(g.winner, players[1 - other], "who withheld nothing");
            refuse(stranger, claim, abi.encodeWithSelector(IContest.WrongStatus.selector, 3), "twice");
            refuse(players[other], calls[1], abi.encodeWithSelector(IContest.WrongStatus.selector, 3), "over");
            refuse(players[other], calls[2], abi.encodeWithSelector(IContest.WrongStatus.selector, 3), "over");
            setUp();
        }
    }

    /// @dev Who would be to move after the last ply has the last word; if it says nothing the game is drawn.
    function test_after_the_last_ply_silence_draws() public {
        bytes32 id = joined(1);
        act(players[0], stepCall(id));
        act(players[1], replyCall(id));
        bytes memory settle = abi.encodeCall(ITagGame.settle, (id));
        vm.warp(time() + TURN + 1);
        refuse(players[1], settle, reason(IContest.OutOfTime.selector), "late");
        act(stranger, abi.encodeCall(IContest.claimTimeout, (id)));
        assertTrue(tag.game(id).outcome == IContest.Outcome.Drawn, "drawn");
        assertEq(tag.withdrawable(players[0]) + tag.withdrawable(players[1]), 2 * uint256(STAKE), "a stake each");
    }

    // ---------------------------------------------------------------- money

    function test_resigning_and_money() public {
        bytes32 id = joined(9);
        bytes memory resign = abi.encodeCall(IContest.resign, (id));
        refuse(stranger, resign, reason(IContest.NotPlayer.selector), "a stranger");
        act(players[0], resign);
        assertEq(tag.game(id).winner, players[1], "the other");
        bytes memory withdraw = abi.encodeCall(IContest.withdraw, (payable(stranger)));
        refuse(players[0], withdraw, reason(IContest.NothingOwed.selector), "nothing");
        bytes memory toNobody = abi.encodeCall(IContest.withdraw, (payable(address(0))));
        refuse(players[1], toNobody, reason(IContest.TransferFailed.selector), "nobody");
        bytes memory toItself = abi.encodeCall(IContest.withdraw, (payable(address(tag))));
        refuse(players[1], toItself, reason(IContest.TransferFailed.selector), "takes no money");
        uint256 balance = stranger.balance;
        act(players[1], withdraw);
        assertEq(stranger.balance - balance, 2 * uint256(STAKE), "both stakes");
        assertEq(tag.withdrawable(players[1]), 0, "once");
        refuse(players[1], withdraw, reason(IContest.NothingOwed.selector), "twice");
    }
}
