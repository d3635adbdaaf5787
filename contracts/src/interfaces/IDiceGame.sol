// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title Snakes and Ladders with dice that neither player throws alone
/// @notice docs/src/dice.md. Each roll's seed is the sum of a number that its player promised before and one that the opponent gave
/// after that promise. The creator makes the odd rolls, the joiner the even ones; rolls are counted from 1. A player's promise
/// for a roll is made two messages before it: in `create` for roll 1, in `join` for roll 2, in roll i for roll i + 2.
/// @dev Amounts are in wei, times in seconds of block time; a deadline is the last second in time. All is in one file because
/// Rust reads its types from it. The Rust twin is contest/src/dice/roll.rs.
interface IDiceGame {
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
        /// A player reached square 100.
        Finished,
        Resigned,
        /// The player to roll let its time pass: whoever knows its roll and keeps it to itself.
        TimedOut
    }

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
        Status status;
        Outcome outcome;
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
    /// @param die What the die shows.
    /// @param square Where the player then stands.
    event Rolled(
        bytes32 indexed gameId,
        address indexed player,
        uint64 roll,
        bytes32 head,
        uint256 revealed,
        uint256 number,
        bytes32 promised,
        uint8 die,
        uint8 square
    );

    /// @notice A game is over.
    /// @param gameId The game.
    /// @param winner Who won, zero if it was cancelled.
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
    /// @notice Thrown when it is the other player's turn, or the sender isn't a player.
    error NotYourTurn();
    /// @notice Thrown when the sender isn't a player of the game.
    error NotPlayer();
    /// @notice Thrown when a game for a stake names no opponent: its creator could take the other seat itself, ahead of a joiner whose
    /// number it has seen on its way into a block and doesn't like.
    error NoOpponent();
    /// @notice Thrown when the game is for another opponent.
    error NotInvited();
    /// @notice Thrown when a player would play against itself.
    error SelfPlay();
    /// @notice Thrown when not exactly the stake is sent along.
    /// @param expected The stake.
    error WrongStake(uint256 expected);
    /// @notice Thrown when a game with these terms, nonce and promise is there already.
    error GameExists();
    /// @notice Thrown when the terms leave no time, more than 30 days for a roll or to join, or for a stake less than five minutes for a roll.
    error BadTerms();
    /// @notice Thrown when the game can't be joined any more.
    error Expired();
    /// @notice Thrown when the time for the roll is over.
    error OutOfTime();
    /// @notice Thrown when there is time left.
    /// @param deadline The last second in time.
    error StillInTime(uint256 deadline);
    /// @notice Thrown when a message follows another one than the latest.
    /// @param expected The latest head.
    error WrongHead(bytes32 expected);
    /// @notice Thrown when the number revealed isn't the one promised.
    error WrongReveal();
    /// @notice Thrown when the sender is owed nothing.
    error NothingOwed();
    /// @notice Thrown when the receiver takes no money, or is nobody.
    error TransferFailed();

    /// @notice Opens a game, with the stake.
    /// @param nonce Any number; it makes the id another.
    /// @param terms What is agreed.
    /// @param promised The creator's promise for roll 1, see `promiseOf`.
    /// @return gameId Its id.
    function create(uint256 nonce, Terms calldata terms, bytes32 promised) external payable returns (bytes32 gameId);

    /// @notice Takes back a game that nobody has joined in time: anybody, after its expiry. Not before, or the creator could see a joiner's
    /// number on its way into a block, and with it roll 1, and step back at no cost.
    /// @param gameId The game.
    function cancel(bytes32 gameId) external;

    /// @notice Joins a game, with the stake. The id has the creator's promise in it, so the joiner's number answers that promise
    /// and no other.
    /// @param gameId The game.
    /// @param number The joiner's number for roll 1.
    /// @param promised The joiner's promise for roll 2.
    function join(bytes32 gameId, uint256 number, bytes32 promised) external payable;

    /// @notice Rolls the die, and moves: by the player to roll, in time.
    /// @param gameId The game.
    /// @param head The latest head: the roll is for this very game, this very state, and this number of the opponent's.
    /// @param revealed The number promised for this roll.
    /// @param number The number for the opponent's next roll. Whoever doesn't draw it at random harms itself alone.
    /// @param promised The promise for the own next roll.
    function roll(bytes32 gameId, bytes32 head, uint256 revealed, uint256 number, bytes32 promised) external;

    /// @notice Gives up.
    /// @param gameId The game.
    function resign(bytes32 gameId) external;

    /// @notice Ends a game whose player to roll has let its time pass: the other wins. Anybody may.
    /// @param gameId The game.
    function claimTimeout(bytes32 gameId) external;

    /// @notice Pays the sender what it is owed.
    /// @param to Who is paid.
    function withdraw(address payable to) external;

    /// @notice The public state of a game.
    /// @param gameId The game.
    /// @return The state; all zero if there is no such game.
    function game(bytes32 gameId) external view returns (Game memory);

    /// @notice What a player is owed.
    /// @param player The player.
    /// @return In wei.
    function withdrawable(address player) external view returns (uint256);

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

    /// @notice What a die shows.
    /// @param seed The sum of both numbers, modulo 2^256.
    /// @param gameId The game.
    /// @param ofRoll The number of the roll, from 1.
    /// @return 1 to 6.
    function dieOf(uint256 seed, bytes32 gameId, uint64 ofRoll) external pure returns (uint8);
}
