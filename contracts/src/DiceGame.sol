// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Contest} from "./Contest.sol";
import {IDiceGame} from "./interfaces/Contests.sol";
import {Dice} from "./libraries/Dice.sol";
import {SnakesAndLadders} from "./libraries/SnakesAndLadders.sol";

/// @title Snakes and Ladders with dice that neither player throws alone
/// @notice See `IDiceGame`.
contract DiceGame is Contest, IDiceGame {
    /// @dev What the rolls have led to. A roll writes each of its four words.
    struct Play {
        uint64 rolls;
        /// When the time for the next roll began.
        uint40 since;
        /// Where the creator stands.
        uint8 creatorSquare;
        /// Where the joiner stands.
        uint8 joinerSquare;
        /// What the next message has to name.
        bytes32 head;
        /// The promises of creator and joiner for their next rolls.
        bytes32[2] promised;
        /// The number given in clear for the next roll.
        uint256 number;
    }

    mapping(bytes32 gameId => Play) private _plays;

    /// @inheritdoc IDiceGame
    function create(uint256 nonce, Terms calldata terms, bytes32 promised) external payable returns (bytes32 gameId) {
        _checkTerms(terms.stake, terms.turn, terms.expiry, terms.opponent);
        if (terms.stake != 0 && terms.opponent == address(0)) revert NoOpponent();

        gameId = gameIdOf(msg.sender, nonce, terms, promised);
        _open(gameId, terms.stake, terms.turn, terms.expiry, terms.opponent);
        (_plays[gameId].head, _plays[gameId].promised[CREATOR]) = (gameId, promised);
        emit GameCreated(gameId, msg.sender, terms.opponent, nonce, terms, promised);
    }

    /// @inheritdoc IDiceGame
    function join(bytes32 gameId, uint256 number, bytes32 promised) external payable {
        _join(gameId);
        bytes32 head = keccak256(abi.encode(gameId, msg.sender, number, promised));
        Play storage play = _plays[gameId];
        (play.since, play.head, play.promised[JOINER], play.number) = (uint40(block.timestamp), head, promised, number);
        emit GameJoined(gameId, msg.sender, head, number, promised);
    }

    /// @inheritdoc IDiceGame
    function roll(bytes32 gameId, bytes32 head, uint256 revealed, uint256 number, bytes32 promised, uint8 chosen)
        external
    {
        uint256 role = _due(gameId);
        _expectTurn(gameId, role);
        Play storage play = _plays[gameId];
        if (head != play.head) revert WrongHead(play.head);
        uint64 rolls = play.rolls + 1;
        if (Dice.promiseOf(msg.sender, rolls, revealed) != play.promised[role]) revert WrongReveal();

        uint256 seed;
        unchecked {
            seed = revealed + play.number;
        }
        uint8[2] memory dice = Dice.diceOf(seed, gameId, rolls);
        if (chosen != dice[0] && chosen != dice[1]) revert NoSuchDie(dice);
        uint8 square = SnakesAndLadders.afterDie(role == CREATOR ? play.creatorSquare : play.joinerSquare, chosen);
        if (role == CREATOR) play.creatorSquare = square;
        else play.joinerSquare = square;
        head = keccak256(abi.encode(head, revealed, number, promised, chosen));
        (play.rolls, play.since) = (rolls, uint40(block.timestamp));
        (play.head, play.promised[role], play.number) = (head, promised, number);
        emit Rolled(gameId, msg.sender, rolls, head, revealed, number, promised, dice, chosen, square);
        if (square == SnakesAndLadders.GOAL) _win(gameId, role, Outcome.Won);
    }

    /// @inheritdoc IDiceGame
    function game(bytes32 gameId) external view returns (Game memory g) {
        (Table storage table, Play storage play) = (_tables[gameId], _plays[gameId]);
        (g.status, g.outcome, g.winner) = (table.status, table.outcome, _winner(table));
        (g.creator, g.joiner) = (table.creator, table.joiner);
        (g.stake, g.turn, g.expiry) = (table.stake, table.turn, table.expiry);
        (g.since, g.rolls, g.head, g.number) = (play.since, play.rolls, play.head, play.number);
        (g.creatorSquare, g.joinerSquare) = (play.creatorSquare, play.joinerSquare);
        (g.creatorPromise, g.joinerPromise) = (play.promised[CREATOR], play.promised[JOINER]);
    }

    /// @inheritdoc IDiceGame
    function gameIdOf(address creator, uint256 nonce, Terms calldata terms, bytes32 promised)
        public
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(block.chainid, address(this), creator, nonce, terms, promised));
    }

    /// @inheritdoc IDiceGame
    function promiseOf(address player, uint64 forRoll, uint256 number) external pure returns (bytes32) {
        return Dice.promiseOf(player, forRoll, number);
    }

    /// @inheritdoc IDiceGame
    function diceOf(uint256 seed, bytes32 gameId, uint64 ofRoll) external pure returns (uint8[2] memory) {
        return Dice.diceOf(seed, gameId, ofRoll);
    }

    /// @inheritdoc Contest
    function _since(bytes32 gameId) internal view override returns (uint256) {
        return _plays[gameId].since;
    }

    /// @inheritdoc Contest
    function _due(bytes32 gameId) internal view override returns (uint256 role) {
        return _plays[gameId].rolls % 2;
    }

    /// @inheritdoc Contest
    function _isPlayedOut(bytes32) internal pure override returns (bool) {
        return false;
    }
}
