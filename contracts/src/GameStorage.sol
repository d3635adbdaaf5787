// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {PullPayments} from "./PullPayments.sol";
import {Clock} from "./libraries/Clock.sol";
import {CREATOR, JOINER, NOBODY, Progress} from "./types/Progress.sol";
import {Table} from "./types/Table.sol";

/// @title The games in storage
/// @notice What every action on a game needs: its table, the checks of status, sender and deadlines, and the one way to end
/// it.
abstract contract GameStorage is PullPayments {
    using Clock for Progress;

    mapping(bytes32 gameId => Table) internal _tables;

    /// @dev What the earliest deadline of a game is, and what it decides once it has passed.
    struct Deadline {
        /// The last second before it decides.
        uint256 last;
        /// The role that then wins, or `NOBODY`.
        uint256 winner;
        /// How the game then ended.
        Outcome outcome;
    }

    /// @dev The game's progress, if its status is `expected`.
    function _expect(Table storage table, Status expected) internal view returns (Progress progress) {
        progress = table.progress.settled();
        if (progress.status() != expected) revert WrongStatus(progress.status());
    }

    /// @dev The progress of a game in play that is not contested and no deadline has decided. After one has passed, only what settles the game
    /// is left to do: time decides, not who calls first.
    function _expectInPlay(Table storage table) internal view returns (Progress progress) {
        progress = _expect(table, Status.Playing);
        if (progress.hold() == Hold.Contest) revert OnHold();
        if (block.timestamp > _earliest(table, progress).last) revert OutOfTime();
    }

    /// @dev Reverts in a game whose moves nobody proves: what only proofs can decide is not to be had in it.
    function _expectProofs(Progress progress) internal pure {
        if (progress.mode() == Mode.Unproven) revert NoProofs();
    }

    /// @dev The earliest deadline of a joined game that lasts. Of several in one second the hold's comes first, then that
    /// of White's demand, then of Black's, then the clock.
    function _earliest(Table storage table, Progress progress) internal view returns (Deadline memory earliest) {
        if (progress.status() == Status.CreatorReveals) {
            return Deadline(progress.since() + table.agreement.reveal, NOBODY, Outcome.Unrevealed);
        }
        if (progress.status() == Status.JoinerReveals) {
            return Deadline(progress.since() + 2 * uint256(table.agreement.reveal), CREATOR, Outcome.Unrevealed);
        }
        uint256 toMove = progress.roleToMove();
        // From the last of a second to the first, so that an equal one takes the place of one found before.
        earliest = Deadline(progress.deadline(), toMove ^ 1, Outcome.TimedOut);
        Hold hold = progress.hold();
        // A contest lasts until `since`, from where all is counted.
        if (hold == Hold.Contest) return earliest;
        if (hold != Hold.None) earliest.last = type(uint256).max;
        for (uint256 i = 0; i < 2; ++i) {
            uint256 color = 1 - i;
            if (!progress.postOpen(color)) continue;
            uint256 last = table.demands[uint256(Slot.WhitePost) + color].deadline;
            if (last <= earliest.last) earliest = Deadline(last, progress.roleOf(color), Outcome.Unanswered);
        }
        if (hold != Hold.None) {
            uint256 last = table.demands[uint256(Slot.Hold)].deadline;
            if (last > earliest.last) return earliest;
            earliest = hold == Hold.Sight
                ? Deadline(last, toMove, Outcome.Unanswered)
                : Deadline(last, NOBODY, Outcome.FiftyMoves);
        }
    }

    /// @dev The role of the sender, who must be one of the players.
    function _roleOfSender(Table storage table) internal view returns (uint256) {
        if (msg.sender == table.stakes[CREATOR].account) return CREATOR;
        if (msg.sender == table.stakes[JOINER].account) return JOINER;
        revert NotPlayer();
    }

    /// @dev The role of the sender, who must be the player to move.
    function _roleToMove(Table storage table, Progress progress) internal view returns (uint256 role) {
        role = progress.roleToMove();
        if (msg.sender != table.stakes[role].account) revert NotYourTurn();
    }

    /// @dev The commitment to a player's state as it stands.
    function _commitment(Table storage table, Progress progress, uint256 role) internal view returns (uint256) {
        return table.commitments[role].states[progress.movesOf(progress.roleOf(role)) % 2];
    }

    /// @dev Ends a game and puts the stakes aside: both for the winner, or each player's own if `winner` is `NOBODY`. Open
    /// demands and their bonds stay until they are answered or their time has passed.
    function _end(bytes32 gameId, Table storage table, Progress progress, uint256 winner, Outcome outcome) internal {
        table.progress = progress.withStatus(Status.Over).withOutcome(outcome).withWinnerRole(winner);
        (address creator, uint256 creatorStake) = (table.stakes[CREATOR].account, table.stakes[CREATOR].amount);
        (address joiner, uint256 joinerStake) = (table.stakes[JOINER].account, table.stakes[JOINER].amount);
        address account = winner == CREATOR ? creator : winner == JOINER ? joiner : address(0);
        if (account == address(0)) {
            _credit(creator, creatorStake);
            _credit(joiner, joinerStake);
        } else {
            _credit(account, creatorStake + joinerStake);
        }
        emit GameEnded(gameId, account, uint16(progress.ply()), outcome);
    }
}
