// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {TagStatements} from "./TagStatements.sol";
import {ITagGame} from "./interfaces/ITagGame.sol";

/// @title Tag between two kings that nobody sees but who stands beside them
/// @notice See `ITagGame`. No owner, no upgrade, no pause. Money leaves the contract only in `withdraw`, only what belongs to the
/// sender, and only when it asks.
contract TagGame is TagStatements {
    /// @dev What changes with every action, one word.
    struct Progress {
        Status status;
        Phase phase;
        Outcome outcome;
        /// Files and ranks of the grid.
        uint8 side;
        /// Whether the creator won, where anybody did.
        bool creatorWon;
        uint16 ply;
        /// Plies after which the game is drawn.
        uint16 plies;
        /// When the time for the next action began.
        uint40 since;
        /// The time for each action.
        uint24 turn;
    }

    /// @dev The public state of one game.
    struct Table {
        Progress progress;
        address creator;
        uint96 stake;
        /// In an open game who may join, zero for anyone.
        address joiner;
        uint40 expiry;
        /// The commitments to where the kings stand.
        uint256[2] commitments;
        /// The hashes of their sets.
        uint256[2] setHashes;
        /// The hash of the reply that came with the latest step.
        bytes32 answered;
    }

    /// @dev Places in a table's pairs.
    uint256 private constant CREATOR = 0;
    uint256 private constant JOINER = 1;
    /// @dev The longest time for an action, and to join.
    uint256 private constant LIMIT = 30 days;
    /// @dev The shortest time for an action in a game for a stake: a player whose transaction waits for some blocks has not lost.
    uint256 private constant LEAST = 5 minutes;

    mapping(bytes32 gameId => Table) private _tables;
    mapping(address player => uint256 amount) private _owed;

    /// @param with The generated contracts; each must have code.
    constructor(Verifiers memory with) TagStatements(with) {}

    /// @inheritdoc ITagGame
    function create(uint256 nonce, Terms calldata terms, Placement calldata placement, bytes calldata proof)
        external
        payable
        returns (bytes32 gameId)
    {
        if (msg.value != terms.stake) revert WrongStake(terms.stake);
        if (terms.opponent == msg.sender) revert SelfPlay();
        if (terms.side != 6 && terms.side != 8) revert BadTerms();
        if (terms.plies == 0 || terms.turn < (terms.stake == 0 ? 1 : LEAST) || terms.turn > LIMIT) revert BadTerms();
        if (terms.expiry < block.timestamp || terms.expiry > block.timestamp + LIMIT) revert BadTerms();

        gameId = gameIdOf(msg.sender, nonce, terms, placement.commitment, placement.setHash);
        Table storage table = _tables[gameId];
        if (table.progress.status != Status.None) revert GameExists();
        _checkStep(0, _placeOf(terms.side, CREATOR), placement, proof);
        table.progress.status = Status.Open;
        (table.progress.side, table.progress.plies, table.progress.turn) = (terms.side, terms.plies, terms.turn);
        (table.creator, table.stake) = (msg.sender, terms.stake);
        (table.joiner, table.expiry) = (terms.opponent, terms.expiry);
        _put(table, CREATOR, placement);
        emit GameCreated(gameId, msg.sender, terms.opponent, nonce, terms, placement);
    }

    /// @inheritdoc ITagGame
    function cancel(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expect(table, Status.Open);
        if (block.timestamp <= table.expiry) revert StillInTime(table.expiry);
        table.joiner = address(0);
        (progress.status, progress.outcome) = (Status.Over, Outcome.Cancelled);
        table.progress = progress;
        _credit(table.creator, table.stake);
        emit GameEnded(gameId, address(0), Outcome.Cancelled);
    }

    /// @inheritdoc ITagGame
    function join(bytes32 gameId, Placement calldata placement, bytes calldata proof) external payable {
        Table storage table = _tables[gameId];
        Progress memory progress = _expect(table, Status.Open);
        address invited = table.joiner;
        if (block.timestamp > table.expiry) revert Expired();
        if (msg.sender == table.creator) revert SelfPlay();
        if (invited != address(0) && msg.sender != invited) revert NotInvited();
        if (msg.value != table.stake) revert WrongStake(table.stake);
        _checkStep(0, _placeOf(progress.side, JOINER), placement, proof);

        table.joiner = msg.sender;
        _put(table, JOINER, placement);
        (progress.status, progress.since) = (Status.Playing, uint40(block.timestamp));
        table.progress = progress;
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
        Table storage table = _tables[gameId];
        Progress memory progress = _expectDue(table, Phase.Step);
        uint256 mover = progress.ply % 2;
        _checkStep(table.commitments[mover], progress.side, placement, stepProof);
        _checkReply(placement.commitment, table.setHashes[1 - mover], answer, replyProof);

        _put(table, mover, placement);
        table.answered = keccak256(abi.encode(answer));
        (progress.phase, progress.since) = (Phase.Reply, uint40(block.timestamp));
        table.progress = progress;
        emit Stepped(gameId, msg.sender, progress.ply, placement, answer);
    }

    /// @inheritdoc ITagGame
    function reply(bytes32 gameId, Answer calldata answer, bytes calldata proof) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expectDue(table, Phase.Reply);
        uint256 mover = progress.ply % 2;
        _checkReply(table.commitments[1 - mover], table.setHashes[mover], answer, proof);

        emit Replied(gameId, msg.sender, progress.ply, answer);
        progress.ply += 1;
        progress.phase = progress.ply < progress.plies ? Phase.Step : Phase.Last;
        progress.since = uint40(block.timestamp);
        table.progress = progress;
    }

    /// @inheritdoc ITagGame
    function capture(bytes32 gameId, Answer calldata answer, uint8 place, bytes calldata proof) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expectInPlay(table);
        uint256 captor = _due(progress);
        if (msg.sender != _playerOf(table, captor)) revert NotYourTurn();
        if (keccak256(abi.encode(answer)) != table.answered) revert WrongAnswer();
        if (place > 8) revert NoPlace();
        _checkCapture(table.commitments[captor], answer.own, answer.raised[place], proof);
        _win(gameId, table, progress, captor == CREATOR, Outcome.Captured);
    }

    /// @inheritdoc ITagGame
    function settle(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        _draw(gameId, table, _expectDue(table, Phase.Last));
    }

    /// @inheritdoc ITagGame
    function resign(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expectInPlay(table);
        bool byCreator = msg.sender == table.creator;
        if (!byCreator && msg.sender != table.joiner) revert NotPlayer();
        _win(gameId, table, progress, !byCreator, Outcome.Resigned);
    }

    /// @inheritdoc ITagGame
    function claimTimeout(bytes32 gameId) external {
        Table storage table = _tables[gameId];
        Progress memory progress = _expect(table, Status.Playing);
        uint256 deadline = _deadline(progress);
        if (block.timestamp <= deadline) revert StillInTime(deadline);
        if (progress.phase == Phase.Last) _draw(gameId, table, progress);
        else _win(gameId, table, progress, _due(progress) != CREATOR, Outcome.TimedOut);
    }

    /// @inheritdoc ITagGame
    function withdraw(address payable to) external {
        uint256 amount = _owed[msg.sender];
        if (amount == 0) revert NothingOwed();
        _owed[msg.sender] = 0;
        emit Withdrawn(msg.sender, to, amount);
        (bool paid,) = to.call{value: amount}("");
        if (!paid || to == address(0)) revert TransferFailed();
    }

    /// @inheritdoc ITagGame
    function game(bytes32 gameId) external view returns (Game memory g) {
        Table storage table = _tables[gameId];
        Progress memory progress = table.progress;
        (g.status, g.phase, g.outcome) = (progress.status, progress.phase, progress.outcome);
        (g.creator, g.joiner) = (table.creator, table.joiner);
        (g.stake, g.turn, g.expiry) = (table.stake, progress.turn, table.expiry);
        (g.side, g.ply, g.plies, g.since) = (progress.side, progress.ply, progress.plies, progress.since);
        (g.commitments, g.setHashes, g.answered) = (table.commitments, table.setHashes, table.answered);
        bool isDecided = progress.outcome >= Outcome.Captured && progress.outcome != Outcome.Drawn;
        if (isDecided) g.winner = progress.creatorWon ? table.creator : table.joiner;
    }

    /// @inheritdoc ITagGame
    function withdrawable(address player) external view returns (uint256) {
        return _owed[player];
    }

    /// @inheritdoc ITagGame
    function gameIdOf(address creator, uint256 nonce, Terms calldata terms, uint256 commitment, uint256 setHash)
        public
        view
        returns (bytes32)
    {
        return keccak256(abi.encode(block.chainid, address(this), creator, nonce, terms, commitment, setHash));
    }

    /// @dev The public input of *tag step* for a king that is placed: the first square, or the last.
    function _placeOf(uint256 side, uint256 role) private pure returns (uint256) {
        return side + 16 * (1 + role * 17 * (side - 1));
    }

    /// @dev Takes a proven placement on record.
    function _put(Table storage table, uint256 role, Placement calldata placement) private {
        table.commitments[role] = placement.commitment;
        table.setHashes[role] = placement.setHash;
    }

    /// @dev Who plays a role.
    function _playerOf(Table storage table, uint256 role) private view returns (address) {
        return role == CREATOR ? table.creator : table.joiner;
    }

    /// @dev Who has to act in a game in play: from a step on the player who has not made it, until it steps itself; first the creator.
    function _due(Progress memory progress) private pure returns (uint256) {
        uint256 mover = progress.ply % 2;
        return progress.phase == Phase.Reply ? 1 - mover : mover;
    }

    /// @dev The game's progress, if its status is `expected`.
    function _expect(Table storage table, Status expected) private view returns (Progress memory progress) {
        progress = table.progress;
        if (progress.status != expected) revert WrongStatus(progress.status);
    }

    /// @dev The progress of a game in play that no deadline has decided: time decides, not who calls first.
    function _expectInPlay(Table storage table) private view returns (Progress memory progress) {
        progress = _expect(table, Status.Playing);
        if (block.timestamp > _deadline(progress)) revert OutOfTime();
    }

    /// @dev The same, if the game is in a phase and the sender has to act.
    function _expectDue(Table storage table, Phase phase) private view returns (Progress memory progress) {
        progress = _expectInPlay(table);
        if (progress.phase != phase) revert WrongPhase(progress.phase);
        if (msg.sender != _playerOf(table, _due(progress))) revert NotYourTurn();
    }

    /// @dev The last second for the next action.
    function _deadline(Progress memory progress) private pure returns (uint256) {
        return uint256(progress.since) + progress.turn;
    }

    /// @dev Ends a game that a player wins, and puts both stakes aside for it.
    function _win(bytes32 gameId, Table storage table, Progress memory progress, bool creatorWins, Outcome outcome)
        private
    {
        (progress.status, progress.outcome, progress.creatorWon) = (Status.Over, outcome, creatorWins);
        table.progress = progress;
        address winner = creatorWins ? table.creator : table.joiner;
        _credit(winner, 2 * uint256(table.stake));
        emit GameEnded(gameId, winner, outcome);
    }

    /// @dev Ends a game that nobody wins: each gets its stake back.
    function _draw(bytes32 gameId, Table storage table, Progress memory progress) private {
        (progress.status, progress.outcome) = (Status.Over, Outcome.Drawn);
        table.progress = progress;
        _credit(table.creator, table.stake);
        _credit(table.joiner, table.stake);
        emit GameEnded(gameId, address(0), Outcome.Drawn);
    }

    /// @dev Puts `amount` wei aside for `player`.
    function _credit(address player, uint256 amount) private {
        if (amount != 0) _owed[player] += amount;
    }
}
