// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

// The interfaces of games for two with a small contract: what all of them have, then dice and tag. They are in one file because Rust reads its
// types from it, and follows no import. Amounts are in wei, times in seconds of block time; a deadline is the last second in time.

/// @title What all games for two with a small contract have: who plays, whose time runs, how it ends, and who is paid
/// @dev The Rust twin is contest/src/table.rs.
interface IContest {
    /// @notice Where a game stands.
    enum Status {
        /// No game has this id.
        None,
        /// Waits for an opponent.
        Open,
        Playing,
        /// Ended; `Outcome` says how.
        Over
    }

    /// @notice How a game ended.
    enum Outcome {
        None,
        /// Taken back after nobody had joined in time.
        Cancelled,
        /// By the game's own rules, for a player: who reached square 100, or saw a king.
        Won,
        /// By the game's own rules, for nobody. There is no such end of a game of dice.
        Drawn,
        Resigned,
        /// A player let its time pass.
        TimedOut
    }

    /// @notice A game is over.
    /// @param gameId The game.
    /// @param winner Who won, zero if nobody has.
    /// @param outcome How.
    event GameEnded(bytes32 indexed gameId, address indexed winner, Outcome outcome);

    /// @notice A player has fetched what it was owed.
    /// @param player Whose it was.
    /// @param to Who was paid.
    /// @param amount How much.
    event Withdrawn(address indexed player, address indexed to, uint256 amount);

    /// @notice Thrown when the game isn't where such an action belongs.
    /// @param status Where it is.
    error WrongStatus(Status status);
    /// @notice Thrown when another player's action is due, or the sender isn't a player.
    error NotYourTurn();
    /// @notice Thrown when the sender isn't a player of the game.
    error NotPlayer();
    /// @notice Thrown when the game is for another opponent.
    error NotInvited();
    /// @notice Thrown when a player would play against itself.
    error SelfPlay();
    /// @notice Thrown when not exactly the stake is sent along.
    /// @param expected The stake.
    error WrongStake(uint256 expected);
    /// @notice Thrown when a game with these terms and this nonce is there already.
    error GameExists();
    /// @notice Thrown when the terms leave no time, more than 30 days for an action or to join, or for a stake less than five minutes for an
    /// action; or name what the game doesn't have.
    error BadTerms();
    /// @notice Thrown when the game can't be joined any more.
    error Expired();
    /// @notice Thrown when the time for the action is over.
    error OutOfTime();
    /// @notice Thrown when there is time left.
    /// @param deadline The last second in time.
    error StillInTime(uint256 deadline);
    /// @notice Thrown when the sender is owed nothing.
    error NothingOwed();
    /// @notice Thrown when the receiver takes no money, or is nobody.
    error TransferFailed();

    /// @notice Takes back a game that nobody has joined in time: anybody, after its expiry. Not before: a creator who sees a joiner on its way
    /// into a block could step back at no cost.
    /// @param gameId The game.
    function cancel(bytes32 gameId) external;

    /// @notice Gives up.
    /// @param gameId The game.
    function resign(bytes32 gameId) external;

    /// @notice Ends a game in which a player has let its time pass: the other wins, unless the game's rules say that it is drawn. Anybody may.
    /// @param gameId The game.
    function claimTimeout(bytes32 gameId) external;

    /// @notice Pays the sender what it is owed.
    /// @param to Who is paid.
    function withdraw(address payable to) external;

    /// @notice What a player is owed.
    /// @param player The player.
    /// @return In wei.
    function withdrawable(address player) external view returns (uint256);
}

/// @title Snakes and Ladders with dice that neither player throws alone
/// @notice docs/src/dice.md. Each roll's seed is the sum of a number that its player promised before and one that the opponent gave
/// after that promise. The creator makes the odd rolls, the joiner the even ones; rolls are counted from 1. A player's promise
/// for a roll is made two messages before it: in `create` for roll 1, in `join` for roll 2, in roll i for roll i + 2. A roll is of two dice, which
/// its player knows first, and by one of which it moves, as it likes.
/// @dev The Rust twin is contest/src/dice/rules.rs.
interface IDiceGame is IContest {
    /// @notice What is agreed.
    struct Terms {
        /// What each player puts in.
        uint96 stake;
        /// The time for each roll; at least five minutes if there is a stake.
        uint24 turn;
        /// The last block time at which the game can be joined; within 30 days.
        uint40 expiry;
        /// Who may join, zero for anyone; not zero if there is a stake.
        address opponent;
    }

