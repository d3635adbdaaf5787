// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title Dark chess without a referee
/// @notice Protocol section 8: the players, stakes, clocks and commitments of every game, and the rule that a move counts
/// only with a proof that it is legal. What the contract can't know, where the pieces stand, it never learns.
/// @dev Field elements are below the order of bn254's scalar field. Squares are 0..63 (a1 = 0, b1 = 1, h8 = 63), 64 means
/// none. Colours are 0 for White and 1 for Black. Amounts are in wei, times in seconds of block time; a deadline is the last
/// second in time. All is in one file because Rust reads its types from it.
interface IFogmate {
    /// @notice Where a game stands.
    enum Status {
        /// No game has this id.
        None,
        /// Waits for an opponent.
        Open,
        /// Has both players; waits for the creator's share of the coin toss.
        CreatorReveals,
        /// Waits for the joiner's share of the coin toss.
        JoinerReveals,
        Playing,
        /// Ended; `Outcome` says how.
        Over,
        /// In play between the players' machines; the chain hears of it again when it is woken or closed.
        Asleep
    }

    /// @notice How a game ended.
    enum Outcome {
        None,
        /// Taken back before anyone joined.
        Cancelled,
        /// A share of the coin toss was not revealed in time: the creator's, and each has its stake back; or the joiner's,
        /// which forfeits.
        Unrevealed,
        /// A king was captured.
        KingCaptured,
        Resigned,
        /// The player to move ran out of time.
        TimedOut,
        /// A draw was offered and accepted.
        DrawAgreed,
        /// Drawn, because the plies can't be counted further.
        TooLong,
        /// A demanded sight was not given in time.
        Unanswered,
        /// Drawn by fifty moves of each player without a capture or a pawn's move.
        FiftyMoves,
        /// Drawn, because the player to move has no move.
        NoMove
    }

    /// @notice When the proofs of moves are verified.
    enum Mode {
        /// It is verified in the transaction of the move.
        Verified,
        /// No mode: keeps the numbers of the others.
        Retired,
        /// Never, for there are none: for sight engines that prove no moves. Nothing is staked, and nothing can be done that
        /// needs a proof.
        Unproven,
        /// The players' machines verify each other's, and nothing is sent here. If it is woken it goes on as `Verified`.
        Channel
    }

    /// @notice Which sight: before the move of the player who receives it, or after.
    enum Phase {
        /// The position before its move.
        Pre,
        /// The position after its move.
        Post
    }

    /// @notice Why the clock of the player to move stands still.
    enum Hold {
        /// The clock of the player to move runs.
        None,
        /// It has demanded the sight by which it moves.
        Sight,
        /// It has claimed fifty moves.
        FiftyMoves,
        /// The game was woken, and until `since` a later position may replace the one that stands.
        Contest
    }

    /// @notice Where the bond of a demand or a claim is kept.
    enum Slot {
        /// Of the hold, whoever opened it.
        Hold,
        /// Of White's demand for the sight after its move.
        WhitePost,
        /// The same of Black.
        BlackPost
    }

    /// @notice A point of Grumpkin, y² = x³ − 17, in affine coordinates. In mode `Unproven` it is what a player registers for
    /// its sight engine, two words: a commitment to its seed, and the engine's name, ASCII and then zeros.
    struct Point {
        /// First coordinate, a field element.
        uint256 x;
        /// Second coordinate, a field element.
        uint256 y;
    }

    /// @notice What a game is played for, how fast, and how long each waits for the other.
    struct Terms {
        /// When the proofs of moves are verified.
        Mode mode;
        /// What each player puts in.
        uint96 stake;
        /// Each player's time for the game.
        uint32 base;
        /// Time added after each own move.
        uint32 increment;
        /// Time at the start of each ply during which no clock runs: for delivery and proving.
        uint32 delay;
        /// Time to answer a demand or a claim.
        uint32 window;
        /// Time to reveal a share of the coin toss, for each player.
        uint32 reveal;
        /// Last block time at which the game can be joined.
        uint40 expiry;
        /// Who may join; zero for anyone.
        address opponent;
    }

