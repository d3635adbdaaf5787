// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Disputes} from "./Disputes.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {NOBODY, Progress} from "./types/Progress.sol";
import {FiftyInputs, NoMoveInputs} from "./types/PublicInputs.sol";
import {Commitments, Demand, Table} from "./types/Table.sol";

/// @title Draws that a player claims
/// @notice By fifty moves of each player without a capture or a pawn's move, and for want of a move. How many moves each
/// counts is in its state, which nobody else sees: the claimant proves its own, and the opponent may disprove the rest.
abstract contract Claims is Disputes {
    using Clock for Progress;

    /// @dev Fifty moves of each player; captures are counted by the contract, for they are public.
    uint256 internal constant QUIET_PLIES = 100;
    /// @dev For how many plies a failed claim bars the next.
    uint256 internal constant BARRED_PLIES = 20;

    /// @inheritdoc IFogmate
    function claimFifty(bytes32 gameId, bytes calldata proof) external payable {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        _expectProofs(progress);
        uint256 role = _roleToMove(table, progress);
        if (progress.hold() != Hold.None) revert OnHold();
        (uint256 ply, uint256 quiet) = (progress.ply(), progress.quietPlies());
        uint256 color = ply & 1;
        if (quiet < QUIET_PLIES) revert TooEarly(ply + QUIET_PLIES - quiet);
        if (ply < table.agreement.claimsFrom[color]) revert TooEarly(table.agreement.claimsFrom[color]);
        _expectBond(true);
        _checkFifty(FiftyInputs(_commitment(table, progress, role), 1), proof);

        progress = progress.stopped(Hold.FiftyMoves);
        table.progress = progress;
        Demand memory demand = _demand(progress, color, 0);
        table.demands[uint256(Slot.Hold)] = demand;
        emit FiftyClaimed(gameId, msg.sender, uint16(progress.ply()), demand.deadline, demand.bond);
    }

    /// @inheritdoc IFogmate
    function respondFifty(bytes32 gameId, bool atLeastFifty, bytes calldata proof) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        _expectProofs(progress);
        if (progress.hold() != Hold.FiftyMoves) revert NothingClaimed();
        uint256 role = _roleOfSender(table);
        uint256 claimant = progress.roleToMove();
        if (role == claimant) revert NothingClaimed();
        _checkFifty(FiftyInputs(_commitment(table, progress, role), atLeastFifty ? 1 : 0), proof);

        Demand memory demand = table.demands[uint256(Slot.Hold)];
        uint96 paid = _settle(table, Slot.Hold, demand, role, atLeastFifty ? 0 : _share(true));
        progress = progress.withHold(Hold.None).restarted();
        if (atLeastFifty) {
            _end(gameId, table, progress, NOBODY, Outcome.FiftyMoves);
            return;
        }
        uint256 ply = progress.ply();
        // casting to 'uint16' is safe because it was compared
        // forge-lint: disable-next-line(unsafe-typecast)
        uint16 from = ply + BARRED_PLIES < type(uint16).max ? uint16(ply + BARRED_PLIES) : type(uint16).max;
        table.agreement.claimsFrom[ply & 1] = from;
        table.progress = progress;
        emit FiftyFailed(gameId, msg.sender, uint16(progress.ply()), from, paid);
    }

    /// @inheritdoc IFogmate
    function claimNoMove(bytes32 gameId, bytes calldata proof) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        _expectProofs(progress);
        uint256 role = _roleToMove(table, progress);
        if (progress.hold() != Hold.None) revert OnHold();
        uint256 color = progress.ply() & 1;
        Exchange memory sight = _exchange(gameId, table, progress, Phase.Pre, color);
        NoMoveInputs memory inputs;
        inputs.commitment = _commitment(table, progress, role);
        inputs.pending = progress.pending();
        inputs.requestRoot = sight.requestRoot;
        inputs.answerRoot = sight.postedRoot;
        inputs.context = sight.ctx;
        Commitments storage other = table.commitments[role ^ 1];
        (inputs.fogKeyX, inputs.fogKeyY) = (other.fogKeyX, other.fogKeyY);
        inputs.color = color;
        _checkNoMove(inputs, proof);
        _end(gameId, table, progress, NOBODY, Outcome.NoMove);
    }
}
