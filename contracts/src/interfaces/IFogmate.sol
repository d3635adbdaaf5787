// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title Dark chess without a referee
/// @notice Protocol section 8: the players, stakes, clocks and commitments of every game, and the rule that a move counts
/// only with a proof that it is legal. What the contract can't know, where the pieces stand, it never learns.
/// @dev Field elements are below the order of bn254's scalar field. Squares are 0..63 (a1 = 0, b1 = 1, h8 = 63), 64 means
/// none. Colours are 0 for White and 1 for Black. Times are in seconds of block time. This is neither the dispute about a
/// withheld sight nor the claims of a draw.
interface IFogmate {
    /// @notice Where a game stands.
    enum Status {
        /// No game has this id.
        None,
        /// Waits for an opponent.
        Open,
        /// Has both players; waits for the creator's half of the coin toss.
        Toss,
        /// In play.
        Playing,
        /// Ended; `Outcome` says how.
        Over
    }

    /// @notice How a game ended.
    enum Outcome {
        /// It hasn't.
        None,
        /// Its creator took it back before anyone joined.
        Cancelled,
        /// The creator didn't reveal its half of the coin toss in time.
        Unrevealed,
        /// A king was captured.
        KingCaptured,
        /// A player resigned.
        Resigned,
        /// The player to move ran out of time.
        TimedOut,
        /// A draw was offered and accepted.
        DrawAgreed,
        /// Drawn, because the plies can't be counted further.
        TooLong
    }

    /// @notice A point of Grumpkin, y² = x³ − 17, in affine coordinates.
    struct Point {
        uint256 x;
        uint256 y;
    }

    /// @notice What a game is played for, and how fast.
    struct Terms {
        /// What each player puts in, in wei.
        uint96 stake;
        /// Each player's time for the game.
        uint32 base;
        /// Time added after each own move.
        uint32 increment;
        /// Time at the start of each ply during which no clock runs: for delivery and proving.
        uint32 delay;
        /// Who may join; zero for anyone.
        address opponent;
    }

    /// @notice One ply, as its mover declares it; the proof binds what needs proving.
    struct Move {
        /// Commitment to the mover's state after the move.
        uint256 nextCommitment;
        /// Root of the mover's new request for sight.
        uint256 nextRequestRoot;
        /// Root of the answer to the opponent's standing request, or 0 if the opponent never sent its points; 0 on ply 0.
        uint256 answerRoot;
        /// The context the answer was made for; must equal the contract's own. 0 on ply 0.
        uint256 ctxNext;
        /// The ply this move was made for.
        uint16 ply;
        /// The square on which a piece fell, or 64.
        uint8 capture;
        /// Whether the piece that fell was the king.
        bool kingFell;
        /// Whether the mover offers a draw.
        bool offerDraw;
    }

    /// @notice One player's side of a game.
    struct Player {
        /// Who plays it; while a game is open, at index 1, who may join it.
        address account;
        /// Whether its view key has been published.
        bool viewKeyPublished;
        /// Time left when its last ply ended.
        uint32 clock;
        /// Key under which this player answers requests for sight.
        Point fogKey;
        /// Commitment to its state, 0 before the toss is decided.
        uint256 commitment;
        /// Root of its standing request for sight, 0 before its first move.
        uint256 requestRoot;
    }

    /// @notice All the contract knows of a game.
    struct Game {
        Status status;
        Outcome outcome;
        /// Zero while the game lasts, and for a draw or a cancelled game.
        address winner;
        address creator;
        /// Plies made, hence the number of the ply to come. Even: White is to move.
        uint16 ply;
        /// Square on which the last move captured, or 64: the player to move has lost what stood there.
        uint8 pending;
        /// Whether the last move carried an offer of a draw.
        bool drawOffered;
        /// Plies since the last capture.
        uint16 quietPlies;
        /// When the opponent joined, the game started or the last move was made, whichever came last.
        uint40 since;
        uint96 stake;
        uint32 base;
        uint32 increment;
        uint32 delay;
        /// The creator's half of the coin toss, hidden; 0 once it is decided.
        bytes32 tossCommitment;
        /// The joiner's half; 0 once the toss is decided.
        uint256 tossShare;
        /// Root of the answer that the player to move relies on, 0 if none was given.
        uint256 answerRoot;
        /// By colour, White first; before the toss is decided the creator first.
        Player[2] players;
    }

    /// @notice A game waits for an opponent.
    event GameCreated(
        bytes32 indexed gameId,
        address indexed creator,
        address indexed opponent,
        uint96 stake,
        uint32 base,
        uint32 increment,
        uint32 delay,
        bytes32 tossCommitment,
        Point fogKey
    );

    /// @notice An opponent joined with its half of the coin toss.
    event GameJoined(bytes32 indexed gameId, address indexed player, uint256 r2, Point fogKey);

    /// @notice The coin toss is decided and White's clock runs.
    event GameStarted(bytes32 indexed gameId, address indexed white, address indexed black, uint256 r1);

    /// @notice A ply was made and its proof verified.
    event Moved(
        bytes32 indexed gameId,
        address indexed player,
        uint16 indexed ply,
        uint8 capture,
        bool kingFell,
        bool drawOffered,
        uint256 commitment,
        uint256 requestRoot,
        uint256 answerRoot
    );

    /// @notice A game ended after `ply` plies; `winner` is zero if nobody won.
    event GameEnded(bytes32 indexed gameId, address indexed winner, uint16 indexed ply, Outcome outcome);

    /// @notice A player opened its own moves of an ended game to everyone.
    event ViewKeyPublished(bytes32 indexed gameId, address indexed player, bytes32 viewKey);