    /// @notice The generated contracts that the game asks, and the keys, contracts of data, that it asks them with.
    struct Verifiers {
        /// Verifies *turn*, *request data*, *fifty* and *no move*.
        address narrow;
        /// Verifies the on-chain *answer*.
        address wide;
        /// The key of *turn*.
        address turnKey;
        /// The key of *request data*.
        address requestDataKey;
        /// The key of *fifty*.
        address fiftyKey;
        /// The key of *no move*.
        address noMoveKey;
        /// The key of the on-chain *answer*.
        address answerKey;
        /// The exact length in bytes of the narrow verifier's proofs.
        uint32 narrowProofLength;
        /// The exact length in bytes of the wide verifier's proofs.
        uint32 wideProofLength;
    }

    /// @notice What bonds are reckoned by, measured when the contract is deployed; the same for all its games.
    struct Prices {
        /// Half of the gas that `answerSight` takes more than `demandSight`.
        uint32 answerShareGas;
        /// What a unit of gas counts as at least, in wei, where the base fee is lower or 0.
        uint96 leastPrice;
        /// What a byte of calldata costs besides its gas, in wei; 0 where gas is all that is paid.
        uint96 dataPrice;
    }

    /// @notice What a demand for a sight froze: all that its answer is proven against. Its hash is kept.
    struct Exchange {
        Phase phase;
        /// The ply of the receiver's move, in both phases.
        uint16 ply;
        /// The receiver's colour: who demands.
        uint8 receiver;
        /// The square that the receiver lost last, if the sight is before its move; else 64.
        uint8 pendingReceiver;
        /// The square that the sender lost last, if the sight is after the receiver's move; else 64.
        uint8 pendingSender;
        uint256 commitment;
        /// Root of the receiver's request.
        uint256 requestRoot;
        /// The root that the sender posted with its move; 0 if none, and always after the receiver's move.
        uint256 postedRoot;
        /// ctx of the sight.
        uint256 ctx;
    }

    /// @notice One ply, as its mover declares it; the proof binds what needs proving.
    struct Move {
        /// Commitment to the mover's state after the move.
        uint256 nextCommitment;
        /// Root of the mover's new request for sight.
        uint256 nextRequestRoot;
        /// Root of the answer to the opponent's standing request, or 0 if the opponent never sent its points; 0 on ply 0.
        uint256 answerRoot;
        /// What the move rests on, which must be what the contract makes it: `keccak256(abi.encodePacked(ctxNext, inputs))`, where
        /// `ctxNext` is the context that the answer was made for, 0 on ply 0, and `inputs` are the thirteen public inputs of
        /// *turn*. In a position where anything of that is another the move reverts.
        bytes32 basis;
        /// The ply this move was made for.
        uint16 ply;
        /// The square on which a piece fell, or 64.
        uint8 capture;
        /// Whether the piece that fell was the king.
        bool kingFell;
        /// Whether the mover offers a draw.
        bool offerDraw;
    }

    /// @notice A position that both players have signed, before ply `ply`: all that the contract keeps of a game in play. What
    /// isn't there yet is 0: before a player's first move its state before that and its request, and the answer before ply 2. The
    /// EIP-712 struct has `gameId` in front of these, and the domain is ("Fogmate", "1", chain id, contract).
    struct Position {
        /// The digest of the position before it, so that the last one binds the whole game; 0 at ply 1.
        bytes32 previous;
        /// Plies made.
        uint16 ply;
        /// Plies since the last capture.
        uint16 quietPlies;
        /// Square on which the last move captured, or 64.
        uint8 pending;
        /// The same of the move before it.
        uint8 previousPending;
        /// Whether the last move carried an offer of a draw.
        bool drawOffered;
        /// What White has on its clock, in seconds.
        uint32 whiteClock;
        /// What Black has.
        uint32 blackClock;
        /// Commitment to White's state.
        uint256 whiteState;
        /// The one before its last move.
        uint256 whiteStateBefore;
        /// Commitment to Black's state.
        uint256 blackState;
        /// The one before its last move.
        uint256 blackStateBefore;
        /// Root of White's standing request for sight.
        uint256 whiteRequestRoot;
        /// The same of Black.
        uint256 blackRequestRoot;
        /// Root of the answer for the player to move.
        uint256 answerRoot;
    }

