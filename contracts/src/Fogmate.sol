// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Bonds} from "./Bonds.sol";
import {Channel} from "./Channel.sol";
import {Claims} from "./Claims.sol";
import {Play} from "./Play.sol";
import {Statements} from "./Statements.sol";
import {Views} from "./Views.sol";

/// @title Fogmate
/// @notice Games of dark chess without a referee, protocol section 8. No owner, no upgrade, no pause: nobody stands above
/// the players.
/// @dev Put together of abstract contracts with one subject each:
///
///   PullPayments   what players are owed
///   GameStorage    the tables; status, sender, deadlines, end of a game
///   Statements     which verifier and key each statement is asked with
///   Exchanges      the sights that a player is owed
///   Bonds          what an exchange costs each player: leastBond, prices
///   Lobby          before the first move: create, cancel, join, and the two reveals of the toss
///   Channel        games between the players' machines: wake, close
///   Play           from the first move to the end: move, resign, acceptDraw, claimTimeout, publishViewKey
///   Disputes       sights that don't arrive: demandSight, answerSight, fillAnswer, reclaim
///   Claims         draws: claimFifty, respondFifty, claimNoMove
///   Views          what can be read: game, summary, clocks
///
/// A new action is declared in interfaces/IFogmate.sol and goes into the contract of its subject. A new statement gets its
/// public inputs in types/PublicInputs.sol and its check in Statements.sol.
contract Fogmate is Channel, Play, Claims, Views {
    /// @param with The generated verifiers and keys.
    /// @param measured The prices by which bonds are shared.
    constructor(Verifiers memory with, Prices memory measured) Statements(with) Bonds(measured) {}
}
