// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Contest} from "./Contest.sol";
import {TagStatements} from "./TagStatements.sol";
import {ITagGame} from "./interfaces/Contests.sol";

/// @title Tag between two kings that nobody sees but who stands beside them
/// @notice See `ITagGame`.
contract TagGame is Contest, TagStatements {
    /// @dev What the steps have led to; what changes with every action is one word.
    struct Play {
        Phase phase;
        /// Files and ranks of the grid.
        uint8 side;
        uint16 ply;
        /// Plies after which the game is drawn.
        uint16 plies;
        /// When the time for the next action began.
        uint40 since;
        /// The commitments to where the kings stand.
        uint256[2] commitments;
        /// The hashes of their sets.
        uint256[2] setHashes;
        /// The hash of the reply that came with the latest step.
        bytes32 answered;
    }

    mapping(bytes32 gameId => Play) private _plays;

    /// @param with The generated contracts; each must have code.
    constructor(Verifiers memory with) TagStatements(with) {}

    /// @inheritdoc ITagGame
    function create(uint256 nonce, Terms calldata terms, Placement calldata placement, bytes calldata proof)
        external
        payable
        returns (bytes32 gameId)
    {
        _checkTerms(terms.stake, terms.turn, terms.expiry, terms.opponent);
        if (terms.side < 5 || terms.side > 8) revert BadTerms();
        if (terms.plies == 0) revert BadTerms();

        gameId = gameIdOf(msg.sender, nonce, terms, placement.commitment, placement.setHash);
        _open(gameId, terms.stake, terms.turn, terms.expiry, terms.opponent);
        _checkStep(0, _placeOf(terms.side, CREATOR), placement, proof);
        Play storage play = _plays[gameId];
        (play.side, play.plies) = (terms.side, terms.plies);
        _put(play, CREATOR, placement);
        emit GameCreated(gameId, msg.sender, terms.opponent, nonce, terms, placement);
    }

    /// @inheritdoc ITagGame
    function join(bytes32 gameId, Placement calldata placement, bytes calldata proof) external payable {
        _join(gameId);
        Play storage play = _plays[gameId];
        _checkStep(0, _placeOf(play.side, JOINER), placement, proof);
        _put(play, JOINER, placement);
        play.since = uint40(block.timestamp);
        emit GameJoined(gameId, msg.sender, placement);
    }

    /// @inheritdoc ITagGame
    function step(
        bytes32 gameId,
        Placement calldata placement,
        bytes calldata stepProof,
        Answer calldata answer,
        bytes calldata replyProof
    ) external {
        (Play storage play, uint256 mover) = _expectDue(gameId, Phase.Step);
        _checkStep(play.commitments[mover], play.side, placement, stepProof);
        _checkReply(placement.commitment, play.setHashes[1 - mover], answer, replyProof);

        _put(play, mover, placement);
        play.answered = keccak256(abi.encode(answer));
        (play.phase, play.since) = (Phase.Reply, uint40(block.timestamp));
        emit Stepped(gameId, msg.sender, play.ply, placement, answer);
    }

    /// @inheritdoc ITagGame
    function reply(bytes32 gameId, Answer calldata answer, bytes calldata proof) external {
        (Play storage play, uint256 replier) = _expectDue(gameId, Phase.Reply);
        _checkReply(play.commitments[replier], play.setHashes[1 - replier], answer, proof);

        uint16 ply = play.ply;
        emit Replied(gameId, msg.sender, ply, answer);
        Phase next = ply + 1 < play.plies ? Phase.Step : Phase.Last;
        (play.ply, play.phase, play.since) = (ply + 1, next, uint40(block.timestamp));
    }

    /// @inheritdoc ITagGame
    function capture(bytes32 gameId, Answer calldata answer, uint8 place, bytes calldata proof) external {
        uint256 captor = _due(gameId);
        _expectTurn(gameId, captor);
        Play storage play = _plays[gameId];
        if (keccak256(abi.encode(answer)) != play.answered) revert WrongAnswer();
        if (place > 8) revert NoPlace();
        _checkCapture(play.commitments[captor], answer.own, answer.raised[place], proof);
        _win(gameId, captor, Outcome.Won);
    }

    /// @inheritdoc ITagGame
    function settle(bytes32 gameId) external {
        _expectDue(gameId, Phase.Last);
        _draw(gameId);
    }

    /// @inheritdoc ITagGame
    function game(bytes32 gameId) external view returns (Game memory g) {
        (Table storage table, Play storage play) = (_tables[gameId], _plays[gameId]);
        (g.status, g.phase, g.outcome, g.winner) = (table.status, play.phase, table.outcome, _winner(table));
        (g.creator, g.joiner) = (table.creator, table.joiner);
        (g.stake, g.turn, g.expiry) = (table.stake, table.turn, table.expiry);
        (g.side, g.ply, g.plies, g.since) = (play.side, play.ply, play.plies, play.since);
        (g.commitments, g.setHashes, g.answered) = (play.commitments, play.setHashes, play.answered);
    }

    /// @inheritdoc ITagGame
    function gameIdOf(address creator, uint256 nonce, Terms calldata terms, uint256 commitment, uint256 setHash)
        public
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(block.chainid, address(this), creator, nonce, terms, commitment, setHash));
    }

    /// @inheritdoc Contest
    function _since(bytes32 gameId) internal view override returns (uint256) {
        return _plays[gameId].since;
    }

    /// @inheritdoc Contest
    /// @dev From a step on the player who has not made it, until it steps itself; first the creator.
    function _due(bytes32 gameId) internal view override returns (uint256 role) {
        Play storage play = _plays[gameId];
        uint256 mover = play.ply % 2;
        return play.phase == Phase.Reply ? 1 - mover : mover;
    }

    /// @inheritdoc Contest
    function _isPlayedOut(bytes32 gameId) internal view override returns (bool) {
        return _plays[gameId].phase == Phase.Last;
    }

    /// @dev The play and who has to act in it, if that is the sender and the game is in a phase.
    function _expectDue(bytes32 gameId, Phase phase) private view returns (Play storage play, uint256 role) {
        (play, role) = (_plays[gameId], _due(gameId));
        _expectTurn(gameId, role);
        if (play.phase != phase) revert WrongPhase(play.phase);
    }

    /// @dev The public input of *tag step* for a king that is placed: the first square, or the last.
    function _placeOf(uint256 side, uint256 role) private pure returns (uint256) {
        return side + 16 * (1 + role * 17 * (side - 1));
    }

    /// @dev Takes a proven placement on record.
    function _put(Play storage play, uint256 role, Placement calldata placement) private {
        play.commitments[role] = placement.commitment;
        play.setHashes[role] = placement.setHash;
    }
}