    /// @notice The public state of a game.
    struct Game {
        IContest.Status status;
        IContest.Outcome outcome;
        /// Who won, zero if nobody has.
        address winner;
        address creator;
        /// Who joined it; in an open game who may, zero for anyone.
        address joiner;
        /// What each player put in.
        uint96 stake;
        /// The time for each roll.
        uint24 turn;
        /// The last block time at which it can be joined.
        uint40 expiry;
        /// When the time for the next roll began.
        uint40 since;
        uint64 rolls;
        /// Where the creator stands, 0..100.
        uint8 creatorSquare;
        /// Where the joiner stands, 0..100.
        uint8 joinerSquare;
        /// What the next message has to name.
        bytes32 head;
        /// The creator's promise for its next roll.
        bytes32 creatorPromise;
        /// The joiner's promise for its next roll.
        bytes32 joinerPromise;
        /// The number given in clear for the next roll.
        uint256 number;
    }

    /// @notice A game waits for an opponent.
    /// @param gameId Its id, and its first head.
    /// @param creator Who opened it.
    /// @param opponent Who may join, zero for anyone.
    /// @param nonce Tells games of the same creator apart.
    /// @param terms What is agreed.
    /// @param promised The creator's promise for roll 1.
    event GameCreated(
        bytes32 indexed gameId,
        address indexed creator,
        address indexed opponent,
        uint256 nonce,
        Terms terms,
        bytes32 promised
    );

    /// @notice A game has both players.
    /// @param gameId The game.
    /// @param joiner Who joined.
    /// @param head The head after it.
    /// @param number The joiner's number for roll 1.
    /// @param promised The joiner's promise for roll 2.
    event GameJoined(bytes32 indexed gameId, address indexed joiner, bytes32 head, uint256 number, bytes32 promised);

    /// @notice A player has rolled.
    /// @param gameId The game.
    /// @param player Who.
    /// @param roll The number of the roll, from 1.
    /// @param head The head after it.
    /// @param revealed What the player had promised for it.
    /// @param number The player's number for the next roll, the opponent's.
    /// @param promised The player's promise for its own next roll.
    /// @param dice What the dice show.
    /// @param chosen What the one shows by which the player has moved.
    /// @param square Where the player then stands.
    event Rolled(
        bytes32 indexed gameId,
        address indexed player,
        uint64 roll,
        bytes32 head,
        uint256 revealed,
        uint256 number,
        bytes32 promised,
        uint8[2] dice,
        uint8 chosen,
        uint8 square
    );

    /// @notice Thrown when a game for a stake names no opponent: its creator could take the other seat itself, ahead of a joiner whose
    /// number it has seen on its way into a block and doesn't like.
    error NoOpponent();
    /// @notice Thrown when a message follows another one than the latest.
    /// @param expected The latest head.
    error WrongHead(bytes32 expected);
    /// @notice Thrown when the number revealed isn't the one promised.
    error WrongReveal();
    /// @notice Thrown when neither die shows what was chosen.
    /// @param dice What the dice show.
    error NoSuchDie(uint8[2] dice);
    /// @notice Opens a game, with the stake.
    /// @param nonce Any number; it makes the id another.
    /// @param terms What is agreed.
    /// @param promised The creator's promise for roll 1, see `promiseOf`.
    /// @return gameId Its id.
    function create(uint256 nonce, Terms calldata terms, bytes32 promised) external payable returns (bytes32 gameId);

    /// @notice Joins a game, with the stake. The id has the creator's promise in it, so the joiner's number answers that promise
    /// and no other.
    /// @param gameId The game.
    /// @param number The joiner's number for roll 1.
    /// @param promised The joiner's promise for roll 2.
    function join(bytes32 gameId, uint256 number, bytes32 promised) external payable;

    /// @notice Rolls the dice, and moves by one of them: by the player to roll, in time.
    /// @param gameId The game.
    /// @param head The latest head: the roll is for this very game, this very state, and this number of the opponent's.
    /// @param revealed The number promised for this roll.
    /// @param number The number for the opponent's next roll. Whoever doesn't draw it at random harms itself alone.
    /// @param promised The promise for the own next roll.
    /// @param chosen What the die shows by which to move. If both show the same there is one such call, so none has two forms.
    function roll(bytes32 gameId, bytes32 head, uint256 revealed, uint256 number, bytes32 promised, uint8 chosen)
        external;

