// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IContest} from "./interfaces/Contests.sol";

/// @title A game for two: its players and stakes, its time and its end
/// @notice See `IContest`. No owner, no upgrade, no pause. Money leaves the contract only in `withdraw`, only what belongs to the sender,
/// and only when it asks.
abstract contract Contest is IContest {
    /// @dev What every game has, in two words, which no move writes.
    struct Table {
        address creator;
        uint96 stake;
        /// In an open game who may join, zero for anyone.
        address joiner;
        uint40 expiry;
        /// The time for each action.
        uint24 turn;
        Status status;
        Outcome outcome;
        /// Whether the creator won, where anybody did.
        bool creatorWon;
    }

    /// @dev The roles: places in a game's pairs.
    uint256 internal constant CREATOR = 0;
    uint256 internal constant JOINER = 1;
    /// @dev The longest time for an action, and to join.
    uint256 private constant LIMIT = 30 days;
    /// @dev The shortest time for an action in a game for a stake: a player whose transaction waits for some blocks has not lost.
    uint256 private constant LEAST = 5 minutes;

    mapping(bytes32 gameId => Table) internal _tables;
    mapping(address player => uint256 amount) private _owed;

    /// @inheritdoc IContest
    function cancel(bytes32 gameId) external {
        Table storage table = _expect(gameId, Status.Open);
        if (block.timestamp <= table.expiry) revert StillInTime(table.expiry);
        table.joiner = address(0);
        (table.status, table.outcome) = (Status.Over, Outcome.Cancelled);
        _credit(table.creator, table.stake);
        emit GameEnded(gameId, address(0), Outcome.Cancelled);
    }

    /// @inheritdoc IContest
    function resign(bytes32 gameId) external {
        Table storage table = _expectInPlay(gameId);
        bool byCreator = msg.sender == table.creator;
        if (!byCreator && msg.sender != table.joiner) revert NotPlayer();
        _win(gameId, byCreator ? JOINER : CREATOR, Outcome.Resigned);
    }

    /// @inheritdoc IContest
    function claimTimeout(bytes32 gameId) external {
        uint256 deadline = _deadline(gameId, _expect(gameId, Status.Playing));
        if (block.timestamp <= deadline) revert StillInTime(deadline);
        if (_isPlayedOut(gameId)) _draw(gameId);
        else _win(gameId, 1 - _due(gameId), Outcome.TimedOut);
    }

    /// @inheritdoc IContest
    function withdraw(address payable to) external {
        uint256 amount = _owed[msg.sender];
        if (amount == 0) revert NothingOwed();
        _owed[msg.sender] = 0;
        emit Withdrawn(msg.sender, to, amount);
        (bool paid,) = to.call{value: amount}("");
        if (!paid || to == address(0)) revert TransferFailed();
    }

    /// @inheritdoc IContest
    function withdrawable(address player) external view returns (uint256) {
        return _owed[player];
    }

    /// @dev When the time for the next action began.
    function _since(bytes32 gameId) internal view virtual returns (uint256);

    /// @dev Who has to act next in a game in play.
    function _due(bytes32 gameId) internal view virtual returns (uint256 role);

    /// @dev Whether a game in play is drawn where nobody acts in time.
    function _isPlayedOut(bytes32 gameId) internal view virtual returns (bool);

    /// @dev Reverts unless the sender may open a game on these terms, with its stake.
    function _checkTerms(uint96 stake, uint24 turn, uint40 expiry, address opponent) internal view {
        if (msg.value != stake) revert WrongStake(stake);
        if (opponent == msg.sender) revert SelfPlay();
        if (turn < (stake == 0 ? 1 : LEAST) || turn > LIMIT) revert BadTerms();
        if (expiry < block.timestamp || expiry > block.timestamp + LIMIT) revert BadTerms();
    }

    /// @dev Puts a game with checked terms on record, by its sender.
    function _open(bytes32 gameId, uint96 stake, uint24 turn, uint40 expiry, address opponent) internal {
        Table storage table = _tables[gameId];
        if (table.status != Status.None) revert GameExists();
        (table.creator, table.stake, table.joiner) = (msg.sender, stake, opponent);
        (table.expiry, table.turn, table.status) = (expiry, turn, Status.Open);
    }

    /// @dev Seats the sender as the opponent, with the stake.
    function _join(bytes32 gameId) internal {
        Table storage table = _expect(gameId, Status.Open);
        address invited = table.joiner;
        if (block.timestamp > table.expiry) revert Expired();
        if (msg.sender == table.creator) revert SelfPlay();
        if (invited != address(0) && msg.sender != invited) revert NotInvited();
        if (msg.value != table.stake) revert WrongStake(table.stake);
        (table.joiner, table.status) = (msg.sender, Status.Playing);
    }

    /// @dev Reverts unless the game is in play, in time, and it is the sender, in a role, who has to act.
    function _expectTurn(bytes32 gameId, uint256 role) internal view {
        Table storage table = _expectInPlay(gameId);
        if (msg.sender != (role == CREATOR ? table.creator : table.joiner)) revert NotYourTurn();
    }

    /// @dev Ends a game that a player wins, and puts both stakes aside for it.
    function _win(bytes32 gameId, uint256 role, Outcome outcome) internal {
        Table storage table = _tables[gameId];
        (table.status, table.outcome, table.creatorWon) = (Status.Over, outcome, role == CREATOR);
        address winner = role == CREATOR ? table.creator : table.joiner;
        _credit(winner, 2 * uint256(table.stake));
        emit GameEnded(gameId, winner, outcome);
    }

    /// @dev Ends a game that nobody wins: each gets its stake back.
    function _draw(bytes32 gameId) internal {
        Table storage table = _tables[gameId];
        (table.status, table.outcome) = (Status.Over, Outcome.Drawn);
        _credit(table.creator, table.stake);
        _credit(table.joiner, table.stake);
        emit GameEnded(gameId, address(0), Outcome.Drawn);
    }

    /// @dev Who has won, zero if nobody has.
    function _winner(Table storage table) internal view returns (address) {
        if (table.outcome <= Outcome.Cancelled || table.outcome == Outcome.Drawn) return address(0);
        return table.creatorWon ? table.creator : table.joiner;
    }

    /// @dev The game, if its status is `expected`.
    function _expect(bytes32 gameId, Status expected) private view returns (Table storage table) {
        table = _tables[gameId];
        if (table.status != expected) revert WrongStatus(table.status);
    }

    /// @dev The game, if it is in play and no deadline has decided it: time decides, not who calls first.
    function _expectInPlay(bytes32 gameId) private view returns (Table storage table) {
        table = _expect(gameId, Status.Playing);
        if (block.timestamp > _deadline(gameId, table)) revert OutOfTime();
    }

    /// @dev The last second for the next action.
    function _deadline(bytes32 gameId, Table storage table) private view returns (uint256) {
        return _since(gameId) + table.turn;
    }

    /// @dev Puts `amount` wei aside for `player`.
    function _credit(address player, uint256 amount) private {
        if (amount != 0) _owed[player] += amount;
    }
}
