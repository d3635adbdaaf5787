// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title Dark chess without a referee
/// @notice Protocol section 8: the players, stakes, clocks and commitments of every game, and the rule that a move counts
/// only with a proof that it is legal. What the contract can't know, where the pieces stand, it never learns.
/// @dev Field elements are below the order of bn254's scalar field. Squares are 0..63 (a1 = 0, b1 = 1, h8 = 63), 64 means
/// none. Colours are 0 for White and 1 for Black. Amounts are in wei, times in seconds of block time. This is neither the
/// dispute about a withheld sight nor the claims of a draw. All is in one file because Rust reads its types from it.
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
        /// It hasn't ended.
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
        /// First coordinate, a field element.
        uint256 x;
        /// Second coordinate, a field element.
        uint256 y;
    }

    /// @notice What a game is played for, and how fast.
    struct Terms {
        /// What each player puts in.
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

    /// @notice What the contract knows of one player of a game.
    struct Player {
        /// Who plays it; while a game is open, at index 1, who may join it.
        address account;
        /// Whether the player's view key has been published.
        bool viewKeyPublished;
        /// Time left when its last ply ended.
        uint32 clock;
        /// The key under which this player answers requests for sight.
        Point fogKey;
        /// Commitment to the player's state, 0 before the toss is decided.
        uint256 commitment;
        /// Root of the player's standing request for sight, 0 before its first move.
        uint256 requestRoot;
    }

    /// @notice All the contract knows of a game.
    struct Game {
        /// Where it stands.
        Status status;
        /// How it ended, `None` while it lasts.
        Outcome outcome;
        /// Zero while the game lasts, and for a draw or a cancelled game.
        address winner;
        /// Who opened it.
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
        /// What each player puts in.
        uint96 stake;
        /// Each player's time for the game.
        uint32 base;
        /// Time added after each own move.
        uint32 increment;
        /// Time at the start of each ply during which no clock runs.
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
    /// @param gameId The game.
    /// @param creator Who opened it.
    /// @param opponent Who may join it, zero for anyone.
    /// @param stake What each player puts in.
    /// @param base Each player's time for the game.
    /// @param increment Time added after each own move.
    /// @param delay Time at the start of each ply during which no clock runs.
    /// @param tossCommitment The creator's half of the coin toss, hidden.
    /// @param fogKey The creator's fog key.
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
    /// @param gameId The game.
    /// @param player The joiner.
    /// @param r2 The joiner's half of the coin toss.
    /// @param fogKey The joiner's fog key.
    event GameJoined(bytes32 indexed gameId, address indexed player, uint256 r2, Point fogKey);

    /// @notice The coin toss is decided and White's clock runs.
    /// @param gameId The game.
    /// @param white The player of the white pieces.
    /// @param black The player of the black pieces.
    /// @param r1 The creator's half of the coin toss, revealed.
    event GameStarted(bytes32 indexed gameId, address indexed white, address indexed black, uint256 r1);

    /// @notice A ply was made and its proof verified.
    /// @param gameId The game.
    /// @param player The mover.
    /// @param ply The ply's number, from 0.
    /// @param capture The square on which a piece fell, or 64.
    /// @param kingFell Whether that piece was the king.
    /// @param drawOffered Whether the mover offers a draw.
    /// @param commitment Commitment to the mover's state after the move.
    /// @param requestRoot Root of the mover's new request for sight.
    /// @param answerRoot Root of the answer that came with the move, see `Move`.
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

    /// @notice A game ended.
    /// @param gameId The game.
    /// @param winner The winner, zero if nobody won.
    /// @param ply The number of plies made.
    /// @param outcome How it ended.
    event GameEnded(bytes32 indexed gameId, address indexed winner, uint16 indexed ply, Outcome outcome);

    /// @notice A player opened its own moves of an ended game to everyone.
    /// @param gameId The game.
    /// @param player The player.
    /// @param viewKey The key that opens the player's commitments.
    event ViewKeyPublished(bytes32 indexed gameId, address indexed player, bytes32 viewKey);

    /// @notice A player took out what was owed to it.
    /// @param player The player.
    /// @param amount What it was paid.
    event Withdrawn(address indexed player, uint256 amount);

    /// @notice Thrown when a game is not in the status that the action needs.
    /// @param current The game's status.
    error WrongStatus(Status current);
    /// @notice Thrown when the value sent is not the stake.
    /// @param expected The stake.
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
    /// @param deadline The last second in which the player to act is in time.
    error StillInTime(uint256 deadline);
    /// @notice Thrown when the sender is not the player to move.
    error NotYourTurn();
    /// @notice Thrown when a move was made for another ply than the one to be played.
    /// @param current The ply to be played.
    error StalePly(uint16 current);
    /// @notice Thrown when a capture is not a square, nor 64 for none.
    /// @param square The value declared.
    error BadSquare(uint8 square);
    /// @notice Thrown when a value that stands for a field element is not below the field's order.
    /// @param value The value.
    error NotInField(uint256 value);
    /// @notice Thrown when ply 0 carries an answer, though Black has made no request yet.
    error AnswerTooEarly();
    /// @notice Thrown when a move's answer was made for another context than the game's.
    /// @param expected The game's context.
    error WrongContext(uint256 expected);
    /// @notice Thrown when a proof has not exactly the length of its statement's proofs.
    /// @param expected That length in bytes.
    error WrongProofLength(uint256 expected);
    /// @notice Thrown when the verifier rejects a proof.
    error InvalidProof();
    /// @notice Thrown when no code stands at the address of a verifier or of a key.
    error NoVerifier();
    /// @notice Thrown when the verifier says neither that a proof is valid nor that it isn't: it ran out of gas, or the key is none
    /// for it.
    error NoVerdict();
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

    /// @notice Opens a game and puts in the creator's stake.
    /// @param terms Stake, time control and who may join.
    /// @param tossCommitment `keccak256(abi.encode(r1, creator))` for a random 256-bit `r1`.
    /// @param fogKey The creator's fog key.
    /// @return gameId The game's id: `nextGameId(sender)` as of before the call.
    function create(Terms calldata terms, bytes32 tossCommitment, Point calldata fogKey)
        external
        payable
        returns (bytes32 gameId);

    /// @notice Takes back a game that nobody has joined.
    /// @param gameId The sender's game.
    function cancel(bytes32 gameId) external;

    /// @notice Joins a game with the stake.
    /// @param gameId The game.
    /// @param r2 The joiner's half of the coin toss, random.
    /// @param fogKey The joiner's fog key; not the creator's.
    function join(bytes32 gameId, uint256 r2, Point calldata fogKey) external payable;

    /// @notice Decides the toss: the creator is White if `keccak256(abi.encode(r1, r2))` is even. Starts White's clock.
    /// @param gameId The sender's game.
    /// @param r1 The creator's half of the coin toss, to which it committed.
    function reveal(bytes32 gameId, uint256 r1) external;

    /// @notice Makes a ply.
    /// @param gameId The game.
    /// @param declared What the mover says of its move.
    /// @param proof A *turn* proof for exactly these values and the game's own (protocol section 7).
    function move(bytes32 gameId, Move calldata declared, bytes calldata proof) external;

    /// @notice Gives the game up.
    /// @param gameId The game.
    function resign(bytes32 gameId) external;

    /// @notice Accepts the draw offered with the opponent's last move.
    /// @param gameId The game.
    function acceptDraw(bytes32 gameId) external;

    /// @notice Ends a game in which the player to act let its time run out. Anyone may call it, so no game stays stuck.
    /// @param gameId The game.
    function claimTimeout(bytes32 gameId) external;

    /// @notice Publishes the key that opens the sender's own commitments of an ended game, and nothing else.
    /// @param gameId The game.
    /// @param viewKey The key; the contract doesn't check it.
    function publishViewKey(bytes32 gameId, bytes32 viewKey) external;

    /// @notice Pays out all that is owed to the sender.
    function withdraw() external;

    /// @notice Everything about a game.
    /// @param gameId The game.
    /// @return What the contract knows of it; all zero if there is none of this id.
    function game(bytes32 gameId) external view returns (Game memory);

    /// @notice The context of a sight in the position as it stands (protocol section 5).
    /// @param gameId A game in play.
    /// @param phase 0: of the player to move, before its move. 1: of the player who has just moved, after its move.
    /// @return The context, a field element; 0 for phase 0 of the two opening plies, which have no such sight.
    function contextOf(bytes32 gameId, uint8 phase) external view returns (uint256);

    /// @notice The chess clocks, the delay apart. All three are 0 before a game is joined and after it ended.
    /// @dev In the toss the creator has until `deadline` to reveal and both have the base time.
    /// @param gameId The game.
    /// @return white Time left to White now.
    /// @return black Time left to Black now.
    /// @return deadline The last second in which the player to act is in time, as a block time.
    function clocks(bytes32 gameId) external view returns (uint256 white, uint256 black, uint256 deadline);

    /// @notice What `withdraw` would pay.
    /// @param player The player who would call it.
    /// @return The amount owed to it.
    function withdrawable(address player) external view returns (uint256);

    /// @notice The id of the next game that `creator` opens.
    /// @param creator The player who would open it.
    /// @return The id: `keccak256(abi.encode(chain id, contract, creator, nonce))`.
    function nextGameId(address creator) external view returns (bytes32);

    /// @notice The verifier of *turn* proofs.
    /// @return The address of the generated contract.
    function turnVerifier() external view returns (address);

    /// @notice The key of *turn* for its verifier.
    /// @return The address of the contract whose code is the key.
    function turnKey() external view returns (address);

    /// @notice How long a *turn* proof is.
    /// @return Its exact length in bytes.
    function turnProofLength() external view returns (uint256);
}
