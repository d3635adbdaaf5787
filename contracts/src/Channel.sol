// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Lobby} from "./Lobby.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {CREATOR, JOINER, NOBODY, Progress} from "./types/Progress.sol";
import {Commitments, Table} from "./types/Table.sol";

/// @title Games between the players' machines
/// @notice Protocol section 8: what both players have signed stands in the place of what the chain has seen. The chain is the judge
/// when they don't agree: a signed position is woken, and for one window a later one may replace it.
abstract contract Channel is Lobby {
    using Clock for Progress;

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME = keccak256("Fogmate");
    bytes32 private constant VERSION = keccak256("1");
    bytes32 private constant POSITION_TYPE = keccak256(
        "Position(bytes32 gameId,bytes32 previous,uint16 ply,uint16 quietPlies,uint8 pending,uint8 previousPending,"
        "bool drawOffered,uint32 whiteClock,uint32 blackClock,uint256 whiteState,uint256 whiteStateBefore,"
        "uint256 blackState,uint256 blackStateBefore,uint256 whiteRequestRoot,uint256 blackRequestRoot,uint256 answerRoot)"
    );
    bytes32 private constant RESULT_TYPE = keccak256("Result(bytes32 gameId,uint8 winner,uint8 outcome,bytes32 last)");
    /// @dev The outcomes that players may sign, a bit each, if somebody wins.
    // The lint takes a shift of 1 for one whose operands are the wrong way round.
    // forge-lint: disable-next-item(incorrect-shift)
    uint256 private constant WON = (1 << uint256(Outcome.KingCaptured)) | (1 << uint256(Outcome.Resigned));
    /// @dev The same if nobody does.
    // forge-lint: disable-next-item(incorrect-shift)
    uint256 private constant DRAWN =
        (1 << uint256(Outcome.DrawAgreed)) | (1 << uint256(Outcome.FiftyMoves)) | (1 << uint256(Outcome.NoMove));

    /// @inheritdoc IFogmate
    function wake(bytes32 gameId, Position calldata position, Signature[2] calldata signatures) external {
        Table storage table = _tables[gameId];
        Progress progress = table.progress.settled();
        if (progress.status() == Status.Asleep) {
            progress = progress.withStatus(Status.Playing).withHold(Hold.Contest)
                .withSince(block.timestamp + progress.window());
        } else if (progress.hold() != Hold.Contest) {
            revert WrongStatus(progress.status());
        } else if (position.ply <= progress.ply()) {
            revert NotLater(uint16(progress.ply()));
        }
        uint256 white = progress.whiteRole();
        if (position.ply == 0) {
            _roleOfSender(table);
            _begin(table, white);
        } else {
            if (position.ply == type(uint16).max) revert BadPosition();
            bytes32 structHash = keccak256(abi.encode(POSITION_TYPE, gameId, position));
            _checkSigned(table, NOBODY, structHash, signatures);
            progress = progress.withPly(position.ply).withQuietPlies(position.quietPlies);
            progress = progress.withPending(position.pending).withPreviousPending(position.previousPending);
            progress = progress.withDrawOffered(position.drawOffered);
            progress = progress.withClock(white, position.whiteClock).withClock(white ^ 1, position.blackClock);
            Commitments storage own = table.commitments[white];
            _place(own, progress.movesOf(0), position.whiteState, position.whiteStateBefore, position.whiteRequestRoot);
            own = table.commitments[white ^ 1];
            _place(own, progress.movesOf(1), position.blackState, position.blackStateBefore, position.blackRequestRoot);
            table.answerRoot = position.answerRoot;
        }
        table.progress = progress;
        emit Woken(gameId, position, progress.since());
    }

    /// @inheritdoc IFogmate
    function close(bytes32 gameId, uint8 winner, Outcome outcome, bytes32 last, Signature[2] calldata signatures)
        external
    {
        Table storage table = _tables[gameId];
        Progress progress = table.progress;
        Status status = progress.status();
        if (progress.mode() != Mode.Channel || (status != Status.Asleep && status != Status.Playing)) {
            revert WrongStatus(status);
        }
        uint256 allowed = winner < NOBODY ? WON : winner == NOBODY ? DRAWN : 0;
        if ((allowed >> uint256(outcome)) & 1 == 0) revert BadResult();
        _checkSigned(table, winner, keccak256(abi.encode(RESULT_TYPE, gameId, winner, outcome, last)), signatures);
        emit Closed(gameId, last);
        _end(gameId, table, progress, winner, outcome);
    }

    /// @dev Reverts unless both have signed, but for the role `except` and the sender.
    function _checkSigned(Table storage table, uint256 except, bytes32 structHash, Signature[2] calldata signatures)
        private
        view
    {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, structHash));
        for (uint256 role = CREATOR; role <= JOINER; ++role) {
            address player = table.stakes[role].account;
            if (role == except || msg.sender == player) continue;
            bytes32 vs = signatures[role].vs;
            bytes32 s = vs & bytes32(type(uint256).max >> 1);
            // No player is the zero address, which comes of what is no signature.
            // casting to 'uint8' is safe because it is one bit
            // forge-lint: disable-next-line(unsafe-typecast)
            if (ecrecover(digest, uint8(uint256(vs) >> 255) + 27, signatures[role].r, s) != player) {
                revert NotSigned(player);
            }
        }
    }
}
