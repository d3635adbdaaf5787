// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {AcceptAllVerifier} from "./AcceptAllVerifier.sol";
import {ChannelKit} from "./ChannelTest.sol";

/// @dev What each action costs as a transaction of its own, with its calldata, and verifiers that accept at once. A real
/// proof costs what verifying it costs, and, where it is longer, more calldata.
contract GasTest is ChannelKit {
    address private _all;

    function setUp() public override {
        super.setUp();
        _all = address(new AcceptAllVerifier());
        fogmate = IFogmate(create("Fogmate", abi.encode(verifiersOf(_all, _all), prices())));
        _mode = IFogmate.Mode.Verified;
    }

    function report(string memory what) private returns (uint256 used) {
        used = vm.lastCallGas().gasTotalUsed;
        string[4] memory modes = ["V ", "", "U ", "C "];
        emit log_named_uint(string.concat(modes[uint256(_mode)], what), used);
    }

    /// @dev The first plies cost what all plies cost, see `PRIMED`.
    function plies(uint256 most) private {
        bytes32 id = started();
        for (uint256 i = 0; i < 8; ++i) {
            IFogmate.Move memory m = next(id, i == 5 ? 20 : 64);
            bytes memory proof = _mode == IFogmate.Mode.Unproven ? bytes("") : proofOf(i);
            vm.prank(toMove(id));
            fogmate.move(id, m, proof);
            uint256 used = report(string.concat("move, ply ", vm.toString(i)));
            _history[id].push(Ply(m.nextCommitment, m.nextRequestRoot, m.answerRoot, m.capture, keccak256(proof)));
            assertTrue(used < most, "gas");
        }
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_ply_verified() public {
        plies(95_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_a_ply_unproven() public {
        _mode = IFogmate.Mode.Unproven;
        plies(80_000);
    }

    /// forge-config: default.isolate = true
    function test_gas_of_the_lobby() public {
        for (uint256 i = 0; i < 3; ++i) {
            _mode = i < 2 ? modeOf(i) : IFogmate.Mode.Channel;
            bytes32 id = open();
            report("create");
            uint256 r2 = share(id, true);
            vm.prank(joiner);
            fogmate.join{value: terms().stake}(id, commitment(r2, joiner), joinerKey());
            report("join");
            vm.prank(creator);
            fogmate.revealCreator(id, R1, commitment(r2, joiner));
            report("revealCreator");
            vm.prank(joiner);
            fogmate.revealJoiner(id, r2);
            report("revealJoiner");
            if (_mode == IFogmate.Mode.Channel) {
                close(id, 1, IFogmate.Outcome.Resigned);
                report("close");
            } else {
                vm.prank(creator);
                fogmate.resign(id);
                report("resign");
            }
            vm.prank(creator);
            fogmate.publishViewKey(id, "key");
            report("publishViewKey");
            if (_mode != IFogmate.Mode.Unproven) {
                vm.prank(joiner);
                fogmate.withdraw(payable(joiner));
                report("withdraw");
            }
            bytes32 other = open();
            vm.prank(creator);
            fogmate.cancel(other);
            report("cancel");
        }
    }

    /// forge-config: default.isolate = true
    function test_gas_of_disputes() public {
        bytes32 id = played(3);
        move(id, nextWithoutAnswer(id));
        IFogmate.Exchange memory e = preExchange(id);
        vm.prank(joiner);
        fogmate.fillAnswer(id, e.ctx, 7);
        report("fillAnswer");
        _history[id][3].answerRoot = 7;
        for (uint256 k = 0; k < 4; ++k) {
            string memory when = k < 2 ? ", first in its slot" : ", later";
            demandPre(id);
            report(string.concat("demandSight, pre", when));
            e = preExchange(id);
            vm.prank(notToMove(id));
            fogmate.answerSight(id, e, e.postedRoot, elements(1), wideProof());
            report(string.concat("answerSight, pre", when));
            play(id);
            demandPost(id, k & 1);
            report(string.concat("demandSight, post", when));
            e = postExchange(id, 4 + k);
            vm.prank(toMove(id));
            fogmate.answerSight(id, e, 7, elements(1), wideProof());
            report(string.concat("answerSight, post", when));
        }
        uint256 bond = fogmate.leastBond(true);
        skipHundred(id);
        vm.prank(toMove(id));
        fogmate.claimFifty{value: bond}(id, proofOf(1));
        report("claimFifty");
        vm.prank(notToMove(id));
        fogmate.respondFifty(id, false, proofOf(2));
        report("respondFifty");
        play(id, 2);
        demandPost(id, 1);
        vm.prank(toMove(id));
        fogmate.claimNoMove(id, proofOf(1));
        report("claimNoMove");
        vm.warp(time() + WINDOW + 1);
        fogmate.reclaim(id, IFogmate.Slot.BlackPost);
        report("reclaim");
    }

    /// forge-config: default.isolate = true
    function test_gas_of_ends() public {
        bytes32 id = played(4);
        move(id, nextKing(id));
        id = played(4);
        IFogmate.Move memory m = next(id);
        m.offerDraw = true;
        move(id, m);
        vm.prank(joiner);
        fogmate.acceptDraw(id, 5, m.nextCommitment);
        report("acceptDraw");
        id = played(4);
        vm.warp(time() + 1 days);
        fogmate.claimTimeout(id);
        report("claimTimeout");
    }

    /// @dev What a game costs that its players play between their machines, and what it costs when they don't agree.
    /// forge-config: default.isolate = true
    function test_gas_of_a_channel() public {
        _mode = IFogmate.Mode.Channel;
        bytes32 id = started();
        IFogmate.Position memory p = position(id, 0);
        IFogmate.Signature[2] memory signatures;
        vm.prank(creator);
        fogmate.wake(id, p, signatures);
        assertTrue(report("wake, at the start") < 200_000, "at the start");
        id = started();
        p = position(id, 40);
        signatures = both(digestOf(id, p));
        delete signatures[0];
        vm.prank(creator);
        fogmate.wake(id, p, signatures);
        assertTrue(report("wake") < 210_000, "a position");
        p = position(id, 57);
        signatures = both(digestOf(id, p));
        delete signatures[1];
        vm.prank(joiner);
        fogmate.wake(id, p, signatures);
        assertTrue(report("wake, in the contest") < 90_000, "a later one");
        p = position(id, 58);
        signatures = both(digestOf(id, p));
        vm.prank(stranger);
        fogmate.wake(id, p, signatures);
        assertTrue(report("wake, in the contest by a stranger") < 95_000, "by a tower");
        vm.warp(time() + WINDOW + 1);
        move(id, next(id));
        report("move, first after a wake");
        move(id, next(id));
        report("move");
        close(id, 2, IFogmate.Outcome.DrawAgreed);
        assertTrue(report("close, drawn") < 95_000, "a draw");
    }
}