    /// @notice A signature in the short form of EIP-2098; anything where the sender is who should have signed.
    struct Signature {
        bytes32 r;
        /// The parity in the highest bit, and s.
        bytes32 vs;
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
        /// Commitment to the player's state, 0 before the toss is decided and while the game is asleep.
        uint256 commitment;
        /// The commitment before its last move, 0 before its first move.
        uint256 previousCommitment;
        /// Root of the player's standing request for sight, 0 before its first move.
        uint256 requestRoot;
        /// Commitment to its share of the coin toss.
        bytes32 tossCommitment;
        /// Whether it has demanded the sight after its latest move.
        bool postDemanded;
        /// Until when that demand is to be answered, 0 if none is open.
        uint40 postDeadline;
        /// The bond of that demand.
        uint96 postBond;
        /// The first ply at which it may claim fifty moves.
        uint16 claimsFrom;
    }

    /// @notice All the contract knows of a game.
    struct Game {
        Status status;
        /// How it ended, `None` while it lasts.
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
        /// The value of `pending` before the last move, 64 before any.
        uint8 previousPending;
        /// From when the delay of the ply to come is counted: the second reveal of the toss, the last move, or the end of a
        /// hold. While a share is to be revealed, the time of the join.
        uint40 since;
        /// What was agreed; the opponent is who joined.
        Terms terms;
        /// The creator's share of the coin toss, once revealed and until the toss is decided.
        uint256 tossShare;
        /// Root of the answer that the player to move relies on, 0 if none was given.
        uint256 answerRoot;
        /// Why the clock of the player to move stands still. After the end: what was never answered.
        Hold hold;
        /// Until when the hold is to be answered, 0 if there is none.
        uint40 holdDeadline;
        /// The bond of the hold.
        uint96 holdBond;
        /// Who opened the hold, by colour.
        uint8 holdOwner;
        /// Whether the sight before the ply to come has been demanded.
        bool preDemanded;
        /// By colour, White first; before the toss is decided the creator first.
        Player[2] players;
    }

    /// @notice A game waits for an opponent.
    /// @param gameId The game: `keccak256(abi.encode(chain id, contract, creator, nonce, terms, tossCommitment, fogKey))`.
    /// @param creator Who opened it.
    /// @param opponent Who may join it, zero for anyone.
    /// @param nonce What the creator tells its games apart by.
    /// @param terms What the game is played for and how fast.
    /// @param tossCommitment Commitment to the creator's share of the coin toss.
    /// @param fogKey The creator's fog key.
    event GameCreated(
        bytes32 indexed gameId,
        address indexed creator,
        address indexed opponent,
        uint256 nonce,
        Terms terms,
        bytes32 tossCommitment,
        Point fogKey
    );

    /// @notice An opponent joined.
    /// @param gameId The game.
    /// @param player The joiner.
    /// @param tossCommitment Commitment to the joiner's share of the coin toss.
    /// @param fogKey The joiner's fog key.
    event GameJoined(bytes32 indexed gameId, address indexed player, bytes32 tossCommitment, Point fogKey);

    /// @notice The creator revealed its share of the coin toss.
    /// @param gameId The game.
    /// @param share The share.
    event TossRevealed(bytes32 indexed gameId, uint256 share);

    /// @notice The joiner revealed its share and the colours are decided.
    /// @param gameId The game.
    /// @param white The player of the white pieces.
    /// @param black The player of the black pieces.
    /// @param share The joiner's share.
    event GameStarted(bytes32 indexed gameId, address indexed white, address indexed black, uint256 share);

    /// @notice A ply was made.
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

    /// @notice A game between the players' machines was woken, or a later position replaced the one that stood.
    /// @param gameId The game.
    /// @param position The position that stands now; of the start nothing but its ply means anything.
    /// @param contestedUntil Until when a later one may replace it, and from when the delay of the ply to come is counted.
    event Woken(bytes32 indexed gameId, Position position, uint256 contestedUntil);

    /// @notice The players have signed how their game ended; `GameEnded` follows.
    /// @param gameId The game.
    /// @param last The digest of the last position, which binds the whole game. Only they know whether it is.
    event Closed(bytes32 indexed gameId, bytes32 last);

    /// @notice A sight was demanded.
    /// @param gameId The game.
    /// @param receiver Who demands it.
    /// @param exchange What it is to be proven against.
    /// @param deadline Until when.
    /// @param bond What the demander put in.
    /// @param points The 64 points of its request, x then y, by square.
    event SightDemanded(
        bytes32 indexed gameId,
        address indexed receiver,
        Exchange exchange,
        uint40 deadline,
        uint96 bond,
        uint256[128] points
    );

