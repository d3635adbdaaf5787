// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {GameStorage} from "./GameStorage.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {NO_SQUARE} from "./libraries/Field.sol";
import {FogKeys} from "./libraries/FogKeys.sol";
import {Toss} from "./libraries/Toss.sol";
import {CREATOR, JOINER, NOBODY, Progress, openProgress} from "./types/Progress.sol";
import {PRIMED, Stake, Table} from "./types/Table.sol";

/// @title Before the first move
/// @notice Protocol section 8: create, cancel, join, and the toss for colours.
abstract contract Lobby is GameStorage {
    using FogKeys for IFogmate.Point;
    using Clock for Progress;

    /// @dev H(COMMIT; state, salt 0) of White's starting position, protocol section 4.
    uint256 internal constant WHITE_START = 0x1c64b212d0b24392035c2b688153d6aa522a539ed18c726d3a4baa31509b1658;
    /// @dev The same of Black's.
    uint256 internal constant BLACK_START = 0x2da8d0dc476ba0d178e41fd406327a5157c3af3b8a99bdfff017932f48c8163e;

    mapping(address creator => uint256 nonce) private _nonces;

    /// @inheritdoc IFogmate
    function create(Terms calldata terms, bytes32 tossCommitment, Point calldata fogKey)
        external
        payable
        returns (bytes32 gameId)
    {
        if (msg.value != terms.stake) revert WrongStake(terms.stake);
        if (terms.opponent == msg.sender) revert SelfPlay();
        if (!fogKey.isValid()) revert BadFogKey();
        Clock.check(terms);

        gameId = nextGameId(msg.sender);
        ++_nonces[msg.sender];
        Table storage table = _tables[gameId];
        table.progress = openProgress(terms.base, terms.increment, terms.delay);
        table.tossCommitment = tossCommitment;
        table.stakes[JOINER].account = terms.opponent;
        _enter(table, CREATOR, fogKey);
        emit GameCreated(
            gameId,
            msg.sender,
            terms.opponent,
            terms.stake,
            terms.base,
            terms.increment,
            terms.delay,
            tossCommitment,
            fogKey
        );
    }

    /// @inheritdoc IFogmate
    function cancel(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Open);
        if (msg.sender != table.stakes[CREATOR].account) revert NotCreator();

        table.stakes[JOINER].account = address(0);
        _end(gameId, table, progress, NOBODY, Outcome.Cancelled);
    }

    /// @inheritdoc IFogmate
    function join(bytes32 gameId, uint256 r2, Point calldata fogKey) external payable {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Open);
        Stake storage creator = table.stakes[CREATOR];
        address invited = table.stakes[JOINER].account;
        if (msg.sender == creator.account) revert SelfPlay();
        if (invited != address(0) && msg.sender != invited) revert NotInvited();
        if (msg.value != creator.amount) revert WrongStake(creator.amount);
        if (!fogKey.isValid()) revert BadFogKey();
        if (fogKey.x == table.commitments[CREATOR].fogKeyX && fogKey.y == table.commitments[CREATOR].fogKeyY) {
            revert SameFogKey();
        }

        _enter(table, JOINER, fogKey);
        table.tossShare = r2;
        table.progress = progress.withStatus(Status.Toss).withSince(block.timestamp);
        emit GameJoined(gameId, msg.sender, r2, fogKey);
    }

    /// @inheritdoc IFogmate
    function reveal(bytes32 gameId, uint256 r1) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Toss);
        if (msg.sender != table.stakes[CREATOR].account) revert NotCreator();
        if (block.timestamp > progress.deadline()) revert OutOfTime();
        if (Toss.commitmentOf(r1, msg.sender) != table.tossCommitment) revert WrongReveal();

        uint256 white = Toss.creatorIsWhite(r1, table.tossShare) ? CREATOR : JOINER;
        delete table.tossCommitment;
        delete table.tossShare;
        table.commitments[white].commitment = WHITE_START;
        table.commitments[white ^ 1].commitment = BLACK_START;
        table.commitments[CREATOR].requestRoot = PRIMED;
        table.commitments[JOINER].requestRoot = PRIMED;
        table.answerRoot = PRIMED;
        table.progress =
            progress.withStatus(Status.Playing).withWhiteRole(white).withPending(NO_SQUARE).withSince(block.timestamp);
        emit GameStarted(gameId, table.stakes[white].account, table.stakes[white ^ 1].account, r1);
    }

    /// @inheritdoc IFogmate
    function nextGameId(address creator) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), creator, _nonces[creator]));
    }

    /// @dev Gives a role to the sender, with its stake and fog key.
    function _enter(Table storage table, uint256 role, Point calldata fogKey) private {
        table.stakes[role] = Stake(msg.sender, uint96(msg.value));
        table.commitments[role].fogKeyX = fogKey.x;
        table.commitments[role].fogKeyY = fogKey.y;
    }
}
