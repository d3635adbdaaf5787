// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {GameStorage} from "./GameStorage.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {NO_SQUARE} from "./libraries/Field.sol";
import {FogKeys} from "./libraries/FogKeys.sol";
import {Toss} from "./libraries/Toss.sol";
import {CREATOR, JOINER, NOBODY, Progress, openProgress} from "./types/Progress.sol";
import {Agreement, Commitments, PRIMED, Stake, Table} from "./types/Table.sol";

/// @title Before the first move
/// @notice Protocol section 8: create, cancel, join, and the toss for colours.
abstract contract Lobby is GameStorage {
    using Clock for Progress;
    using FogKeys for IFogmate.Point;

    /// @dev H(COMMIT; state, salt 0) of White's starting position, protocol section 4.
    uint256 internal constant WHITE_START = 0x1c64b212d0b24392035c2b688153d6aa522a539ed18c726d3a4baa31509b1658;
    /// @dev The same of Black's.
    uint256 internal constant BLACK_START = 0x2da8d0dc476ba0d178e41fd406327a5157c3af3b8a99bdfff017932f48c8163e;

    /// @inheritdoc IFogmate
    function create(uint256 nonce, Terms calldata terms, bytes32 tossCommitment, Point calldata fogKey)
        external
        payable
        returns (bytes32 gameId)
    {
        if (msg.value != terms.stake) revert WrongStake(terms.stake);
        if (terms.opponent == msg.sender) revert SelfPlay();
        if (terms.mode == Mode.Retired) revert NoSuchMode();
        if (terms.mode == Mode.Unproven) {
            if (terms.stake != 0) revert NoStakes();
            if (fogKey.y == 0) revert NoEngine();
        } else if (!fogKey.isValid()) {
            revert BadFogKey();
        }
        Clock.check(terms);

        gameId = gameIdOf(msg.sender, nonce, terms, tossCommitment, fogKey);
        Table storage table = _tables[gameId];
        if (table.progress.status() != Status.None) revert GameExists();
        table.progress = openProgress(terms);
        table.agreement = Agreement(uint24(terms.base), uint24(terms.reveal), terms.expiry, [uint16(0), 0]);
        table.stakes[JOINER].account = terms.opponent;
        _enter(table, CREATOR, tossCommitment, fogKey);
        emit GameCreated(gameId, msg.sender, terms.opponent, nonce, terms, tossCommitment, fogKey);
    }

    /// @inheritdoc IFogmate
    function cancel(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Open);
        bool expired = block.timestamp > table.agreement.expiry;
        if (!expired && msg.sender != table.stakes[CREATOR].account) revert NotCreator();

        table.stakes[JOINER].account = address(0);
        _end(gameId, table, progress, NOBODY, Outcome.Cancelled);
    }

    /// @inheritdoc IFogmate
    function join(bytes32 gameId, bytes32 tossCommitment, Point calldata fogKey) external payable {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Open);
        Stake storage creator = table.stakes[CREATOR];
        address invited = table.stakes[JOINER].account;
        if (block.timestamp > table.agreement.expiry) revert Expired();
        if (msg.sender == creator.account) revert SelfPlay();
        if (invited != address(0) && msg.sender != invited) revert NotInvited();
        if (msg.value != creator.amount) revert WrongStake(creator.amount);
        Commitments storage creators = table.commitments[CREATOR];
        if (progress.mode() == Mode.Unproven) {
            if (fogKey.y != creators.fogKeyY) revert OtherEngine(creators.fogKeyY);
        } else if (!fogKey.isValid()) {
            revert BadFogKey();
        }
        if (fogKey.x == creators.fogKeyX && fogKey.y == creators.fogKeyY) revert SameFogKey();

        _enter(table, JOINER, tossCommitment, fogKey);
        table.progress = progress.withStatus(Status.CreatorReveals).withSince(block.timestamp);
        emit GameJoined(gameId, msg.sender, tossCommitment, fogKey);
    }

    /// @inheritdoc IFogmate
    function revealCreator(bytes32 gameId, uint256 share, bytes32 joinerCommitment) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectReveal(table, Status.CreatorReveals, CREATOR, share);
        bytes32 current = table.tossCommitments[JOINER];
        if (joinerCommitment != current) revert WrongJoiner(current);

        table.tossShare = share;
        table.progress = progress.withStatus(Status.JoinerReveals);
        emit TossRevealed(gameId, share);
    }

    /// @inheritdoc IFogmate
    function revealJoiner(bytes32 gameId, uint256 share) external {
        Table storage table = _tables[gameId];
        Progress progress = _expectReveal(table, Status.JoinerReveals, JOINER, share);

        uint256 white = Toss.creatorIsWhite(table.tossShare, share, gameId) ? CREATOR : JOINER;
        delete table.tossShare;
        progress = progress.withWhiteRole(white).withPending(NO_SQUARE).withPreviousPending(NO_SQUARE).restarted();
        if (progress.mode() == Mode.Channel) {
            table.progress = progress.withStatus(Status.Asleep);
        } else {
            _begin(table, white);
            table.progress = progress.withStatus(Status.Playing);
        }
        emit GameStarted(gameId, table.stakes[white].account, table.stakes[white ^ 1].account, share);
    }

    /// @inheritdoc IFogmate
    function gameIdOf(
        address creator,
        uint256 nonce,
        Terms calldata terms,
        bytes32 tossCommitment,
        Point calldata fogKey
    ) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), creator, nonce, terms, tossCommitment, fogKey));
    }

    /// @inheritdoc IFogmate
    function tossCommitmentOf(address player, uint256 share) external pure returns (bytes32) {
        return Toss.commitmentOf(player, share);
    }

    /// @dev Puts the start of a game on the table.
    function _begin(Table storage table, uint256 white) internal {
        _place(table.commitments[white], 0, WHITE_START, PRIMED, PRIMED);
        _place(table.commitments[white ^ 1], 0, BLACK_START, PRIMED, PRIMED);
        table.answerRoot = PRIMED;
    }

    /// @dev Puts what a player is bound to where `moves` moves of it have put it.
    function _place(Commitments storage own, uint256 moves, uint256 state, uint256 before, uint256 root) internal {
        own.states[moves % 2] = state;
        own.states[(moves + 1) % 2] = before;
        own.requestRoot = root;
    }

    /// @dev The progress of a game in which `role`, the sender, now reveals in time what it committed to.
    function _expectReveal(Table storage table, Status status, uint256 role, uint256 share)
        private
        view
        returns (Progress progress)
    {
        progress = _expect(table, status);
        if (msg.sender != table.stakes[role].account) revert NotYourTurn();
        if (block.timestamp > _earliest(table, progress).last) revert OutOfTime();
        if (Toss.commitmentOf(msg.sender, share) != table.tossCommitments[role]) revert WrongReveal();
    }

    /// @dev Gives a role to the sender, with its stake, its share of the toss and its fog key.
    function _enter(Table storage table, uint256 role, bytes32 tossCommitment, Point calldata fogKey) private {
        table.stakes[role] = Stake(msg.sender, uint96(msg.value));
        table.tossCommitments[role] = tossCommitment;
        table.commitments[role].fogKeyX = fogKey.x;
        table.commitments[role].fogKeyY = fogKey.y;
    }
}
