// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {GameStorage} from "./GameStorage.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {NO_SQUARE} from "./libraries/Field.sol";
import {Progress} from "./types/Progress.sol";
import {SightContexts} from "./types/SightContext.sol";
import {Commitments, Table} from "./types/Table.sol";

/// @title The sights that a player is owed
/// @notice Protocol section 6: before each own move the sight of the position, after it that of the new one. Both are read
/// off the table as it stands, the one after a move also when the opponent has moved since.
abstract contract Exchanges is GameStorage {
    /// @inheritdoc IFogmate
    function exchangeOf(bytes32 gameId, Phase phase, uint8 receiver) external view returns (Exchange memory) {
        Table storage table = _tables[gameId];
        return _exchange(gameId, table, _expect(table, Status.Playing), phase, receiver & 1);
    }

    /// @inheritdoc IFogmate
    function contextOf(bytes32 gameId, Phase phase) external view returns (uint256) {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        uint256 toMove = progress.ply() & 1;
        if (phase == Phase.Pre) {
            return progress.isOpening() ? 0 : _exchange(gameId, table, progress, phase, toMove).ctx;
        }
        return _exchange(gameId, table, progress, phase, toMove ^ 1).ctx;
    }

    /// @dev The sight that `receiver`, a colour, is owed: before its move, which must be to come and not its first; or after
    /// its latest move.
    function _exchange(bytes32 gameId, Table storage table, Progress progress, Phase phase, uint256 receiver)
        internal
        view
        returns (Exchange memory exchange)
    {
        exchange.phase = phase;
        // casting to 'uint8' is safe because a colour is 0 or 1
        // forge-lint: disable-next-line(unsafe-typecast)
        exchange.receiver = uint8(receiver);
        if (phase == Phase.Pre) _fillPre(table, progress, exchange);
        else _fillPost(table, progress, exchange);
        uint256 role = progress.roleOf(receiver);
        exchange.requestRoot = table.commitments[role].requestRoot;
        Commitments storage sender = table.commitments[role ^ 1];
        Point memory key = Point(sender.fogKeyX, sender.fogKeyY);
        exchange.ctx = SightContexts.ctxOf(gameId, exchange, _commitment(table, progress, role), key);
    }

    /// @dev What is particular to the sight before the receiver's move.
    function _fillPre(Table storage table, Progress progress, Exchange memory exchange) private view {
        if (progress.ply() & 1 != exchange.receiver || progress.isOpening()) revert NothingToDemand();
        exchange.ply = uint16(progress.ply());
        exchange.pendingReceiver = uint8(progress.pending());
        exchange.pendingSender = NO_SQUARE;
        exchange.commitment = _commitment(table, progress, progress.roleToMove() ^ 1);
        exchange.postedRoot = table.answerRoot;
    }

    /// @dev What is particular to the sight after it. If the sender has moved since, it is of the board before that.
    function _fillPost(Table storage table, Progress progress, Exchange memory exchange) private view {
        uint256 receiver = exchange.receiver;
        if (progress.movesOf(receiver) == 0) revert NothingToDemand();
        bool movedSince = progress.ply() & 1 == receiver;
        uint256 state = progress.movesOf(receiver ^ 1) + (movedSince ? 1 : 0);
        exchange.ply = uint16(progress.ply() - (movedSince ? 2 : 1));
        exchange.pendingReceiver = NO_SQUARE;
        exchange.pendingSender = uint8(movedSince ? progress.previousPending() : progress.pending());
        exchange.commitment = table.commitments[progress.roleOf(receiver) ^ 1].states[state % 2];
    }
}
