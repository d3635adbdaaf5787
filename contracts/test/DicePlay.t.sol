// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IContest, IDiceGame} from "../src/interfaces/Contests.sol";
import {DiceRules} from "./DiceRules.sol";
import {DiceTest} from "./DiceTest.sol";

/// @dev The contract against the rules written down a second time, step by step, whoever does whatever: long walks of actions, most of them honest,
/// the others with a field mangled, by the wrong sender, or too late. After each both must agree on the refusal, the state and the money.
contract DicePlayTest is DiceTest {
    /// @dev What a walk counts, by action: how often it was allowed, and refused.
    string[8] private _names = ["create", "cancel", "join", "roll", "resign", "claimTimeout", "withdraw", "finished"];
    uint256[8] private _allowed;
    uint256[8] private _refused;

    DiceRules private _rules;
    bytes32[] private _ids;
    uint256 private _state;

    function setUp() public override {
        super.setUp();
        _rules = new DiceRules();
    }

    function draw(uint256 below) private returns (uint256) {
        _state = uint256(keccak256(abi.encode(_state)));
        return _state % below;
    }

    function anybody() private returns (address) {
        return [creator, joiner, stranger][draw(3)];
    }

    /// @dev A number, changed in one bit once in forty times.
    function mangled(uint256 value) private returns (uint256) {
        return draw(40) == 0 ? value ^ (uint256(1) << draw(256)) : value;
    }

    /// forge-config: default.fuzz.runs = 24
    function testFuzz_walk(uint256 seed) public {
        _walk(seed, 120);
    }

    /// @dev The walks do reach everything: every action is allowed and refused at some time, and games are finished.
    function test_long_walk() public {
        for (uint256 i = 0; i < 4; ++i) {
            _walk(i, 500);
        }
        for (uint256 i = 0; i < 8; ++i) {
            emit log_named_uint(string.concat(_names[i], " allowed"), _allowed[i]);
            emit log_named_uint(string.concat(_names[i], " refused"), _refused[i]);
            assertTrue(_allowed[i] > 0, string.concat("never allowed: ", _names[i]));
            assertTrue(i == 7 || _refused[i] > 0, string.concat("never refused: ", _names[i]));
        }
    }

    function _walk(uint256 seed, uint256 steps) private {
        _state = seed;
        for (uint256 i = 0; i < steps; ++i) {
            uint256 kind = draw(200);
            if (_ids.length == 0 || kind == 0 || (kind < 50 && _rules.get(_ids[_ids.length - 1]).over)) _create();
            else if (kind < 4) _play(IContest.cancel.selector);
            else if (kind < 30) _join();
            else if (kind < 33) _play(IContest.resign.selector);
            else if (kind < 38) _play(IContest.claimTimeout.selector);
            else if (kind < 44) _withdraw();
            else _roll();
            if (draw(60) == 0) vm.warp(time() + draw(2 * TURN));
            if (draw(400) == 0) vm.warp(time() + 1 days);
            _checkMoney();
        }
    }

    /// @dev The latest games are played most.
    function pick() private returns (bytes32) {
        uint256 back = draw(4) == 0 ? draw(_ids.length) : 0;
        return _ids[_ids.length - 1 - back];
    }

    function _create() private {
        address sender = anybody();
        IDiceGame.Terms memory t = terms();
        t.stake = uint96(draw(3) * 1e15);
        t.opponent = draw(6) == 0 ? anybody() : sender == creator ? joiner : creator;
        if (draw(8) == 0 || t.stake == 0) t.opponent = address(0);
        if (draw(8) == 0) t.turn = [0, 299, 2_592_001][draw(3)];
        if (draw(8) == 0) t.expiry = uint40(draw(2) == 0 ? time() - 1 : time() + 2_592_001);
        uint256 value = draw(8) == 0 ? t.stake + 1 : t.stake;
        uint256 nonce = draw(8) == 0 ? 1 : draw(type(uint256).max);
        bytes32 promise_ = dice.promiseOf(sender, 1, secret(1));
        bytes32 id = dice.gameIdOf(sender, nonce, t, promise_);
        bytes4 expected = _rules.create(id, sender, t, promise_, value);
        if (_do(0, sender, value, abi.encodeCall(IDiceGame.create, (nonce, t, promise_)), expected)) _ids.push(id);
        _compare(id);
    }

    function _join() private {
        bytes32 id = pick();
        address sender = anybody();
        uint256 value = draw(8) == 0 ? 1 : _rules.get(id).stake;
        bytes32 promise_ = bytes32(mangled(uint256(dice.promiseOf(sender, 2, secret(2)))));
        bytes4 expected = _rules.join(id, sender, given(1), promise_, value);
        _do(2, sender, value, abi.encodeCall(IDiceGame.join, (id, given(1), promise_)), expected);
        _compare(id);
    }

    function _roll() private {
        bytes32 id = pick();
        DiceRules.State memory s = _rules.get(id);
        address sender = draw(12) == 0 ? anybody() : s.players[s.rolls % 2];
        uint256 roll = draw(20) == 0 ? draw(s.rolls + 4) : s.rolls + 1;
        bytes32 head = bytes32(mangled(uint256(s.head)));
        (uint256 revealed, uint256 number) = (mangled(secret(roll)), mangled(given(roll + 1)));
        bytes32 next = dice.promiseOf(sender, uint64(roll + 2), secret(roll + 2));
        if (draw(10) == 0) next = bytes32(mangled(uint256(next)));
        uint8 chosen = uint8(_rules.diceOf(_rules.addmod256(revealed, s.number), id, s.rolls + 1)[draw(2)]);
        if (draw(20) == 0) chosen = uint8(draw(256));
        bytes4 expected = _rules.roll(id, sender, head, revealed, number, next, chosen);
        _do(3, sender, 0, abi.encodeCall(IDiceGame.roll, (id, head, revealed, number, next, chosen)), expected);
        if (s.winner == address(0) && _rules.get(id).winner != address(0)) ++_allowed[7];
        _compare(id);
    }

    /// @dev The actions that have no argument but the game.
    function _play(bytes4 action) private {
        bytes32 id = pick();
        address sender = anybody();
        (uint256 index, bytes4 expected) = (0, bytes4(0));
        if (action == IContest.cancel.selector) (index, expected) = (1, _rules.cancel(id));
        else if (action == IContest.resign.selector) (index, expected) = (4, _rules.resign(id, sender));
        else (index, expected) = (5, _rules.claimTimeout(id));
        _do(index, sender, 0, abi.encodeWithSelector(action, id), expected);
        _compare(id);
    }

    function _withdraw() private {
        address sender = anybody();
        address to = draw(4) == 0 ? address(0) : sender;
        uint256 before = sender.balance + _rules.owed(sender);
        bytes4 expected = _rules.withdraw(sender, to);
        _do(6, sender, 0, abi.encodeCall(IContest.withdraw, (payable(to))), expected);
        assertEq(sender.balance + dice.withdrawable(sender), before, "paid");
    }

    function _do(uint256 index, address sender, uint256 value, bytes memory call, bytes4 expected)
        private
        returns (bool done)
    {
        bytes memory reason;
        vm.prank(sender);
        (done, reason) = address(dice).call{value: value}(call);
        assertTrue(done == (expected == 0), string.concat("allowed or not: ", _names[index]));
        if (!done) assertEq(bytes32(bytes4(reason)), bytes32(expected), _names[index]);
        ++(done ? _allowed : _refused)[index];
    }

    function _compare(bytes32 id) private view {
        DiceRules.State memory s = _rules.get(id);
        IDiceGame.Game memory g = dice.game(id);
        assertTrue((g.status != IContest.Status.None) == s.exists, "exists");
        assertTrue((g.status == IContest.Status.Over) == s.over, "over");
        assertTrue((g.status == IContest.Status.Playing) == (s.joined && !s.over), "in play");
        assertEq(g.winner, s.winner, "winner");
        assertEq(g.creator, s.players[0], "creator");
        assertEq(g.joiner, s.players[1], "joiner");
        assertEq(g.rolls, s.rolls, "rolls");
        assertEq(g.creatorSquare, s.squares[0], "creator's square");
        assertEq(g.joinerSquare, s.squares[1], "joiner's square");
        assertEq(g.head, s.head, "head");
        assertEq(g.creatorPromise, s.promised[0], "creator's promise");
        assertEq(g.joinerPromise, s.promised[1], "joiner's promise");
        assertEq(g.number, s.number, "number");
        assertEq(g.since, s.lastTime, "time");
    }

    /// @dev What the contract has is what stands in games and what is owed.
    function _checkMoney() private view {
        uint256 owed = 0;
        address[3] memory all = [creator, joiner, stranger];
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(dice.withdrawable(all[i]), _rules.owed(all[i]), "owed");
            owed += _rules.owed(all[i]);
        }
        assertEq(address(dice).balance, owed + _rules.stakes(), "money");
    }
}