    /// @notice A demanded sight was given and proven.
    /// @param gameId The game.
    /// @param sender Who gave it.
    /// @param ctx The context of the sight.
    /// @param answerRoot Root over the records of the answer.
    /// @param paid What the answerer gets of the bond.
    /// @param elements The answer, in the order of the wire.
    event SightAnswered(
        bytes32 indexed gameId,
        address indexed sender,
        uint256 indexed ctx,
        uint256 answerRoot,
        uint96 paid,
        uint256[733] elements
    );

    /// @notice The root of an answer was posted after the move that should have carried it.
    /// @param gameId The game.
    /// @param ply The ply that is to be played by it.
    /// @param answerRoot The root.
    event AnswerFilled(bytes32 indexed gameId, uint16 indexed ply, uint256 answerRoot);

    /// @notice The player to move claims a draw by fifty moves.
    /// @param gameId The game.
    /// @param player Who claims.
    /// @param ply The ply to be played.
    /// @param deadline Until when the opponent may show that it has made fewer.
    /// @param bond What the claimant put in.
    event FiftyClaimed(
        bytes32 indexed gameId, address indexed player, uint16 indexed ply, uint40 deadline, uint96 bond
    );

    /// @notice A claim of fifty moves failed: the opponent has captured or moved a pawn since.
    /// @param gameId The game.
    /// @param player Who showed it.
    /// @param ply The ply to be played.
    /// @param claimsFrom The first ply at which the claimant may claim again.
    /// @param paid What the opponent gets of the bond.
    event FiftyFailed(
        bytes32 indexed gameId, address indexed player, uint16 indexed ply, uint16 claimsFrom, uint96 paid
    );

    /// @notice A bond that nobody earned went back to who put it in.
    /// @param gameId The game.
    /// @param slot Where it was kept.
    /// @param player Whose it is.
    /// @param bond The amount.
    event BondReclaimed(bytes32 indexed gameId, Slot slot, address indexed player, uint96 bond);

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
    /// @param to Where it went.
    /// @param amount How much.
    event Withdrawn(address indexed player, address indexed to, uint256 amount);

