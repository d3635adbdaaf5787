// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Bonds} from "./Bonds.sol";
import {Exchanges} from "./Exchanges.sol";
import {Statements} from "./Statements.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Binding} from "./libraries/Binding.sol";
import {Clock} from "./libraries/Clock.sol";
import {FIELD_ORDER} from "./libraries/Field.sol";
import {Progress} from "./types/Progress.sol";
import {AnswerInputs, RequestDataInputs} from "./types/PublicInputs.sol";
import {Commitments, Demand, Table} from "./types/Table.sol";

/// @title When a sight doesn't arrive
/// @notice A player that isn't sent its sight demands it here, and the opponent gives it here or loses. Nobody has to prove
/// whose fault it was: each pays half. A game can be played so from the first move to the last.
abstract contract Disputes is Exchanges, Statements, Bonds {
    using Clock for Progress;

    /// @inheritdoc IFogmate
    function demandSight(bytes32 gameId, Phase phase, uint256[128] calldata points, bytes calldata proof)
        external
        payable
    {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        _expectProofs(progress);
        uint256 color = progress.roleOf(_roleOfSender(table));
        Slot slot = Slot.Hold;
        if (phase == Phase.Pre) {
            if (progress.hold() != Hold.None) revert OnHold();
            if (progress.preDemanded() || progress.ply() & 1 != color) revert NothingToDemand();
        } else {
            if (progress.postOpen(color) || progress.postDemanded(color)) revert NothingToDemand();
            slot = _postSlot(color);
        }
        _expectBond(false);
        Exchange memory exchange = _exchange(gameId, table, progress, phase, color);
        _checkPoints(exchange.requestRoot, points, proof);

        if (phase == Phase.Pre) progress = progress.stopped(Hold.Sight).withPreDemanded(true);
        else progress = progress.withPostOpen(color, true).withPostDemanded(color, true);
        table.progress = progress;
        Demand memory demand = _demand(progress, color, keccak256(abi.encode(exchange)));
        table.demands[uint256(slot)] = demand;
        emit SightDemanded(gameId, msg.sender, exchange, demand.deadline, demand.bond, points);
    }

    /// @inheritdoc IFogmate
    function answerSight(
        bytes32 gameId,
        Exchange calldata exchange,
        uint256 answerRoot,
        uint256[733] calldata elements,
        bytes calldata proof
    ) external {
        Table storage table = _tables[gameId];
        Progress progress = table.progress;
        if (progress.status() != Status.Playing && progress.status() != Status.Over) {
            revert WrongStatus(progress.status());
        }
        _expectProofs(progress);
        Slot slot = exchange.phase == Phase.Pre ? Slot.Hold : _postSlot(exchange.receiver & 1);
        Demand memory demand = table.demands[uint256(slot)];
        if (demand.exchange != keccak256(abi.encode(exchange))) revert NothingDemanded();
        uint256 sender = progress.roleOf(exchange.receiver) ^ 1;
        if (msg.sender != table.stakes[sender].account) revert NotPlayer();
        if (block.timestamp > demand.deadline) revert OutOfTime();
        if (exchange.postedRoot != 0 && exchange.postedRoot != answerRoot) revert WrongRoot(exchange.postedRoot);
        _checkElements(table.commitments[sender], exchange, answerRoot, elements, proof);

        uint96 paid = _settle(table, slot, demand, sender, _share(false));
        emit SightAnswered(gameId, msg.sender, exchange.ctx, answerRoot, paid, elements);
        // Once the game is decided only the bond is settled: closing a window then could make another deadline the earliest.
        if (progress.status() == Status.Over || block.timestamp > _earliest(table, progress).last) return;
        if (slot == Slot.Hold) {
            table.answerRoot = answerRoot;
            table.progress = progress.withHold(Hold.None).restarted();
        } else {
            table.progress = progress.withPostOpen(exchange.receiver, false);
        }
    }

    /// @inheritdoc IFogmate
    function fillAnswer(bytes32 gameId, uint256 ctx, uint256 answerRoot) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectInPlay(table);
        if (_roleOfSender(table) == progress.roleToMove()) revert NothingToFill();
        if (progress.hold() != Hold.None) revert OnHold();
        if (progress.isOpening() || table.answerRoot != 0) revert NothingToFill();
        if (answerRoot == 0 || answerRoot >= FIELD_ORDER) revert NotInField(answerRoot);
        uint256 expected = _exchange(gameId, table, progress, Phase.Pre, progress.ply() & 1).ctx;
        if (ctx != expected) revert WrongContext(expected);

        table.answerRoot = answerRoot;
        emit AnswerFilled(gameId, uint16(progress.ply()), answerRoot);
    }

    /// @inheritdoc IFogmate
    function reclaim(bytes32 gameId, Slot slot) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Over);
        Demand memory demand = table.demands[uint256(slot)];
        if (block.timestamp <= demand.deadline) revert StillInTime(demand.deadline);
        if (demand.bond == 0) revert NothingOwed();
        delete table.demands[uint256(slot)].bond;
        delete table.demands[uint256(slot)].exchange;
        address owner = table.stakes[progress.roleOf(demand.owner)].account;
        _credit(owner, demand.bond);
        emit BondReclaimed(gameId, slot, owner, demand.bond);
    }

    /// @dev A demand or a claim that `color` makes now, with what was sent for its bond.
    function _demand(Progress progress, uint256 color, bytes32 exchange) internal view returns (Demand memory) {
        uint40 deadline = uint40(block.timestamp + progress.window());
        // casting to 'uint8' is safe because a colour is 0 or 1
        // forge-lint: disable-next-line(unsafe-typecast)
        return Demand(deadline, uint96(msg.value), uint8(color), exchange);
    }

    /// @dev Shares a bond out: to who answered `share`, at most the bond, the rest to who put it in. What stays is the
    /// deadline, for as long as the window counts.
    function _settle(Table storage table, Slot slot, Demand memory demand, uint256 answerer, uint256 share)
        internal
        returns (uint96 paid)
    {
        delete table.demands[uint256(slot)].bond;
        delete table.demands[uint256(slot)].exchange;
        // casting to 'uint96' is safe because it is less than the bond
        // forge-lint: disable-next-line(unsafe-typecast)
        paid = share < demand.bond ? uint96(share) : demand.bond;
        _credit(table.stakes[answerer].account, paid);
        _credit(table.stakes[answerer ^ 1].account, demand.bond - paid);
    }

    /// @dev Reverts unless the points are those of the request.
    function _checkPoints(uint256 requestRoot, uint256[128] calldata points, bytes calldata proof) private view {
        uint256 start;
        assembly ("memory-safe") {
            start := points
        }
        (uint256 z, uint256 y) = Binding.evaluate(requestRoot, start, points.length);
        _checkRequestData(RequestDataInputs(requestRoot, z, y), proof);
    }

    /// @dev Reverts unless the elements are what `sender`'s board makes them.
    function _checkElements(
        Commitments storage sender,
        Exchange calldata exchange,
        uint256 answerRoot,
        uint256[733] calldata elements,
        bytes calldata proof
    ) private view {
        AnswerInputs memory inputs;
        inputs.commitment = exchange.commitment;
        inputs.pendingSender = exchange.pendingSender;
        (inputs.fogKeyX, inputs.fogKeyY) = (sender.fogKeyX, sender.fogKeyY);
        inputs.context = exchange.ctx;
        inputs.receiver = exchange.receiver;
        inputs.phase = uint256(exchange.phase);
        inputs.pendingReceiver = exchange.pendingReceiver;
        inputs.requestRoot = exchange.requestRoot;
        inputs.answerRoot = answerRoot;
        uint256 start;
        assembly ("memory-safe") {
            start := elements
        }
        (inputs.z, inputs.y) = Binding.evaluate(answerRoot, start, elements.length);
        _checkAnswer(inputs, proof);
    }

    function _postSlot(uint256 color) private pure returns (Slot) {
        return color == 0 ? Slot.WhitePost : Slot.BlackPost;
    }
}