    /// @notice The public state of a game.
    /// @param gameId The game.
    /// @return The state; all zero if there is no such game.
    function game(bytes32 gameId) external view returns (Game memory);

    /// @notice The id of a game.
    /// @param creator Who opens it.
    /// @param nonce Its nonce.
    /// @param terms Its terms.
    /// @param promised The creator's promise for roll 1.
    /// @return The id.
    function gameIdOf(address creator, uint256 nonce, Terms calldata terms, bytes32 promised)
        external
        view
        returns (bytes32);

    /// @notice The promise of a number.
    /// @param player Who promises.
    /// @param forRoll For which roll, from 1.
    /// @param number 256 bits that nobody can guess.
    /// @return What to promise with.
    function promiseOf(address player, uint64 forRoll, uint256 number) external pure returns (bytes32);

    /// @notice What the dice show.
    /// @param seed The sum of both numbers, modulo 2^256.
    /// @param gameId The game.
    /// @param ofRoll The number of the roll, from 1.
    /// @return Each 1 to 6, in order.
    function diceOf(uint256 seed, bytes32 gameId, uint64 ofRoll) external pure returns (uint8[2] memory);
}

/// @title Tag: two kings in fog, each of which captures the other on sight
/// @notice docs/src/tag.md. Players step by turns, the creator first; plies are counted from 0. Who steps publishes its new set and the
/// reply to the other's standing set; then the other, whose turn is next, replies to the new set. If it sees the king that has stepped it
/// may show a capture, by the reply that came with that step, until it steps itself.
/// @dev The Rust twin is contest/src/tag/rules.rs. Proofs are verified through `ProofGuard`, whose errors are those of
/// IFogmate: `InvalidProof`, `NoVerdict`, `NoVerifier`.
interface ITagGame is IContest {
    /// @notice What a game in play waits for.
    enum Phase {
        /// The step of the player to move.
        Step,
        /// The other player's reply to it.
        Reply,
        /// After the last ply: that the player whose turn would be next captures or settles.
        Last
    }

    /// @notice The generated contracts by which proofs are verified.
    struct Verifiers {
        /// The verifier of the statements' shape.
        address narrow;
        /// The key of *tag step*.
        address stepKey;
        /// The key of *tag reply*.
        address replyKey;
        /// The key of *tag capture*.
        address captureKey;
        /// Bytes of every proof.
        uint32 proofLength;
    }

    /// @notice What is agreed.
    struct Terms {
        /// What each player puts in.
        uint96 stake;
        /// Files and ranks of the grid: 5 to 8.
        uint8 side;
        /// Plies after which the game is drawn.
        uint16 plies;
        /// The time for each step and each reply; at least five minutes if there is a stake.
        uint24 turn;
        /// The last block time at which the game can be joined; within 30 days.
        uint40 expiry;
        /// Who may join, zero for anyone.
        address opponent;
    }

    /// @notice A king's new position, in public.
    struct Placement {
        /// The commitment to it.
        uint256 commitment;
        /// The hash of its set.
        uint256 setHash;
        /// The x-coordinates of its raised neighbourhood.
        uint256[9] set;
    }

    /// @notice The reply to a set.
    struct Answer {
        /// The x-coordinates of the set's raised points.
        uint256[9] raised;
        /// That of the point of the replier's square.
        uint256 own;
    }

    /// @notice The public state of a game.
    struct Game {
        IContest.Status status;
        /// What it waits for, in play.
        Phase phase;
        IContest.Outcome outcome;
        /// Who won, zero if nobody has.
        address winner;
        address creator;
        /// Who joined it; in an open game who may, zero for anyone.
        address joiner;
        /// What each player put in.
        uint96 stake;
        /// Files and ranks of the grid.
        uint8 side;
        uint16 ply;
        /// Plies after which it is drawn.
        uint16 plies;
        /// The time for each step and each reply.
        uint24 turn;
        /// The last block time at which it can be joined.
        uint40 expiry;
        /// When the time for the next action began.
        uint40 since;
        /// The commitments of creator and joiner.
        uint256[2] commitments;
        /// The hashes of their sets.
        uint256[2] setHashes;
        /// The hash of the answer that came with the latest step, zero before the first: by it who is to act may capture.
        bytes32 answered;
    }

