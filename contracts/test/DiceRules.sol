// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IContest, IDiceGame} from "../src/interfaces/Contests.sol";

/// @dev The rules of docs/src/dice.md written down a second time, with nothing of the contract's code: what each action must do, or why it must be
/// refused. Everything is kept unpacked, the generator is written byte by byte, the board is a table.
contract DiceRules {
    struct State {
        bool exists;
        bool over;
        address[2] players;
        bool joined;
        uint256 stake;
        uint256 turn;
        uint256 expiry;
        uint256 rolls;
        uint256 lastTime;
        bytes32 head;
        bytes32[2] promised;
        uint256 number;
        uint256[2] squares;
        address winner;
    }

    mapping(bytes32 id => State) private _games;
    mapping(address player => uint256) public owed;
    uint256 public stakes;
    uint8[101] private _leadsTo;

    constructor() {
        for (uint8 i = 0; i <= 100; ++i) {
            _leadsTo[i] = i;
        }
        // From where, to where.
        bytes memory jumps = "001-038 004-014 009-031 016-006 021-042 028-084 036-044 047-026 049-011 051-067 "
            "056-053 062-019 064-060 071-091 080-100 087-024 093-073 095-075 098-078 ";
        for (uint256 i = 0; i < jumps.length; i += 8) {
            _leadsTo[_decimal(jumps, i)] = uint8(_decimal(jumps, i + 4));
        }
    }

    function _decimal(bytes memory text, uint256 start) private pure returns (uint256 value) {
        for (uint256 i = start; i < start + 3; ++i) {
            value = 10 * value + uint8(text[i]) - 48;
        }
    }

    function get(bytes32 id) external view returns (State memory) {
        return _games[id];
    }

    // Each action gives the selector of the error that it must have, or zero.

    function create(bytes32 id, address sender, IDiceGame.Terms calldata t, bytes32 promised, uint256 value)
        external
        returns (bytes4)
    {
        if (value != t.stake) return IContest.WrongStake.selector;
        if (sender == t.opponent) return IContest.SelfPlay.selector;
        if (t.turn < (t.stake > 0 ? 300 : 1) || t.turn > 2_592_000) return IContest.BadTerms.selector;
        if (t.expiry < block.timestamp || t.expiry - block.timestamp > 2_592_000) return IContest.BadTerms.selector;
        if (t.stake > 0 && t.opponent == address(0)) return IDiceGame.NoOpponent.selector;
        State storage s = _games[id];
        if (s.exists) return IContest.GameExists.selector;
        s.exists = true;
        s.players = [sender, t.opponent];
        (s.stake, s.turn, s.expiry) = (t.stake, t.turn, t.expiry);
        s.head = id;
        s.promised[0] = promised;
        stakes += value;
        return 0;
    }

    function cancel(bytes32 id) external returns (bytes4) {
        State storage s = _games[id];
        if (!s.exists || s.joined || s.over) return IContest.WrongStatus.selector;
        if (block.timestamp < s.expiry + 1) return IContest.StillInTime.selector;
        s.over = true;
        s.players[1] = address(0);
        owed[s.players[0]] += s.stake;
        stakes -= s.stake;
        return 0;
    }

    function join(bytes32 id, address sender, uint256 number, bytes32 promised, uint256 value)
        external
        returns (bytes4)
    {
        State storage s = _games[id];
        if (!s.exists || s.joined || s.over) return IContest.WrongStatus.selector;
        if (block.timestamp >= s.expiry + 1) return IContest.Expired.selector;
        if (sender == s.players[0]) return IContest.SelfPlay.selector;
        if (s.players[1] != address(0) && s.players[1] != sender) return IContest.NotInvited.selector;
        if (value != s.stake) return IContest.WrongStake.selector;
        s.joined = true;
        s.players[1] = sender;
        s.promised[1] = promised;
        s.number = number;
        s.head = keccak256(abi.encodePacked(id, uint256(uint160(sender)), number, promised));
        s.lastTime = block.timestamp;
        stakes += value;
        return 0;
    }

    function roll(
        bytes32 id,
        address sender,
        bytes32 head,
        uint256 revealed,
        uint256 number,
        bytes32 promised,
        uint256 chosen
    ) external returns (bytes4) {
        State storage s = _games[id];
        if (!s.joined || s.over) return IContest.WrongStatus.selector;
        if (_isLate(s)) return IContest.OutOfTime.selector;
        uint256 mover = s.rolls % 2;
        if (sender != s.players[mover]) return IContest.NotYourTurn.selector;
        if (head != s.head) return IDiceGame.WrongHead.selector;
        uint256 index = s.rolls + 1;
        bytes32 tag = keccak256(abi.encodePacked(keccak256("fogmate/dice/2"), index));
        bytes32 needed = keccak256(abi.encodePacked(tag, uint256(uint160(sender)), revealed));
        if (needed != s.promised[mover]) return IDiceGame.WrongReveal.selector;
        if (!_shows(diceOf(addmod256(revealed, s.number), id, index), chosen)) return IDiceGame.NoSuchDie.selector;
        uint256 reached = s.squares[mover] + chosen;
        if (reached <= 100) s.squares[mover] = _leadsTo[reached];
        s.head = keccak256(abi.encodePacked(head, revealed, number, promised, chosen));
        s.promised[mover] = promised;
        s.number = number;
        s.rolls = index;
        s.lastTime = block.timestamp;
        if (s.squares[mover] == 100) _win(s, mover);
        return 0;
    }

    function resign(bytes32 id, address sender) external returns (bytes4) {
        State storage s = _games[id];
        if (!s.joined || s.over) return IContest.WrongStatus.selector;
        if (_isLate(s)) return IContest.OutOfTime.selector;
        if (sender != s.players[0] && sender != s.players[1]) return IContest.NotPlayer.selector;
        _win(s, sender == s.players[0] ? 1 : 0);
        return 0;
    }

    function claimTimeout(bytes32 id) external returns (bytes4) {
        State storage s = _games[id];
        if (!s.joined || s.over) return IContest.WrongStatus.selector;
        if (!_isLate(s)) return IContest.StillInTime.selector;
        _win(s, (s.rolls + 1) % 2);
        return 0;
    }

    function withdraw(address sender, address to) external returns (bytes4) {
        if (owed[sender] == 0) return IContest.NothingOwed.selector;
        if (to == address(0)) return IContest.TransferFailed.selector;
        owed[sender] = 0;
        return 0;
    }

    function _shows(uint256[2] memory dice, uint256 chosen) private pure returns (bool) {
        return dice[0] == chosen || dice[1] == chosen;
    }

    function _isLate(State storage s) private view returns (bool) {
        return block.timestamp - s.lastTime > s.turn;
    }

    function _win(State storage s, uint256 role) private {
        s.over = true;
        s.winner = s.players[role];
        owed[s.winner] += 2 * s.stake;
        stakes -= 2 * s.stake;
    }

    /// @dev The sum modulo 2^256.
    function addmod256(uint256 a, uint256 b) public pure returns (uint256) {
        unchecked {
            return a + b;
        }
    }

    /// @dev SP 800-90A's HMAC_DRBG, step by step: instantiate, then requests of two bytes each.
    function diceOf(uint256 seed, bytes32 id, uint256 index) public pure returns (uint256[2] memory dice) {
        bytes memory material =
            bytes.concat(bytes32(seed), id, bytes32(index), bytes("fogmate/dice/hmac-drbg-sha256/2"));
        bytes32 key = 0;
        bytes32 v = bytes32(type(uint256).max / 255);
        for (uint8 separator = 0; separator < 2; ++separator) {
            key = _hmac(key, bytes.concat(v, bytes1(separator), material));
            v = _hmac(key, bytes.concat(v));
        }
        uint256 found = 0;
        while (true) {
            v = _hmac(key, bytes.concat(v));
            bytes2 drawn = bytes2(v);
            key = _hmac(key, bytes.concat(v, bytes1(0)));
            v = _hmac(key, bytes.concat(v));
            for (uint256 i = 0; i < 2; ++i) {
                if (uint8(drawn[i]) / 6 >= 42) continue;
                dice[found] = 1 + uint8(drawn[i]) % 6;
                if (++found == 2) return dice;
            }
        }
    }

    function _hmac(bytes32 key, bytes memory message) private pure returns (bytes32) {
        bytes memory inner = new bytes(64);
        bytes memory outer = new bytes(64);
        for (uint256 i = 0; i < 64; ++i) {
            bytes1 k = i < 32 ? key[i] : bytes1(0);
            inner[i] = k ^ 0x36;
            outer[i] = k ^ 0x5c;
        }
        return sha256(bytes.concat(outer, sha256(bytes.concat(inner, message))));
    }
}
