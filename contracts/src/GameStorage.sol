// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {PullPayments} from "./PullPayments.sol";
import {CREATOR, JOINER, NOBODY, Progress} from "./types/Progress.sol";
import {Table} from "./types/Table.sol";

/// @title The games in storage
/// @notice What every action on a game needs: its table, the checks of status and sender, and the one way to end it.
abstract contract GameStorage is PullPayments {
    mapping(bytes32 gameId => Table) internal _tables;

    /// @dev The game's progress, if its status is `expected`.
    function _expect(Table storage table, Status expected) internal view returns (Progress progress) {
        progress = table.progress;
        if (progress.status() != expected) revert WrongStatus(progress.status());
    }

    /// @dev The role of the sender, who must be one of the players.
    function _roleOfSender(Table storage table) internal view returns (uint256) {
        if (msg.sender == table.stakes[CREATOR].account) return CREATOR;
        if (msg.sender == table.stakes[JOINER].account) return JOINER;
        revert NotPlayer();
    }

    /// @dev Ends a game and puts the stakes aside: both for the winner, or each player's own if `winner` is `NOBODY`.
    function _end(bytes32 gameId, Table storage table, Progress progress, uint256 winner, Outcome outcome) internal {
        table.progress = progress.withStatus(Status.Over).withOutcome(outcome).withWinnerRole(winner);
        (address creator, uint256 creatorStake) = (table.stakes[CREATOR].account, table.stakes[CREATOR].amount);
        (address joiner, uint256 joinerStake) = (table.stakes[JOINER].account, table.stakes[JOINER].amount);
        if (winner == NOBODY) {
            _credit(creator, creatorStake);
            _credit(joiner, joinerStake);
            emit GameEnded(gameId, address(0), uint16(progress.ply()), outcome);
        } else {
            address account = winner == CREATOR ? creator : joiner;
            _credit(account, creatorStake + joinerStake);
            emit GameEnded(gameId, account, uint16(progress.ply()), outcome);
        }
    }
}