    /// @notice A game waits for an opponent.
    /// @param gameId Its id.
    /// @param creator Who opened it.
    /// @param opponent Who may join, zero for anyone.
    /// @param nonce Tells games of the same creator apart.
    /// @param terms What is agreed.
    /// @param placement The creator's king, placed.
    event GameCreated(
        bytes32 indexed gameId,
        address indexed creator,
        address indexed opponent,
        uint256 nonce,
        Terms terms,
        Placement placement
    );

    /// @notice A game has both players.
    /// @param gameId The game.
    /// @param joiner Who joined.
    /// @param placement The joiner's king, placed.
    event GameJoined(bytes32 indexed gameId, address indexed joiner, Placement placement);

    /// @notice A king has made a step.
    /// @param gameId The game.
    /// @param player Whose.
    /// @param ply The ply, from 0.
    /// @param placement Its new position.
    /// @param answer The reply to the other's standing set from there.
    event Stepped(bytes32 indexed gameId, address indexed player, uint16 ply, Placement placement, Answer answer);

    /// @notice A player has replied to the set of who stepped.
    /// @param gameId The game.
    /// @param player Who replied.
    /// @param ply The ply, which is over, from 0.
    /// @param answer The reply.
    event Replied(bytes32 indexed gameId, address indexed player, uint16 ply, Answer answer);

    /// @notice Thrown when the game waits for something else.
    /// @param phase For what.
    error WrongPhase(Phase phase);
    /// @notice Thrown when a proof has another length.
    /// @param expected The length of every proof.
    error WrongProofLength(uint256 expected);
    /// @notice Thrown when a word isn't a field element.
    /// @param word The word.
    error NotInField(uint256 word);
    /// @notice Thrown when an answer isn't the one that came with the latest step, or none did.
    error WrongAnswer();
    /// @notice Thrown when a set has no such place.
    error NoPlace();
    /// @notice Opens a game, with the stake, the creator's king placed on the first square.
    /// @param nonce Any number; it makes the id another.
    /// @param terms What is agreed.
    /// @param placement The king's position.
    /// @param proof Of *tag step*.
    /// @return gameId Its id.
    function create(uint256 nonce, Terms calldata terms, Placement calldata placement, bytes calldata proof)
        external
        payable
        returns (bytes32 gameId);

    /// @notice Joins a game, with the stake, the joiner's king placed on the last square.
    /// @param gameId The game.
    /// @param placement The king's position.
    /// @param proof Of *tag step*.
    function join(bytes32 gameId, Placement calldata placement, bytes calldata proof) external payable;

    /// @notice Makes a step, and replies to the other's standing set from the new square.
    /// @param gameId The game.
    /// @param placement The new position.
    /// @param stepProof Of *tag step*.
    /// @param answer The reply.
    /// @param replyProof Of *tag reply*.
    function step(
        bytes32 gameId,
        Placement calldata placement,
        bytes calldata stepProof,
        Answer calldata answer,
        bytes calldata replyProof
    ) external;

    /// @notice Replies to the set of who has stepped; the ply is over.
    /// @param gameId The game.
    /// @param answer The reply.
    /// @param proof Of *tag reply*.
    function reply(bytes32 gameId, Answer calldata answer, bytes calldata proof) external;

    /// @notice Wins, in place of the reply, the step or the settlement that is due: the answer that came with the other's step shows its king.
    /// @param gameId The game.
    /// @param answer That answer.
    /// @param place The place in the own set, 0 to 8, at which it shows the king.
    /// @param proof Of *tag capture*.
    function capture(bytes32 gameId, Answer calldata answer, uint8 place, bytes calldata proof) external;

    /// @notice Draws after the last ply: who would be to move has no capture to show.
    /// @param gameId The game.
    function settle(bytes32 gameId) external;

    /// @notice The public state of a game.
    /// @param gameId The game.
    /// @return The state; all zero if there is no such game.
    function game(bytes32 gameId) external view returns (Game memory);

    /// @notice The id of a game. It has the creator's king in it: who joins, joins the game that it has seen, whatever a reorganisation
    /// brings.
    /// @param creator Who opens it.
    /// @param nonce Its nonce.
    /// @param terms Its terms.
    /// @param commitment The commitment to the creator's king.
    /// @param setHash The hash of its set.
    /// @return The id.
    function gameIdOf(address creator, uint256 nonce, Terms calldata terms, uint256 commitment, uint256 setHash)
        external
        view
        returns (bytes32);

    /// @notice The generated contracts by which proofs are verified.
    /// @return They and the length of proofs.
    function verifiers() external view returns (Verifiers memory);
}
