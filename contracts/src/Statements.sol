// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "./interfaces/IFogmate.sol";
import {FIELD_ORDER} from "./libraries/Field.sol";
import {ProofGuard, Query} from "./libraries/ProofGuard.sol";
import {
    AnswerInputs,
    FiftyInputs,
    NARROW_INPUTS,
    NoMoveInputs,
    RequestDataInputs,
    TurnInputs,
    WIDE_INPUTS
} from "./types/PublicInputs.sol";

/// @title The statements that the contract verifies
/// @notice Protocol section 7: which verifier and which key each is asked with. Two verifiers serve five statements: what
/// differs between statements of one shape is in their keys.
abstract contract Statements is IFogmate {
    address private immutable _narrow;
    address private immutable _wide;
    address private immutable _turnKey;
    address private immutable _requestDataKey;
    address private immutable _fiftyKey;
    address private immutable _noMoveKey;
    address private immutable _answerKey;
    uint32 private immutable _narrowProofLength;
    uint32 private immutable _wideProofLength;

    /// @param with The generated contracts; each must have code.
    constructor(Verifiers memory with) {
        address[7] memory all =
            [with.narrow, with.wide, with.turnKey, with.requestDataKey, with.fiftyKey, with.noMoveKey, with.answerKey];
        for (uint256 i = 0; i < all.length; ++i) {
            ProofGuard.requireCode(all[i]);
        }
        (_narrow, _wide) = (with.narrow, with.wide);
        (_turnKey, _requestDataKey) = (with.turnKey, with.requestDataKey);
        (_fiftyKey, _noMoveKey, _answerKey) = (with.fiftyKey, with.noMoveKey, with.answerKey);
        (_narrowProofLength, _wideProofLength) = (with.narrowProofLength, with.wideProofLength);
    }

    /// @inheritdoc IFogmate
    function verifiers() external view returns (Verifiers memory with) {
        (with.narrow, with.wide) = (_narrow, _wide);
        (with.turnKey, with.requestDataKey) = (_turnKey, _requestDataKey);
        (with.fiftyKey, with.noMoveKey, with.answerKey) = (_fiftyKey, _noMoveKey, _answerKey);
        (with.narrowProofLength, with.wideProofLength) = (_narrowProofLength, _wideProofLength);
    }

    /// @dev Reverts unless it is a proof of *turn*.
    function _checkTurn(TurnInputs memory inputs, bytes calldata proof) internal view {
        _checkInField(inputs);
        uint256 start;
        assembly ("memory-safe") {
            start := inputs
        }
        _checkNarrow(_turnKey, start, NARROW_INPUTS, proof);
    }

    /// @dev Reverts unless what the mover chose are field elements.
    function _checkInField(TurnInputs memory inputs) internal pure {
        if (inputs.nextCommitment >= FIELD_ORDER) revert NotInField(inputs.nextCommitment);
        if (inputs.nextRequestRoot >= FIELD_ORDER) revert NotInField(inputs.nextRequestRoot);
    }

    /// @dev Reverts unless it is a proof of *request data*.
    function _checkRequestData(RequestDataInputs memory inputs, bytes calldata proof) internal view {
        uint256 start;
        assembly ("memory-safe") {
            start := inputs
        }
        _checkNarrow(_requestDataKey, start, 3, proof);
    }

    /// @dev Reverts unless it is a proof of *fifty*.
    function _checkFifty(FiftyInputs memory inputs, bytes calldata proof) internal view {
        uint256 start;
        assembly ("memory-safe") {
            start := inputs
        }
        _checkNarrow(_fiftyKey, start, 2, proof);
    }

    /// @dev Reverts unless it is a proof of *no move*.
    function _checkNoMove(NoMoveInputs memory inputs, bytes calldata proof) internal view {
        uint256 start;
        assembly ("memory-safe") {
            start := inputs
        }
        _checkNarrow(_noMoveKey, start, 8, proof);
    }

    /// @dev Reverts unless it is a proof of the on-chain *answer*.
    function _checkAnswer(AnswerInputs memory inputs, bytes calldata proof) internal view {
        if (inputs.answerRoot >= FIELD_ORDER) revert NotInField(inputs.answerRoot);
        if (proof.length != _wideProofLength) revert WrongProofLength(_wideProofLength);
        uint256 start;
        assembly ("memory-safe") {
            start := inputs
        }
        ProofGuard.check(Query(_wide, _answerKey, start, WIDE_INPUTS, WIDE_INPUTS), proof);
    }

    function _checkNarrow(address key, uint256 start, uint256 count, bytes calldata proof) private view {
        if (proof.length != _narrowProofLength) revert WrongProofLength(_narrowProofLength);
        ProofGuard.check(Query(_narrow, key, start, count, NARROW_INPUTS), proof);
    }
}
