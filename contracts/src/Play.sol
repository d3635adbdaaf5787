// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {GameStorage} from "./GameStorage.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {FIELD_ORDER, NO_SQUARE} from "./libraries/Field.sol";
import {ProofGuard} from "./libraries/ProofGuard.sol";
import {JOINER, NOBODY, Progress} from "./types/Progress.sol";
import {PRE, SightContexts} from "./types/SightContext.sol";
import {Commitments, Table} from "./types/Table.sol";
import {TURN_INPUTS, TurnInputs} from "./types/TurnInputs.sol";

/// @title From the first move to the end
/// @notice Protocol section 8: moves with their proofs, resignation, draw, timeouts, and after the end the view keys.
abstract contract Play is GameStorage {
    using Clock for Progress;

    /// @inheritdoc IFogmate
    address public immutable turnVerifier;
    /// @inheritdoc IFogmate
    address public immutable turnKey;
    /// @inheritdoc IFogmate
    uint256 public immutable turnProofLength;

    /// @param verifier The generated verifier of *turn* proofs.
    /// @param key The key of *turn* for that verifier.
    /// @param proofLength The exact length of *turn* proofs in bytes.
    constructor(address verifier, address key, uint256 proofLength) {
        ProofGuard.requireCode(verifier);
        ProofGuard.requireCode(key);
        turnVerifier = verifier;
        turnKey = key;
        turnProofLength = proofLength;
    }

    /// @inheritdoc IFogmate
    function move(bytes32 gameId, Move calldata declared, bytes calldata proof) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        uint256 role = progress.roleToMove();
        if (declared.ply != progress.ply()) revert StalePly(uint16(progress.ply()));
        if (msg.sender != table.stakes[role].account) revert NotYourTurn();
        if (block.timestamp > progress.deadline()) revert OutOfTime();
        if (declared.capture > NO_SQUARE) revert BadSquare(declared.capture);
        Commitments storage own = table.commitments[role];
        {
            Commitments memory mover = own;
            Commitments memory other = table.commitments[role ^ 1];
            TurnInputs memory inputs = _turnInputs(gameId, table, progress, mover, other, declared);
            _checkAnswer(gameId, mover, other, declared);
            ProofGuard.check(turnVerifier, turnKey, turnProofLength, inputs.pointer(), TURN_INPUTS, proof);
        }
        own.commitment = declared.nextCommitment;
        own.requestRoot = declared.nextRequestRoot;
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
        Progress progress = _expect(table, Status.Playing);
        _end(gameId, table, progress, _roleOfSender(table) ^ 1, Outcome.Resigned);
    }

    /// @inheritdoc IFogmate
    function acceptDraw(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        if (msg.sender != table.stakes[progress.roleToMove()].account) revert NotYourTurn();
        if (!progress.drawOffered()) revert NoDrawOffer();
        if (block.timestamp > progress.deadline()) revert OutOfTime();
        _end(gameId, table, progress, NOBODY, Outcome.DrawAgreed);
    }

    /// @inheritdoc IFogmate
    function claimTimeout(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = table.progress;
        Status status = progress.status();
        if (status != Status.Toss && status != Status.Playing) revert WrongStatus(status);
        uint256 deadline = progress.deadline();
        if (block.timestamp <= deadline) revert StillInTime(deadline);
        if (status == Status.Toss) _end(gameId, table, progress, JOINER, Outcome.Unrevealed);
        else _end(gameId, table, progress, progress.roleToMove() ^ 1, Outcome.TimedOut);
    }

    /// @inheritdoc IFogmate
    function publishViewKey(bytes32 gameId, bytes32 viewKey) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Over);
        uint256 role = _roleOfSender(table);
        if (progress.viewKeyPublished(role)) revert AlreadyPublished();
        table.progress = progress.withViewKeyPublished(role);
        emit ViewKeyPublished(gameId, msg.sender, viewKey);
    }

    /// @dev Section 6, step 1: the answer that rides on a move is for the opponent's next sight, and for that very context.
    /// `mover` is as it was before the move. Ply 0 answers nothing, for Black has made no request yet.
    function _checkAnswer(bytes32 gameId, Commitments memory mover, Commitments memory other, Move calldata declared)
        private
        view
    {
        uint256 expected = 0;
        uint256 ply = declared.ply;
        if (ply == 0) {
            if (declared.answerRoot != 0) revert AnswerTooEarly();
        } else {
            if (declared.answerRoot >= FIELD_ORDER) revert NotInField(declared.answerRoot);
            Commitments memory moved =
                Commitments(declared.nextCommitment, declared.nextRequestRoot, mover.fogKeyX, mover.fogKeyY);
            expected = SightContexts.ctxOf(gameId, ply + 1, PRE, moved, other, declared.capture);
        }
        if (declared.ctxNext != expected) revert WrongContext(expected);
    }

    /// @dev The public inputs of *turn* for the move declared; `mover` is as it was before the move. The opening has no
    /// sight: requestRoot, answerRoot and context are 0 in it.
    function _turnInputs(
        bytes32 gameId,
        Table storage table,
        Progress progress,
        Commitments memory mover,
        Commitments memory other,
        Move calldata declared
    ) private view returns (TurnInputs memory inputs) {
        uint256 ply = progress.ply();
        inputs.commitment = mover.commitment;
        inputs.pending = progress.pending();
        inputs.nextCommitment = declared.nextCommitment;
        if (progress.isOpening()) {
            inputs.opening = 1;
        } else {
            inputs.requestRoot = mover.requestRoot;
            inputs.answerRoot = table.answerRoot;
            inputs.context = SightContexts.ctxOf(gameId, ply, PRE, other, mover, progress.pending());
        }
        inputs.fogKeyX = other.fogKeyX;
        inputs.fogKeyY = other.fogKeyY;
        inputs.nextRequestRoot = declared.nextRequestRoot;
        inputs.color = ply & 1;
        inputs.capture = declared.capture;
        if (declared.kingFell) inputs.kingFell = 1;
    }

    /// @dev Passes the turn, or ends the game if a king fell or the plies can't be counted further.
    function _advance(bytes32 gameId, Table storage table, Progress progress, uint256 role, Move calldata declared)
        private
    {
        uint256 made = progress.ply() + 1;
        uint256 quiet = declared.capture == NO_SQUARE ? progress.quietPlies() + 1 : 0;
        progress = progress.withClock(role, progress.afterPly());
        progress = progress.withPly(made).withQuietPlies(quiet).withSince(block.timestamp);
        progress = progress.withPending(declared.capture).withDrawOffered(declared.offerDraw);
        if (declared.kingFell) _end(gameId, table, progress, role, Outcome.KingCaptured);
        else if (made == type(uint16).max) _end(gameId, table, progress, NOBODY, Outcome.TooLong);
        else table.progress = progress;
    }
}
