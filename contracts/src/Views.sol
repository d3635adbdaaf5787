// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {GameStorage} from "./GameStorage.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {CREATOR, NOBODY, Progress} from "./types/Progress.sol";
import {POST, PRE, SightContexts} from "./types/SightContext.sol";
import {Commitments, Table} from "./types/Table.sol";

/// @title What can be read of a game
/// @notice Protocol section 8: its public state, its clocks, and the contexts of its sights.
abstract contract Views is GameStorage {
    using Clock for Progress;

    /// @inheritdoc IFogmate
    function game(bytes32 gameId) external view returns (Game memory g) {
        Table storage table = _tables[gameId];
        Progress p = table.progress;
        g.status = p.status();
        if (g.status == Status.None) return g;
        g.outcome = p.outcome();
        if (p.winnerRole() != NOBODY) g.winner = table.stakes[p.winnerRole()].account;
        g.creator = table.stakes[CREATOR].account;
        g.ply = uint16(p.ply());
        g.pending = uint8(p.pending());
        g.drawOffered = p.drawOffered();
        g.quietPlies = uint16(p.quietPlies());
        g.since = uint40(p.since());
        g.stake = table.stakes[CREATOR].amount;
        g.base = uint32(p.base());
        g.increment = uint32(p.increment());
        g.delay = uint32(p.delay());
        g.tossCommitment = table.tossCommitment;
        g.tossShare = table.tossShare;
        if (!p.isOpening()) g.answerRoot = table.answerRoot;
        for (uint256 color = 0; color < 2; ++color) {
            uint256 role = color ^ p.whiteRole();
            Commitments memory own = table.commitments[role];
            g.players[color] = Player({
                account: table.stakes[role].account,
                viewKeyPublished: p.viewKeyPublished(role),
                clock: uint32(p.clock(role)),
                fogKey: Point(own.fogKeyX, own.fogKeyY),
                commitment: own.commitment,
                requestRoot: p.ply() > color ? own.requestRoot : 0
            });
        }
    }

    /// @inheritdoc IFogmate
    function contextOf(bytes32 gameId, uint8 phase) external view returns (uint256) {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        uint256 ply = progress.ply();
        Commitments memory toMove = table.commitments[progress.roleToMove()];
        Commitments memory moved = table.commitments[progress.roleToMove() ^ 1];
        if (phase == PRE) {
            return progress.isOpening() ? 0 : SightContexts.ctxOf(gameId, ply, PRE, moved, toMove, progress.pending());
        }
        if (phase != POST || ply == 0) revert NoSuchPhase();
        return SightContexts.ctxOf(gameId, ply - 1, POST, toMove, moved, progress.pending());
    }

    /// @inheritdoc IFogmate
    function clocks(bytes32 gameId) external view returns (uint256 white, uint256 black, uint256 deadline) {
        Progress progress = _tables[gameId].progress;
        Status status = progress.status();
        if (status == Status.Toss) return (progress.base(), progress.base(), progress.deadline());
        if (status != Status.Playing) return (0, 0, 0);
        deadline = progress.deadline();
        uint256 running = progress.left();
        uint256 resting = progress.clock(progress.roleToMove() ^ 1);
        (white, black) = progress.ply() & 1 == 0 ? (running, resting) : (resting, running);
    }
}