    /// @notice A player took out what was owed to it.
    event Withdrawn(address indexed player, uint256 amount);

    /// @notice Thrown when a game is not in the status that the action needs.
    error WrongStatus(Status current);
    /// @notice Thrown when the value sent is not the stake.
    error WrongStake(uint256 expected);
    /// @notice Thrown when a time control leaves no time at all, or a part of it is above thirty days.
    error BadTimeControl();
    /// @notice Thrown when a fog key's coordinate is not a field element, or it isn't on the curve.
    error BadFogKey();
    /// @notice Thrown when a joiner presents the creator's own fog key.
    error SameFogKey();
    /// @notice Thrown when a creator would play against itself, as an invited opponent or by joining.
    error SelfPlay();
    /// @notice Thrown when a game is joined by another than its invited opponent.
    error NotInvited();
    /// @notice Thrown when the sender is not the game's creator.
    error NotCreator();
    /// @notice Thrown when the sender plays no part in the game.
    error NotPlayer();
    /// @notice Thrown when the revealed share is not the one committed to.
    error WrongReveal();
    /// @notice Thrown when the sender acts after its time has run out.
    error OutOfTime();
    /// @notice Thrown when a timeout is claimed while time is left.
    error StillInTime(uint256 deadline);
    /// @notice Thrown when the sender is not the player to move.
    error NotYourTurn();
    /// @notice Thrown when a move was made for another ply than the one to be played.
    error StalePly(uint16 current);
    /// @notice Thrown when a capture is not a square, nor 64 for none.
    error BadSquare(uint8 square);
    /// @notice Thrown when a value that stands for a field element is not below the field's order.
    error NotInField(uint256 value);
    /// @notice Thrown when ply 0 carries an answer, though Black has made no request yet.
    error AnswerTooEarly();
    /// @notice Thrown when a move's answer was made for another context than the game's.
    error WrongContext(uint256 expected);
    /// @notice Thrown when a proof has not exactly the length of a turn proof.
    error WrongProofLength(uint256 expected);
    /// @notice Thrown when the verifier rejects a proof.
    error InvalidProof();
    /// @notice Thrown when no code stands at the verifier's address.
    error NoVerifier();
    /// @notice Thrown when a draw is accepted that wasn't offered on the last move.
    error NoDrawOffer();
    /// @notice Thrown when a player publishes its view key of a game again.
    error AlreadyPublished();
    /// @notice Thrown when nothing is owed to the sender.
    error NothingOwed();
    /// @notice Thrown when the sender doesn't accept what is owed to it.
    error TransferFailed();
    /// @notice Thrown when a context of another phase than 0 or 1 is asked for, or of phase 1 before any move.
    error NoSuchPhase();

    /// @notice Opens a game and puts in the creator's stake. Its id is `nextGameId(sender)` as of before the call.
    /// @param terms Stake, time control and who may join.
    /// @param tossCommitment `keccak256(abi.encode(r1, creator))` for a random 256-bit `r1`.
    /// @param fogKey The creator's fog key.
    function create(Terms calldata terms, bytes32 tossCommitment, Point calldata fogKey)
        external
        payable
        returns (bytes32 gameId);

    /// @notice Takes back a game that nobody has joined.
    function cancel(bytes32 gameId) external;

    /// @notice Joins a game with the stake and a random share `r2` of the coin toss.
    function join(bytes32 gameId, uint256 r2, Point calldata fogKey) external payable;

    /// @notice Decides the toss: the creator is White if `keccak256(abi.encode(r1, r2))` is even. Starts White's clock.
    function reveal(bytes32 gameId, uint256 r1) external;

    /// @notice Makes a ply.
    /// @param proof A *turn* proof for exactly these values and the game's own (protocol section 7).
    function move(bytes32 gameId, Move calldata declared, bytes calldata proof) external;

    /// @notice Gives the game up.
    function resign(bytes32 gameId) external;

    /// @notice Accepts the draw offered with the opponent's last move.
    function acceptDraw(bytes32 gameId) external;

    /// @notice Ends a game in which the player to act let its time run out. Anyone may call it, so no game stays stuck.
    function claimTimeout(bytes32 gameId) external;

    /// @notice Publishes the key that opens the sender's own commitments of an ended game, and nothing else.
    function publishViewKey(bytes32 gameId, bytes32 viewKey) external;

    /// @notice Pays out all that is owed to the sender.
    function withdraw() external;

    /// @notice Everything about a game; all zero if there is none of this id.
    function game(bytes32 gameId) external view returns (Game memory);

    /// @notice The context of a sight in the position as it stands (protocol section 5).
    /// @param phase 0: of the player to move, before its move; 0 in the two opening plies, which have no such sight.
    /// 1: of the player who has just moved, after its move.
    function contextOf(bytes32 gameId, uint8 phase) external view returns (uint256);

    /// @notice Seconds left to each colour now, the delay apart, and the last second in which the player to act is in time.
    /// @dev In the toss the creator has until `deadline` to reveal and both have the base time. All three are 0 before a
    /// game is joined and after it ended.
    function clocks(bytes32 gameId) external view returns (uint256 white, uint256 black, uint256 deadline);

    /// @notice What `withdraw` would pay.
    function withdrawable(address player) external view returns (uint256);

    /// @notice The id of the next game that `creator` opens: `keccak256(abi.encode(chain id, contract, creator, nonce))`.
    function nextGameId(address creator) external view returns (bytes32);

    /// @notice The verifier of *turn* proofs.
    function turnVerifier() external view returns (address);

    /// @notice The exact length of a *turn* proof in bytes.
    function turnProofLength() external view returns (uint256);
}