    /// @notice Thrown when a game is not in the status that the action needs.
    /// @param current The game's status.
    error WrongStatus(Status current);
    /// @notice Thrown when the value sent is not the stake.
    /// @param expected The stake.
    error WrongStake(uint256 expected);
    /// @notice Thrown when a time control leaves no time at all, a part of it is above thirty days, or there is no time to
    /// answer, to reveal or to join.
    error BadTimeControl();
    /// @notice Thrown when a game of mode `Retired` is opened.
    error NoSuchMode();
    /// @notice Thrown when a creator opens the very same game again.
    error GameExists();
    /// @notice Thrown when a game is joined that waited too long.
    error Expired();
    /// @notice Thrown when the creator reveals for another joiner than the game's.
    /// @param current The joiner's commitment.
    error WrongJoiner(bytes32 current);
    /// @notice Thrown when a fog key's coordinate is not a field element, or it isn't on the curve.
    error BadFogKey();
    /// @notice Thrown when a joiner presents the creator's own fog key.
    error SameFogKey();
    /// @notice Thrown when a game of mode `Unproven` is opened for a stake.
    error NoStakes();
    /// @notice Thrown when a game of mode `Unproven` is opened without the name of a sight engine.
    error NoEngine();
    /// @notice Thrown when a game of mode `Unproven` is joined with another sight engine than the creator's.
    /// @param expected The creator's, as a word.
    error OtherEngine(uint256 expected);
    /// @notice Thrown in a game of mode `Unproven` when a move comes with a proof, and for every action that needs one: demands,
    /// answers to them, claims.
    error NoProofs();
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
    /// @notice Thrown when a deadline of the game has passed: it is decided, and `claimTimeout` says how.
    error OutOfTime();
    /// @notice Thrown when a timeout is claimed, or a bond taken back, while time is left.
    /// @param deadline The deadline that comes first.
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
    /// @notice Thrown when a move was made in another position than the one it comes to, or its answer for another context.
    /// @param expected What it rests on here.
    error WrongBasis(bytes32 expected);
    /// @notice Thrown when an answer is filled in that was made for another context than the game's.
    /// @param expected The game's context.
    error WrongContext(uint256 expected);
    /// @notice Thrown when a player hasn't signed a position, or a result by which it doesn't win.
    /// @param player Who.
    error NotSigned(address player);
    /// @notice Thrown when a position is to replace one that is as late.
    /// @param ply The ply of what stands.
    error NotLater(uint16 ply);
    /// @notice Thrown when no move could be counted after a position.
    error BadPosition();
    /// @notice Thrown when a result is none that players sign: a king captured or a resignation, or a draw agreed, by fifty moves or
    /// for want of a move.
    error BadResult();
    /// @notice Thrown when a proof has not exactly the length of its statement's proofs.
    /// @param expected That length in bytes.
    error WrongProofLength(uint256 expected);
    /// @notice Thrown when the verifier rejects a proof.
    error InvalidProof();
    /// @notice Thrown when a verifier comes to no verdict, such as for want of gas.
    error NoVerdict();
    /// @notice Thrown when the sender's own claim or demand has to be settled first, but for the capture of a king; and while a
    /// woken game is contested.
    error OnHold();
    /// @notice Thrown when a sight is demanded a second time, or one that doesn't exist.
    error NothingToDemand();
    /// @notice Thrown when a bond is too small to pay the other's share.
    /// @param least The least bond now.
    error SmallBond(uint256 least);
    /// @notice Thrown when no open demand is what the answer was made for.
    error NothingDemanded();
    /// @notice Thrown when an answer has another root than the one posted with the move.
    /// @param posted The posted root.
    error WrongRoot(uint256 posted);
    /// @notice Thrown when there is a root already, or none is needed.
    error NothingToFill();
    /// @notice Thrown when fifty moves can't have been made yet, or a claim has failed too recently.
    /// @param ply The first ply at which they may be claimed, as far as is known.
    error TooEarly(uint256 ply);
    /// @notice Thrown when nobody has claimed fifty moves.
    error NothingClaimed();
    /// @notice Thrown when no code stands at the verifier's address.
    error NoVerifier();
    /// @notice Thrown when a draw is accepted that wasn't offered on the last move.
    error NoDrawOffer();
    /// @notice Thrown when a draw is accepted in another position than the one meant.
    error OtherPosition();
    /// @notice Thrown when nothing is owed to the sender.
    error NothingOwed();
    /// @notice Thrown when the receiver takes no money, or is nobody.
    error TransferFailed();

    /// @notice Opens a game and puts in the creator's stake.
    /// @param nonce What the creator tells its games apart by; sent again by mistake, the same call opens nothing.
    /// @param terms Stake, mode, times and who may join.
    /// @param tossCommitment `tossCommitmentOf(creator, share)` for a fresh random `share`.
    /// @param fogKey The creator's fog key; in mode `Unproven` what its sight engine registers.
    /// @return gameId The game's id: `gameIdOf` all this.
    function create(uint256 nonce, Terms calldata terms, bytes32 tossCommitment, Point calldata fogKey)
        external
        payable
        returns (bytes32 gameId);

    /// @notice Takes back a game that nobody has joined: the creator at any time, anybody after it has expired.
    /// @param gameId The game.
    function cancel(bytes32 gameId) external;

    /// @notice Joins a game with the stake. Its id binds all its terms, so this is the game that was looked at.
    /// @param gameId The game.
    /// @param tossCommitment `tossCommitmentOf(joiner, share)` for a fresh random `share`.
    /// @param fogKey The joiner's fog key, not the creator's; in mode `Unproven` the same for the same sight engine.
    function join(bytes32 gameId, bytes32 tossCommitment, Point calldata fogKey) external payable;

    /// @notice The creator reveals its share of the coin toss, in time; without it each gets its stake back. The creator
    /// should wait until the join is final.
    /// @param gameId The game.
    /// @param share The creator's share.
    /// @param joinerCommitment The joiner's commitment for which it is revealed.
    function revealCreator(bytes32 gameId, uint256 share, bytes32 joinerCommitment) external;

    /// @notice The joiner reveals its share, in time; without it it loses. The creator is White if
    /// `keccak256(abi.encode(creator's share, joiner's share, gameId))` is even.
    /// @param gameId The game.
    /// @param share The joiner's share.
    function revealJoiner(bytes32 gameId, uint256 share) external;

