// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IDiceGame} from "./interfaces/IDiceGame.sol";
import {Dice} from "./libraries/Dice.sol";
import {SnakesAndLadders} from "./libraries/SnakesAndLadders.sol";

/// @title Snakes and Ladders with dice that neither player throws alone
/// @notice See `IDiceGame`. No owner, no upgrade, no pause. Money leaves the contract only in `withdraw`, only what belongs to the
/// sender, and only when it asks.
contract DiceGame is IDiceGame {
    /// @dev What changes with every roll, one word.
    struct Progress {
        Status status;
        Outcome outcome;
        /// Where the creator stands.
        uint8 creatorSquare;
        /// Where the joiner stands.
        uint8 joinerSquare;
        /// Whether the creator won; means nothing before a game with two players has ended.
        bool creatorWon;
        uint64 rolls;
        /// When the time for the next roll began.
        uint40 since;
        /// The time for each roll.
        uint24 turn;
    }

    /// @dev The public state of one game. A roll reads five of its words and writes four.
    struct Table {
        Progress progress;
        address creator;
        uint96 stake;
        /// In an open game who may join, zero for anyone.
        address joiner;
        uint40 expiry;
        /// What the next message has to name.
        bytes32 head;
        /// The creator's promise for its next roll, and the joiner's.
        bytes32[2] promised;
        /// The number given in clear for the next roll.
        uint256 number;
    }

    /// @dev Places in `promised`.
    uint256 private constant CREATOR = 0;
    uint256 private constant JOINER = 1;
    /// @dev The longest time for a roll, and to join.
    uint256 private constant LIMIT = 30 days;
    /// @dev The shortest time for a roll in a game for a stake: a player whose transaction waits for some blocks has not lost.
    uint256 private constant LEAST = 5 minutes;

    mapping(bytes32 gameId => Table) private _tables;
    mapping(address player => uint256 amount) private _owed;

    /// @inheritdoc IDiceGame
    function create(uint256 nonce, Terms calldata terms, bytes32 promised) external payable returns (bytes32 gameId) {
        if (msg.value != terms.stake) revert WrongStake(terms.stake);
        if (terms.opponent == msg.sender) revert SelfPlay();
        if (terms.stake != 0 && terms.opponent == address(0)) revert NoOpponent();
        if (terms.turn < (terms.stake == 0 ? 1 : LEAST) || terms.turn > LIMIT) revert BadTerms();
        if (terms.expiry < block.timestamp || terms.expiry > block.timestamp + LIMIT) revert BadTerms();

        gameId = gameIdOf(msg.sender, nonce, terms, promised);
        Table storage table = _tables[gameId];
        if (table.progress.status != Status.None) revert GameExists();
        table.progress.status = Status.Open;
        table.progress.turn = terms.turn;
        (table.creator, table.stake) = (msg.sender, terms.stake);
        (table.joiner, table.expiry) = (terms.opponent, terms.expiry);
        table.head = gameId;
        table.promised[CREATOR] = promised;
        emit GameCreated(gameId, msg.sender, terms.opponent, nonce, terms, promised);
    }

    /// @inheritdoc IDiceGame
    function cancel(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expect(table, Status.Open);
        if (block.timestamp <= table.expiry) revert StillInTime(table.expiry);
        table.joiner = address(0);
        (progress.status, progress.outcome) = (Status.Over, Outcome.Cancelled);
        table.progress = progress;
        _credit(table.creator, table.stake);
        emit GameEnded(gameId, address(0), Outcome.Cancelled);
    }

    /// @inheritdoc IDiceGame
    function join(bytes32 gameId, uint256 number, bytes32 promised) external payable {
        Table storage table = _tables[gameId];
        Progress memory progress = _expect(table, Status.Open);
        address invited = table.joiner;
        if (block.timestamp > table.expiry) revert Expired();
        if (msg.sender == table.creator) revert SelfPlay();
        if (invited != address(0) && msg.sender != invited) revert NotInvited();
        if (msg.value != table.stake) revert WrongStake(table.stake);

        bytes32 head = keccak256(abi.encode(gameId, msg.sender, number, promised));
        table.joiner = msg.sender;
        table.head = head;
        table.promised[JOINER] = promised;
        table.number = number;
        (progress.status, progress.since) = (Status.Playing, uint40(block.timestamp));
        table.progress = progress;
        emit GameJoined(gameId, msg.sender, head, number, promised);
    }

    /// @inheritdoc IDiceGame
    function roll(bytes32 gameId, bytes32 head, uint256 revealed, uint256 number, bytes32 promised) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expectInPlay(table);
        bool byCreator = progress.rolls % 2 == 0;
        if (msg.sender != (byCreator ? table.creator : table.joiner)) revert NotYourTurn();
        if (head != table.head) revert WrongHead(table.head);
        uint256 role = byCreator ? CREATOR : JOINER;
        progress.rolls += 1;
        if (Dice.promiseOf(msg.sender, progress.rolls, revealed) != table.promised[role]) revert WrongReveal();

        uint256 seed;
        unchecked {
            seed = revealed + table.number;
        }
        uint8 die = Dice.dieOf(seed, gameId, progress.rolls);
        uint8 square = SnakesAndLadders.afterRoll(byCreator ? progress.creatorSquare : progress.joinerSquare, die);
        if (byCreator) progress.creatorSquare = square;
        else progress.joinerSquare = square;
        progress.since = uint40(block.timestamp);
        head = keccak256(abi.encode(head, revealed, number, promised));
        table.head = head;
        table.promised[role] = promised;
        table.number = number;
        emit Rolled(gameId, msg.sender, progress.rolls, head, revealed, number, promised, die, square);
        if (square == SnakesAndLadders.GOAL) _end(gameId, table, progress, byCreator, Outcome.Finished);
        else table.progress = progress;
    }

    /// @inheritdoc IDiceGame
    function resign(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expectInPlay(table);
        bool byCreator = msg.sender == table.creator;
        if (!byCreator && msg.sender != table.joiner) revert NotPlayer();
        _end(gameId, table, progress, !byCreator, Outcome.Resigned);
    }

    /// @inheritdoc IDiceGame
    function claimTimeout(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expect(table, Status.Playing);
        uint256 deadline = _deadline(progress);
        if (block.timestamp <= deadline) revert StillInTime(deadline);
        bool creatorIsLate = progress.rolls % 2 == 0;
        _end(gameId, table, progress, !creatorIsLate, Outcome.TimedOut);
    }

    /// @inheritdoc IDiceGame
    function withdraw(address payable to) external {
        uint256 amount = _owed[msg.sender];
        if (amount == 0) revert NothingOwed();
        _owed[msg.sender] = 0;
        emit Withdrawn(msg.sender, to, amount);
        (bool paid,) = to.call{value: amount}("");
        if (!paid || to == address(0)) revert TransferFailed();
    }

    /// @inheritdoc IDiceGame
    function game(bytes32 gameId) external view returns (Game memory g) {
        Table storage table = _tables[gameId];
        Progress memory progress = table.progress;
        (g.status, g.outcome) = (progress.status, progress.outcome);
        (g.creator, g.joiner) = (table.creator, table.joiner);
        (g.stake, g.turn, g.expiry) = (table.stake, progress.turn, table.expiry);
        (g.since, g.rolls) = (progress.since, progress.rolls);
        (g.creatorSquare, g.joinerSquare) = (progress.creatorSquare, progress.joinerSquare);
        (g.head, g.number) = (table.head, table.number);
        (g.creatorPromise, g.joinerPromise) = (table.promised[CREATOR], table.promised[JOINER]);
        if (progress.status == Status.Over && progress.outcome != Outcome.Cancelled) {
            g.winner = progress.creatorWon ? table.creator : table.joiner;
        }
    }

    /// @inheritdoc IDiceGame
    function withdrawable(address player) external view returns (uint256) {
        return _owed[player];
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
    function dieOf(uint256 seed, bytes32 gameId, uint64 ofRoll) external pure returns (uint8) {
        return Dice.dieOf(seed, gameId, ofRoll);
    }

    /// @dev The game's progress, if its status is `expected`.
    function _expect(Table storage table, Status expected) private view returns (Progress memory progress) {
        progress = table.progress;
        if (progress.status != expected) revert WrongStatus(progress.status);
    }

    /// @dev The progress of a game in play that no deadline has decided: time decides, not who calls first.
    function _expectInPlay(Table storage table) private view returns (Progress memory progress) {
        progress = _expect(table, Status.Playing);
        if (block.timestamp > _deadline(progress)) revert OutOfTime();
    }

    /// @dev The last second for the next roll.
    function _deadline(Progress memory progress) private pure returns (uint256) {
        return uint256(progress.since) + progress.turn;
    }

    /// @dev Ends a game of two players, and puts both stakes aside for the winner.
    function _end(bytes32 gameId, Table storage table, Progress memory progress, bool creatorWins, Outcome outcome)
        private
    {
        (progress.status, progress.outcome, progress.creatorWon) = (Status.Over, outcome, creatorWins);
        table.progress = progress;
        address winner = creatorWins ? table.creator : table.joiner;
        _credit(winner, 2 * uint256(table.stake));
        emit GameEnded(gameId, winner, outcome);
    }

    /// @dev Puts `amount` wei aside for `player`.
    function _credit(address player, uint256 amount) private {
        if (amount != 0) _owed[player] += amount;
    }
}
