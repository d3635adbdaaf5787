// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Exchanges} from "./Exchanges.sol";
import {Statements} from "./Statements.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {FIELD_ORDER, NO_SQUARE} from "./libraries/Field.sol";
import {NOBODY, Progress} from "./types/Progress.sol";
import {NARROW_INPUTS, TurnInputs} from "./types/PublicInputs.sol";
import {SightContexts} from "./types/SightContext.sol";
import {Commitments, Table} from "./types/Table.sol";

/// @title From the first move to the end
/// @notice Protocol section 8: moves with their proofs, resignation, draw, timeouts, and after the end the view keys.
abstract contract Play is Exchanges, Statements {
    using Clock for Progress;

    /// @inheritdoc IFogmate
    function move(bytes32 gameId, Move calldata declared, bytes calldata proof) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        if (declared.ply != progress.ply()) revert StalePly(uint16(progress.ply()));
        uint256 role = _roleToMove(table, progress);
        if (progress.hold() != Hold.None && !declared.kingFell) revert OnHold();
        if (declared.capture > NO_SQUARE) revert BadSquare(declared.capture);

        TurnInputs memory inputs = _turnInputs(gameId, table, progress, declared);
        _checkBasis(gameId, table, progress, declared, inputs);
        if (progress.mode() == Mode.Unproven) {
            if (proof.length != 0) revert NoProofs();
            _checkInField(inputs);
        } else {
            _checkTurn(inputs, proof);
        }
        table.commitments[role].states[(progress.movesOf(declared.ply & 1) + 1) % 2] = declared.nextCommitment;
        table.commitments[role].requestRoot = declared.nextRequestRoot;
        if (declared.ply != 0) table.answerRoot = declared.answerRoot;
        emit Moved(
            gameId,
            msg.sender,
            declared.ply,
            declared.capture,
            declared.kingFell,
            declared.offerDraw,
            declared.nextCommitment,
            declared.nextRequestRoot,
            declared.answerRoot
        );
        _advance(gameId, table, progress, role, declared);
    }

    /// @inheritdoc IFogmate
    function resign(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        _end(gameId, table, progress, _roleOfSender(table) ^ 1, Outcome.Resigned);
    }

    /// @inheritdoc IFogmate
    function acceptDraw(bytes32 gameId, uint16 ply, uint256 opponentCommitment) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        uint256 role = _roleToMove(table, progress);
        if (ply != progress.ply()) revert StalePly(uint16(progress.ply()));
        if (opponentCommitment != _commitment(table, progress, role ^ 1)) revert OtherPosition();
        if (!progress.drawOffered()) revert NoDrawOffer();
        _end(gameId, table, progress, NOBODY, Outcome.DrawAgreed);
    }

    /// @inheritdoc IFogmate
    function claimTimeout(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = table.progress.settled();
        Status status = progress.status();
        if (status != Status.CreatorReveals && status != Status.JoinerReveals && status != Status.Playing) {
            revert WrongStatus(status);
        }
        Deadline memory earliest = _earliest(table, progress);
        if (block.timestamp <= earliest.last) revert StillInTime(earliest.last);
        _end(gameId, table, progress, earliest.winner, earliest.outcome);
    }

    /// @inheritdoc IFogmate
    function publishViewKey(bytes32 gameId, bytes32 viewKey) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Over);
        uint256 role = _roleOfSender(table);
        table.progress = progress.withViewKeyPublished(role);
        emit ViewKeyPublished(gameId, msg.sender, viewKey);
    }

    /// @dev Section 6, step 1: a move is for one position only. It names the context of the opponent's next sight, which its
    /// answer was made for, and all that its proof was made for. Called before the move is made. Ply 0 answers nothing, for Black
    /// has made no request yet.
    function _checkBasis(
        bytes32 gameId,
        Table storage table,
        Progress progress,
        Move calldata declared,
        TurnInputs memory inputs
    ) private view {
        uint256 ctxNext = 0;
        if (declared.ply == 0) {
            if (declared.answerRoot != 0) revert AnswerTooEarly();
        } else {
            if (declared.answerRoot >= FIELD_ORDER) revert NotInField(declared.answerRoot);
            uint256 role = progress.roleToMove();
            Exchange memory next;
            next.ply = declared.ply + 1;
            next.commitment = declared.nextCommitment;
            next.pendingSender = NO_SQUARE;
            next.pendingReceiver = declared.capture;
            next.requestRoot = table.commitments[role ^ 1].requestRoot;
            Point memory key = Point(table.commitments[role].fogKeyX, table.commitments[role].fogKeyY);
            ctxNext = SightContexts.ctxOf(gameId, next, _commitment(table, progress, role ^ 1), key);
        }
        bytes32 expected = keccak256(abi.encodePacked(ctxNext, _words(inputs)));
        if (declared.basis != expected) revert WrongBasis(expected);
    }

    /// @dev The public inputs of *turn* for the move declared, before it is made. The opening has no sight: requestRoot,
    /// answerRoot and context are 0 in it. Where nothing is proven the fog key's words are what the opponent registered.
    function _turnInputs(bytes32 gameId, Table storage table, Progress progress, Move calldata declared)
        private
        view
        returns (TurnInputs memory inputs)
    {
        inputs.nextCommitment = declared.nextCommitment;
        inputs.nextRequestRoot = declared.nextRequestRoot;
        uint256 role = progress.roleToMove();
        Commitments storage other = table.commitments[role ^ 1];
        inputs.commitment = _commitment(table, progress, role);
        inputs.pending = progress.pending();
        inputs.color = progress.ply() & 1;
        if (progress.isOpening()) {
            inputs.opening = 1;
        } else {
            Exchange memory sight = _exchange(gameId, table, progress, Phase.Pre, inputs.color);
            inputs.requestRoot = sight.requestRoot;
            inputs.answerRoot = sight.postedRoot;
            inputs.context = sight.ctx;
        }
        inputs.fogKeyX = other.fogKeyX;
        inputs.fogKeyY = other.fogKeyY;
        inputs.capture = declared.capture;
        if (declared.kingFell) inputs.kingFell = 1;
    }

    /// @dev Passes the turn, or ends the game if a king fell or the plies can't be counted further.
    function _advance(bytes32 gameId, Table storage table, Progress progress, uint256 role, Move calldata declared)
        private
    {
        uint256 made = progress.ply() + 1;
        uint256 quiet = declared.capture == NO_SQUARE ? progress.quietPlies() + 1 : 0;
        progress = progress.withClock(role, progress.afterPly()).restarted();
        progress = progress.withPreDemanded(false).withPostDemanded(progress.ply() & 1, false);
        progress = progress.withPly(made).withQuietPlies(quiet).withDrawOffered(declared.offerDraw);
        progress = progress.withPreviousPending(progress.pending()).withPending(declared.capture);
        if (declared.kingFell) _end(gameId, table, progress, role, Outcome.KingCaptured);
        else if (made == type(uint16).max) _end(gameId, table, progress, NOBODY, Outcome.TooLong);
        else table.progress = progress;
    }

    /// @dev The inputs as the words that they are in memory.
    function _words(TurnInputs memory inputs) private pure returns (uint256[NARROW_INPUTS] memory words) {
        assembly ("memory-safe") {
            words := inputs
        }
    }
}