    /// @notice Makes a ply. While the mover's hold is open it can only capture the king.
    /// @param gameId The game.
    /// @param declared What the mover says of its move.
    /// @param proof A *turn* proof for exactly these values and the game's own (protocol section 7); empty in mode `Unproven`.
    function move(bytes32 gameId, Move calldata declared, bytes calldata proof) external;

    /// @notice Puts a game of mode `Channel` on the table, where it goes on after one window; within that a later position may take
    /// the place of the one that stands. The start takes no signature, and a player alone can put it there. The contract relies on what both
    /// have signed, also that the move before it is legal.
    /// @param gameId The game, asleep or contested.
    /// @param position A position that both have signed, or one whose ply is 0 for the start.
    /// @param signatures The creator's and the joiner's; the sender's own may be left out.
    function wake(bytes32 gameId, Position calldata position, Signature[2] calldata signatures) external;

    /// @notice Ends a game of mode `Channel` by what its players have signed. The EIP-712 struct is
    /// `Result(bytes32 gameId,uint8 winner,uint8 outcome,bytes32 last)`.
    /// @param gameId The game, asleep or in play.
    /// @param winner 0 for the creator, 1 for the joiner, 2 for nobody.
    /// @param outcome A king captured or a resignation, or a draw agreed, by fifty moves or for want of a move.
    /// @param last The digest of the last position.
    /// @param signatures Of each who doesn't win by it; the sender's own may be left out.
    function close(bytes32 gameId, uint8 winner, Outcome outcome, bytes32 last, Signature[2] calldata signatures)
        external;

    /// @notice Gives the game up.
    /// @param gameId The game.
    function resign(bytes32 gameId) external;

    /// @notice Accepts the draw offered with the opponent's last move.
    /// @param gameId The game.
    /// @param ply The ply to be played in the position meant.
    /// @param opponentCommitment The opponent's commitment in it.
    function acceptDraw(bytes32 gameId, uint16 ply, uint256 opponentCommitment) external;

    /// @notice Ends a game of which a deadline has passed; the earliest decides, and of several in one second the hold's,
    /// then White's demand, then Black's, then the clock. Anyone may call it, so no game stays stuck.
    /// @param gameId The game.
    function claimTimeout(bytes32 gameId) external;

    /// @notice Demands a sight that the opponent owes, with a bond of at least `leastBond(false)`. Before the own move: the
    /// own clock stands still until it is answered, and no other move can be made than the capture of the king. After it:
    /// nothing waits. Unanswered within the window it loses the opponent the game. Of a right answer each pays half.
    /// @param gameId The game.
    /// @param phase Which sight.
    /// @param points The 64 points of the sender's standing request, x then y, by square.
    /// @param proof A *request data* proof that they are what its root says.
    function demandSight(bytes32 gameId, Phase phase, uint256[128] calldata points, bytes calldata proof)
        external
        payable;

    /// @notice Gives a demanded sight, by its deadline; also after the end of the game, when it only settles the bond.
    /// @param gameId The game.
    /// @param exchange What was demanded.
    /// @param answerRoot Root over the records of the answer; if one was posted, that one.
    /// @param elements The answer, in the order of the wire.
    /// @param proof An on-chain *answer* proof of it.
    function answerSight(
        bytes32 gameId,
        Exchange calldata exchange,
        uint256 answerRoot,
        uint256[733] calldata elements,
        bytes calldata proof
    ) external;

    /// @notice Posts the root of an answer that the last move did not carry, because the request's points came late.
    /// @param gameId The game.
    /// @param ctx The context that the answer was made for.
    /// @param answerRoot The root.
    function fillAnswer(bytes32 gameId, uint256 ctx, uint256 answerRoot) external;

    /// @notice Claims a draw by fifty moves of each player, with a bond of at least `leastBond(true)`. The own clock stands
    /// still until the opponent shows that it has made fewer, or the window ends in a draw.
    /// @param gameId The game.
    /// @param proof A *fifty* proof of the sender's own state.
    function claimFifty(bytes32 gameId, bytes calldata proof) external payable;

    /// @notice Answers a claim of fifty moves: shows that the own state has fewer, or agrees.
    /// @param gameId The game.
    /// @param atLeastFifty What is shown.
    /// @param proof A *fifty* proof of the sender's own state.
    function respondFifty(bytes32 gameId, bool atLeastFifty, bytes calldata proof) external;

    /// @notice Draws the game because the player to move has no move.
    /// @param gameId The game.
    /// @param proof A *no move* proof.
    function claimNoMove(bytes32 gameId, bytes calldata proof) external;

