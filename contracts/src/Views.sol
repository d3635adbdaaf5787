// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {GameStorage} from "./GameStorage.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {Words} from "./libraries/Words.sol";
import {CREATOR, JOINER, NOBODY, Progress} from "./types/Progress.sol";
import {Agreement, Commitments, Demand, Table} from "./types/Table.sol";

/// @title What can be read of a game
/// @notice Protocol section 8: its public state and its clocks.
abstract contract Views is GameStorage {
    using Clock for Progress;

    /// @inheritdoc IFogmate
    function game(bytes32 gameId) external view returns (Game memory g) {
        Table storage table = _tables[gameId];
        Progress p = table.progress.settled();
        g.status = p.status();
        if (g.status == Status.None) return g;
        g.outcome = p.outcome();
        if (p.winnerRole() != NOBODY) g.winner = table.stakes[p.winnerRole()].account;
        g.creator = table.stakes[CREATOR].account;
        g.ply = uint16(p.ply());
        g.pending = uint8(p.pending());
        g.previousPending = uint8(p.previousPending());
        g.drawOffered = p.drawOffered();
        g.quietPlies = uint16(p.quietPlies());
        g.since = uint40(p.since());
        g.terms = _terms(table, p);
        g.tossShare = table.tossShare;
        if (!p.isOpening()) g.answerRoot = table.answerRoot;
        g.hold = p.hold();
        g.preDemanded = p.preDemanded();
        Demand memory hold = table.demands[uint256(Slot.Hold)];
        if (g.hold != Hold.None) (g.holdDeadline, g.holdBond, g.holdOwner) = (hold.deadline, hold.bond, hold.owner);
        for (uint256 color = 0; color < 2; ++color) {
            g.players[color] = _player(table, p, color);
        }
    }

    /// @inheritdoc IFogmate
    function summary(bytes32 gameId)
        external
        view
        returns (
            string memory status,
            string memory outcome,
            address winner,
            uint256 ply,
            address creator,
            address joiner,
            address white
        )
    {
        Table storage table = _tables[gameId];
        Progress p = table.progress;
        (status, outcome, ply) = (Words.named(p.status()), Words.named(p.outcome()), p.ply());
        (creator, joiner) = (table.stakes[CREATOR].account, table.stakes[JOINER].account);
        if (p.winnerRole() != NOBODY) winner = table.stakes[p.winnerRole()].account;
        bool isTossed =
            p.status() >= Status.Playing && p.outcome() != Outcome.Cancelled && p.outcome() != Outcome.Unrevealed;
        if (isTossed) white = table.stakes[p.whiteRole()].account;
    }

    /// @inheritdoc IFogmate
    function clocks(bytes32 gameId) external view returns (uint256 white, uint256 black, uint256 deadline) {
        Table storage table = _tables[gameId];
        Progress progress = table.progress.settled();
        Status status = progress.status();
        if (status == Status.CreatorReveals || status == Status.JoinerReveals) {
            return (table.agreement.base, table.agreement.base, _earliest(table, progress).last);
        }
        if (status != Status.Playing) return (0, 0, 0);
        deadline = _earliest(table, progress).last;
        uint256 running = progress.left();
        uint256 resting = progress.clock(progress.roleToMove() ^ 1);
        (white, black) = progress.ply() & 1 == 0 ? (running, resting) : (resting, running);
    }

    function _terms(Table storage table, Progress p) private view returns (Terms memory) {
        Agreement memory agreement = table.agreement;
        return Terms({
            mode: p.mode(),
            stake: table.stakes[CREATOR].amount,
            base: agreement.base,
            increment: uint32(p.increment()),
            delay: uint32(p.delay()),
            window: uint32(p.window()),
            reveal: agreement.reveal,
            expiry: agreement.expiry,
            opponent: table.stakes[JOINER].account
        });
    }

    function _player(Table storage table, Progress p, uint256 color) private view returns (Player memory player) {
        uint256 role = p.roleOf(color);
        Commitments storage own = table.commitments[role];
        player.account = table.stakes[role].account;
        player.viewKeyPublished = p.viewKeyPublished(role);
        player.clock = uint32(p.clock(role));
        player.fogKey = Point(own.fogKeyX, own.fogKeyY);
        uint256 moves = p.movesOf(color);
        player.commitment = own.states[moves % 2];
        if (moves > 0) {
            player.previousCommitment = own.states[(moves + 1) % 2];
            player.requestRoot = own.requestRoot;
        }
        player.tossCommitment = table.tossCommitments[role];
        player.postDemanded = p.postDemanded(color);
        if (p.postOpen(color)) {
            Demand memory demand = table.demands[uint256(Slot.WhitePost) + color];
            (player.postDeadline, player.postBond) = (demand.deadline, demand.bond);
        }
        player.claimsFrom = table.agreement.claimsFrom[color];
    }
}
