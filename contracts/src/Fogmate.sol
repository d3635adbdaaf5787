// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Purse} from "./Purse.sol";
import {IFogmate} from "./interfaces/IFogmate.sol";
import {Clock} from "./libraries/Clock.sol";
import {FIELD_ORDER, NO_SQUARE} from "./libraries/Field.sol";
import {FogContext, Sight} from "./libraries/FogContext.sol";
import {FogKeys} from "./libraries/FogKeys.sol";
import {Toss} from "./libraries/Toss.sol";
import {TURN_INPUTS, TurnProof} from "./libraries/TurnProof.sol";
import {NO_SEAT, Progress, openProgress} from "./types/Progress.sol";
import {Seat, Table} from "./types/Table.sol";

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
        _sit(table.seats[0], fogKey);
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
        if (fogKey.x == creator.keyX && fogKey.y == creator.keyY) revert SameFogKey();

        _sit(table.seats[1], fogKey);
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
        table.seats[white].commitment = WHITE_START;
        table.seats[white ^ 1].commitment = BLACK_START;
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
        Seat storage mover = table.seats[seat];
        if (declared.ply != progress.ply()) revert StalePly(uint16(progress.ply()));
        if (msg.sender != mover.account) revert NotYourTurn();
        if (block.timestamp > progress.deadline()) revert OutOfTime();
        if (declared.capture > NO_SQUARE) revert BadSquare(declared.capture);
        _checkAnswer(gameId, progress, mover, table.seats[seat ^ 1], declared);
        TurnProof.check(turnVerifier, turnProofLength, _turnInputs(gameId, table, progress, declared), proof);

        mover.commitment = declared.nextCommitment;
        mover.requestRoot = declared.nextRequestRoot;
        table.answerRoot = declared.answerRoot;
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
        g.answerRoot = table.answerRoot;
        for (uint256 colour = 0; colour < 2; ++colour) {
            uint256 seat = colour ^ p.whiteSeat();
            Seat storage from = table.seats[seat];
            g.players[colour] = Player({
                account: from.account,
                viewKeyPublished: p.viewKeyPublished(seat),
                clock: uint32(p.clock(seat)),
                fogKey: Point(from.keyX, from.keyY),
                commitment: from.commitment,
                requestRoot: from.requestRoot
            });
        }
    }

    /// @inheritdoc IFogmate
    function contextOf(bytes32 gameId, uint8 phase) external view returns (uint256) {
        Table storage table = _tables[gameId];
        Progress progress = _expect(table, Status.Playing);
        uint256 ply = progress.ply();
        Seat storage toMove = table.seats[progress.seatToMove()];
        Seat storage moved = table.seats[progress.seatToMove() ^ 1];
        if (phase == 0) return ply < 2 ? 0 : _contextBefore(gameId, progress, toMove, moved);
        if (phase != 1 || ply == 0) revert NoSuchPhase();

        Sight memory sight = _sight(gameId, ply - 1, toMove, moved);
        sight.phase = 1;
        sight.senderPending = progress.pending();
        sight.receiverPending = NO_SQUARE;
        return FogContext.hash(sight);
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
    /// Ply 0 answers nothing, for Black has made no request yet.
    function _checkAnswer(
        bytes32 gameId,
        Progress progress,
        Seat storage mover,
        Seat storage other,
        Move calldata declared
    ) private view {
        uint256 expected = 0;
        if (progress.ply() == 0) {
            if (declared.answerRoot != 0) revert AnswerTooEarly();
        } else {
            if (declared.answerRoot >= FIELD_ORDER) revert NotInField(declared.answerRoot);
            Sight memory sight = _sight(gameId, progress.ply() + 1, mover, other);
            sight.senderCommitment = declared.nextCommitment;
            sight.receiverPending = declared.capture;
            expected = FogContext.hash(sight);
        }
        if (declared.ctxNext != expected) revert WrongContext(expected);
    }

    /// @dev The public inputs of *turn*, in the order of protocol, Encodings.
    function _turnInputs(bytes32 gameId, Table storage table, Progress progress, Move calldata declared)
        private
        view
        returns (uint256[TURN_INPUTS] memory inputs)
    {
        uint256 seat = progress.seatToMove();
        Seat storage mover = table.seats[seat];
        Seat storage other = table.seats[seat ^ 1];
        bool opening = progress.ply() < 2;
        inputs[0] = mover.commitment;
        inputs[1] = progress.pending();
        inputs[2] = declared.nextCommitment;
        if (!opening) {
            inputs[3] = mover.requestRoot;
            inputs[4] = table.answerRoot;
            inputs[5] = _contextBefore(gameId, progress, mover, other);
        }
        inputs[6] = other.keyX;
        inputs[7] = other.keyY;
        inputs[8] = declared.nextRequestRoot;
        inputs[9] = progress.ply() & 1;
        inputs[10] = opening ? 1 : 0;
        inputs[11] = declared.capture;
        inputs[12] = declared.kingFell ? 1 : 0;
    }

    /// @dev Context of the sight that the player to move has before its move.
    function _contextBefore(bytes32 gameId, Progress progress, Seat storage toMove, Seat storage moved)
        private
        view
        returns (uint256)
    {
        Sight memory sight = _sight(gameId, progress.ply(), moved, toMove);
        sight.receiverPending = progress.pending();
        return FogContext.hash(sight);
    }

    /// @dev A sight in phase 0 with both boards as stored. What the caller must still set: the receiver's pending square.
    function _sight(bytes32 gameId, uint256 ply, Seat storage sender, Seat storage receiver)
        private
        view
        returns (Sight memory sight)
    {
        sight.tag = FogContext.TAG;
        sight.chainId = block.chainid;
        sight.game = address(this);
        sight.gameId = gameId;
        sight.ply = ply;
        sight.senderCommitment = sender.commitment;
        sight.senderPending = NO_SQUARE;
        sight.receiverCommitment = receiver.commitment;
        sight.senderKeyX = sender.keyX;
        sight.senderKeyY = sender.keyY;
        sight.requestRoot = receiver.requestRoot;
    }

    // ---------------------------------------------------------------- effects

    /// @dev Seats the sender with its stake and fog key.
    function _sit(Seat storage seat, Point calldata fogKey) private {
        seat.account = msg.sender;
        seat.stake = uint96(msg.value);
        seat.keyX = fogKey.x;
        seat.keyY = fogKey.y;
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
