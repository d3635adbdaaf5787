// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Lobby} from "./Lobby.sol";
import {Play} from "./Play.sol";
import {Views} from "./Views.sol";

/// @title Fogmate
/// @notice Games of dark chess without a referee, protocol section 8. No owner, no upgrade, no pause: nobody stands above
/// the players. The dispute about a sight and the claims of a draw are not here.
/// @dev Put together of abstract contracts with one subject each:
///
///   PullPayments   what players are owed
///   GameStorage    the tables; status, sender, end of a game
///   Lobby          before the first move: create, cancel, join, reveal
///   Play           from the first move to the end: move, resign, acceptDraw, claimTimeout, publishViewKey
///   Views          what can be read: game, contextOf, clocks
///
/// A new action is declared in interfaces/IFogmate.sol and goes into the contract of its subject. A new subject becomes an
/// abstract contract that derives from GameStorage and is added below: `Disputes` (sights demanded and answered), `Claims`
/// (draws by fifty moves and without a move). A new statement gets its public inputs in types/, as TurnInputs.sol has
/// them, and its key and its shape's generated verifier as immutables of the contract that asks them through
/// libraries/ProofGuard.sol.
contract Fogmate is Lobby, Play, Views {
    /// @param verifier The generated verifier of *turn* proofs.
    /// @param key The key of *turn* for that verifier.
    /// @param proofLength The exact length of *turn* proofs in bytes.
    constructor(address verifier, address key, uint256 proofLength) Play(verifier, key, proofLength) {}
}