    /// @notice Puts a bond that nobody earned aside for its owner, once the game is over and the deadline has passed.
    /// @param gameId The game.
    /// @param slot Where it is kept.
    function reclaim(bytes32 gameId, Slot slot) external;

    /// @notice Publishes the key that opens the sender's own commitments of an ended game, and nothing else. Published again it
    /// corrects the one before.
    /// @param gameId The game.
    /// @param viewKey The key; the contract doesn't check it.
    function publishViewKey(bytes32 gameId, bytes32 viewKey) external;

    /// @notice Pays out all that is owed to the sender.
    /// @param to Where it goes.
    function withdraw(address payable to) external;

    /// @notice Everything about a game.
    /// @param gameId The game.
    /// @return What the contract knows of it; all zero if there is none of this id.
    function game(bytes32 gameId) external view returns (Game memory);

    /// @notice A game in words, for who reads the contract on a page.
    /// @param gameId The game.
    /// @return status Where it stands.
    /// @return outcome How it ended, "none" while it lasts.
    /// @return winner Who won, zero for nobody.
    /// @return ply Plies made.
    /// @return creator Who opened it.
    /// @return joiner Who joined it; while it is open, who may, zero for anyone.
    /// @return white Who has the white pieces, zero before the toss is decided.
    function summary(bytes32 gameId)
        external
        view
        returns (
            string memory status,
            string memory outcome,
            address winner,
            uint256 ply,
            address creator,
            address joiner,
            address white
        );

    /// @notice The context of a sight in the position as it stands (protocol section 5).
    /// @param gameId A game in play.
    /// @param phase `Pre`: of the player to move, before its move. `Post`: of the player who has just moved, after its move.
    /// @return The context, a field element; 0 before the moves of the two opening plies, which have no such sight.
    function contextOf(bytes32 gameId, Phase phase) external view returns (uint256);

    /// @notice What a demand made now would freeze.
    /// @param gameId A game in play.
    /// @param phase Which sight.
    /// @param receiver The colour of who would demand it: to move, for the sight before its move.
    /// @return What an answer would be proven against.
    function exchangeOf(bytes32 gameId, Phase phase, uint8 receiver) external view returns (Exchange memory);

    /// @notice The chess clocks, the delay apart. All three are 0 before a game is joined and after it ended.
    /// @dev In the toss both have the base time.
    /// @param gameId The game.
    /// @return white Time left to White now.
    /// @return black Time left to Black now.
    /// @return deadline The earliest deadline of the game, as a block time: once it has passed, the game is decided.
    function clocks(bytes32 gameId) external view returns (uint256 white, uint256 black, uint256 deadline);

    /// @notice What `withdraw` would pay.
    /// @param player The player who would call it.
    /// @return The amount owed to it.
    function withdrawable(address player) external view returns (uint256);

    /// @notice The least bond at the base fee of this block: four times what a right answer would earn now.
    /// @param fifty Of a claim of fifty moves; else of a demand.
    /// @return The amount.
    function leastBond(bool fifty) external view returns (uint256);

    /// @notice The prices by which bonds are reckoned.
    /// @return What this contract was made with.
    function prices() external view returns (Prices memory);

    /// @notice The id of a game: binds all that is agreed before it is joined.
    /// @param creator Who opens it.
    /// @param nonce What it tells its games apart by.
    /// @param terms Stake, mode, times and who may join.
    /// @param tossCommitment Commitment to the creator's share of the coin toss.
    /// @param fogKey The creator's fog key.
    /// @return `keccak256(abi.encode(chain id, contract, creator, nonce, terms, tossCommitment, fogKey))`.
    function gameIdOf(
        address creator,
        uint256 nonce,
        Terms calldata terms,
        bytes32 tossCommitment,
        Point calldata fogKey
    ) external view returns (bytes32);

    /// @notice What a player commits to in the coin toss.
    /// @param player The player.
    /// @param share Its share.
    /// @return `keccak256(abi.encode(keccak256("fogmate/toss/1"), player, share))`.
    function tossCommitmentOf(address player, uint256 share) external pure returns (bytes32);

    /// @notice The verifiers and the keys that they are given.
    /// @return All addresses and lengths that this contract was made with.
    function verifiers() external view returns (Verifiers memory);
}
