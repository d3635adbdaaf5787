// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Purse} from "./Purse.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {FIELD_ORDER, NO_SQUARE} from "./libraries/Field.sol";
import {FogContext} from "./libraries/FogContext.sol";
import {FogKeys} from "./libraries/FogKeys.sol";
import {Toss} from "./libraries/Toss.sol";
import {TURN_INPUTS, TurnProof} from "./libraries/TurnProof.sol";
import {NO_SEAT, Progress, openProgress} from "./types/Progress.sol";
import {PRIMED, Seat, Side, Table} from "./types/Table.sol";

/// @title Fogmate
/// @notice Games of dark chess without a referee, protocol section 8. No owner, no upgrade, no pause: nobody stands above
/// the players. The dispute about a sight and the claims of a draw are not here.
contract Fogmate is Purse {
    using FogKeys for IFogmate.Point;
    using Clock for Progress;

    /// @dev H(COMMIT; state, salt 0) of White's starting position, protocol section 4.
    uint256 internal constant WHITE_START = 0x1c64b212d0b24392035c2b688153d6aa522a539ed18c726d3a4baa31509b1658;
    /// @dev The same of Black's.
    uint256 internal constant BLACK_START = 0x2da8d0dc476ba0d178e41fd406327a5157c3af3b8a99bdfff017932f48c8163e;

    /// @inheritdoc IFogmate
    address public immutable turnVerifier;
    /// @inheritdoc IFogmate
    uint256 public immutable turnProofLength;

    mapping(bytes32 gameId => Table) private _tables;
    mapping(address creator => uint256 nonce) private _nonces;

    /// @param verifier The generated verifier of *turn* proofs.
    /// @param proofLength The exact length of its proofs in bytes.
    constructor(address verifier, uint256 proofLength) {
        TurnProof.requireCode(verifier);
        turnVerifier = verifier;
        turnProofLength = proofLength;
    }

    // ---------------------------------------------------------------- before the first move

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
        table.seats[1].account = terms.opponent;
        _sit(table, 0, fogKey);
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
        if (msg.sender != table.seats[0].account) revert NotCreator();

        table.seats[1].account = address(0);
        _end(gameId, table, progress, NO_SEAT, Outcome.Cancelled);
    }

    /// @inheritdoc IFogmate
    function join(bytes32 gameId, uint256 r2, Point calldata fogKey) external payable {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Open);
        Seat storage creator = table.seats[0];
        address invited = table.seats[1].account;
        if (msg.sender == creator.account) revert SelfPlay();
        if (invited != address(0) && msg.sender != invited) revert NotInvited();
        if (msg.value != creator.stake) revert WrongStake(creator.stake);
        if (!fogKey.isValid()) revert BadFogKey();
        if (fogKey.x == table.sides[0].keyX && fogKey.y == table.sides[0].keyY) revert SameFogKey();

        _sit(table, 1, fogKey);
        table.tossShare = r2;
        table.progress = progress.withStatus(Status.Toss).withSince(block.timestamp);
        emit GameJoined(gameId, msg.sender, r2, fogKey);
    }

    /// @inheritdoc IFogmate
    function reveal(bytes32 gameId, uint256 r1) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Toss);
        if (msg.sender != table.seats[0].account) revert NotCreator();
        if (block.timestamp > progress.deadline()) revert OutOfTime();
        if (Toss.commitmentOf(r1, msg.sender) != table.tossCommitment) revert WrongReveal();

        uint256 white = Toss.creatorIsWhite(r1, table.tossShare) ? 0 : 1;
        delete table.tossCommitment;
        delete table.tossShare;
        table.sides[white].commitment = WHITE_START;
        table.sides[white ^ 1].commitment = BLACK_START;
        table.sides[0].requestRoot = PRIMED;
        table.sides[1].requestRoot = PRIMED;
        table.answerRoot = PRIMED;
        table.progress =
            progress.withStatus(Status.Playing).withWhiteSeat(white).withPending(NO_SQUARE).withSince(block.timestamp);
        emit GameStarted(gameId, table.seats[white].account, table.seats[white ^ 1].account, r1);
    }

    // ---------------------------------------------------------------- play

    /// @inheritdoc IFogmate
    function move(bytes32 gameId, Move calldata declared, bytes calldata proof) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        uint256 seat = progress.seatToMove();
        if (declared.ply != progress.ply()) revert StalePly(uint16(progress.ply()));
        if (msg.sender != table.seats[seat].account) revert NotYourTurn();
        if (block.timestamp > progress.deadline()) revert OutOfTime();
        if (declared.capture > NO_SQUARE) revert BadSquare(declared.capture);
        {
            Side memory mover = table.sides[seat];
            Side memory other = table.sides[seat ^ 1];
            uint256[TURN_INPUTS] memory inputs = _turnInputs(gameId, progress, mover, other, declared);
            if (!progress.isOpening()) inputs[4] = table.answerRoot;
            mover.commitment = declared.nextCommitment;
            _checkAnswer(gameId, mover, other, declared);
            TurnProof.check(turnVerifier, turnProofLength, inputs, proof);
        }
        table.sides[seat].commitment = declared.nextCommitment;
        table.sides[seat].requestRoot = declared.nextRequestRoot;
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
        _advance(gameId, table, progress, declared);
    }

    /// @inheritdoc IFogmate
    function resign(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        _end(gameId, table, progress, _seatOfSender(table) ^ 1, Outcome.Resigned);
    }

    /// @inheritdoc IFogmate
    function acceptDraw(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        if (msg.sender != table.seats[progress.seatToMove()].account) revert NotYourTurn();
        if (!progress.drawOffered()) revert NoDrawOffer();
        if (block.timestamp > progress.deadline()) revert OutOfTime();
        _end(gameId, table, progress, NO_SEAT, Outcome.DrawAgreed);
    }

    /// @inheritdoc IFogmate
    function claimTimeout(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress progress = table.progress;
        Status status = progress.status();
        if (status != Status.Toss && status != Status.Playing) revert WrongStatus(status);
        uint256 deadline = progress.deadline();
        if (block.timestamp <= deadline) revert StillInTime(deadline);
        if (status == Status.Toss) _end(gameId, table, progress, 1, Outcome.Unrevealed);
        else _end(gameId, table, progress, progress.seatToMove() ^ 1, Outcome.TimedOut);
    }

    /// @inheritdoc IFogmate
    function publishViewKey(bytes32 gameId, bytes32 viewKey) external {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Over);
        uint256 seat = _seatOfSender(table);
        if (progress.viewKeyPublished(seat)) revert AlreadyPublished();
        table.progress = progress.withViewKeyPublished(seat);
        emit ViewKeyPublished(gameId, msg.sender, viewKey);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc IFogmate
    function game(bytes32 gameId) external view returns (Game memory g) {
        Table storage table = _tables[gameId];
        Progress p = table.progress;
        g.status = p.status();
        if (g.status == Status.None) return g;
        g.outcome = p.outcome();
        if (p.winnerSeat() != NO_SEAT) g.winner = table.seats[p.winnerSeat()].account;
        g.creator = table.seats[0].account;
        g.ply = uint16(p.ply());
        g.pending = uint8(p.pending());
        g.drawOffered = p.drawOffered();
        g.quietPlies = uint16(p.quietPlies());
        g.since = uint40(p.since());
        g.stake = table.seats[0].stake;
        g.base = uint32(p.base());
        g.increment = uint32(p.increment());
        g.delay = uint32(p.delay());
        g.tossCommitment = table.tossCommitment;
        g.tossShare = table.tossShare;
        if (!p.isOpening()) g.answerRoot = table.answerRoot;
        for (uint256 colour = 0; colour < 2; ++colour) {
            uint256 seat = colour ^ p.whiteSeat();
            Side memory side = table.sides[seat];
            g.players[colour] = Player({
                account: table.seats[seat].account,
                viewKeyPublished: p.viewKeyPublished(seat),
                clock: uint32(p.clock(seat)),
                fogKey: Point(side.keyX, side.keyY),
                commitment: side.commitment,
                requestRoot: p.ply() > colour ? side.requestRoot : 0
            });
        }
    }

    /// @inheritdoc IFogmate
    function contextOf(bytes32 gameId, uint8 phase) external view returns (uint256) {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        uint256 ply = progress.ply();
        Side memory toMove = table.sides[progress.seatToMove()];
        Side memory moved = table.sides[progress.seatToMove() ^ 1];
        if (phase == 0) {
            return progress.isOpening() ? 0 : FogContext.beforeMove(gameId, ply, moved, toMove, progress.pending());
        }
        if (phase != 1 || ply == 0) revert NoSuchPhase();
        return FogContext.afterMove(gameId, ply - 1, toMove, moved, progress.pending());
    }

    /// @inheritdoc IFogmate
    function clocks(bytes32 gameId) external view returns (uint256 white, uint256 black, uint256 deadline) {
        Progress progress = _tables[gameId].progress;
        Status status = progress.status();
        if (status == Status.Toss) return (progress.base(), progress.base(), progress.deadline());
        if (status != Status.Playing) return (0, 0, 0);
        deadline = progress.deadline();
        uint256 running = progress.left();
        uint256 resting = progress.clock(progress.seatToMove() ^ 1);
        (white, black) = progress.ply() & 1 == 0 ? (running, resting) : (resting, running);
    }

    /// @inheritdoc IFogmate
    function nextGameId(address creator) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), creator, _nonces[creator]));
    }

    // ---------------------------------------------------------------- checks

    function _expect(Table storage table, Status expected) private view returns (Progress progress) {
        progress = table.progress;
        if (progress.status() != expected) revert WrongStatus(progress.status());
    }

    function _seatOfSender(Table storage table) private view returns (uint256) {
        if (msg.sender == table.seats[0].account) return 0;
        if (msg.sender == table.seats[1].account) return 1;
        revert NotPlayer();
    }

    /// @dev Section 6, step 1: the answer that rides on a move is for the opponent's next sight, and for that very context.
    /// `mover` is as the move leaves it. Ply 0 answers nothing, for Black has made no request yet.
    function _checkAnswer(bytes32 gameId, Side memory mover, Side memory other, Move calldata declared) private view {
        uint256 expected = 0;
        uint256 ply = declared.ply;
        if (ply == 0) {
            if (declared.answerRoot != 0) revert AnswerTooEarly();
        } else {
            if (declared.answerRoot >= FIELD_ORDER) revert NotInField(declared.answerRoot);
            expected = FogContext.beforeMove(gameId, ply + 1, mover, other, declared.capture);
        }
        if (declared.ctxNext != expected) revert WrongContext(expected);
    }

    /// @dev The public inputs of *turn* in the order of protocol, Encodings; `mover` is as it was before the move. The
    /// opening has no sight: requestRoot, answerRoot and ctx are 0 in it. Later plies leave answerRoot to the caller.
    function _turnInputs(
        bytes32 gameId,
        Progress progress,
        Side memory mover,
        Side memory other,
        Move calldata declared
    ) private view returns (uint256[TURN_INPUTS] memory inputs) {
        uint256 ply = progress.ply();
        inputs[0] = mover.commitment;
        inputs[1] = progress.pending();
        inputs[2] = declared.nextCommitment;
        if (progress.isOpening()) {
            inputs[10] = 1;
        } else {
            inputs[3] = mover.requestRoot;
            inputs[5] = FogContext.beforeMove(gameId, ply, other, mover, progress.pending());
        }
        inputs[6] = other.keyX;
        inputs[7] = other.keyY;
        inputs[8] = declared.nextRequestRoot;
        inputs[9] = ply & 1;
        inputs[11] = declared.capture;
        if (declared.kingFell) inputs[12] = 1;
    }

    // ---------------------------------------------------------------- effects

    /// @dev Seats the sender with its stake and fog key.
    function _sit(Table storage table, uint256 seat, Point calldata fogKey) private {
        table.seats[seat] = Seat(msg.sender, uint96(msg.value));
        table.sides[seat].keyX = fogKey.x;
        table.sides[seat].keyY = fogKey.y;
    }

    /// @dev Passes the turn, or ends the game if a king fell or the plies can't be counted further.
    function _advance(bytes32 gameId, Table storage table, Progress progress, Move calldata declared) private {
        uint256 seat = progress.seatToMove();
        uint256 made = progress.ply() + 1;
        uint256 quiet = declared.capture == NO_SQUARE ? progress.quietPlies() + 1 : 0;
        progress = progress.withClock(seat, progress.afterPly());
        progress = progress.withPly(made).withQuietPlies(quiet).withSince(block.timestamp);
        progress = progress.withPending(declared.capture).withDrawOffered(declared.offerDraw);
        if (declared.kingFell) _end(gameId, table, progress, seat, Outcome.KingCaptured);
        else if (made == type(uint16).max) _end(gameId, table, progress, NO_SEAT, Outcome.TooLong);
        else table.progress = progress;
    }

    /// @dev Ends a game and puts the stakes aside: both for the winner, or to each its own.
    function _end(bytes32 gameId, Table storage table, Progress progress, uint256 winner, Outcome outcome) private {
        table.progress = progress.withStatus(Status.Over).withOutcome(outcome).withWinnerSeat(winner);
        (address first, uint256 firstStake) = (table.seats[0].account, table.seats[0].stake);
        (address second, uint256 secondStake) = (table.seats[1].account, table.seats[1].stake);
        if (winner == NO_SEAT) {
            _credit(first, firstStake);
            _credit(second, secondStake);
            emit GameEnded(gameId, address(0), uint16(progress.ply()), outcome);
        } else {
            address account = winner == 0 ? first : second;
            _credit(account, firstStake + secondStake);
            emit GameEnded(gameId, account, uint16(progress.ply()), outcome);
        }
    }
}
