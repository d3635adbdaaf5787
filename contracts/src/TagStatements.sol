// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ITagGame} from "./interfaces/Contests.sol";
import {FIELD_ORDER} from "./libraries/Field.sol";
import {ProofGuard, Query} from "./libraries/ProofGuard.sol";
import {NARROW_INPUTS} from "./types/PublicInputs.sol";

/// @title The statements of tag
/// @notice docs/src/statements.md, Tag: which key each is asked with, and their public inputs. One verifier serves all three, the one of
/// dark chess. Public inputs after a statement's own are zero.
abstract contract TagStatements is ITagGame {
    address private immutable _narrow;
    address private immutable _stepKey;
    address private immutable _replyKey;
    address private immutable _captureKey;
    uint32 private immutable _proofLength;

    /// @param with The generated contracts; each must have code.
    constructor(Verifiers memory with) {
        address[4] memory all = [with.narrow, with.stepKey, with.replyKey, with.captureKey];
        for (uint256 i = 0; i < all.length; ++i) {
            ProofGuard.requireCode(all[i]);
        }
        (_narrow, _stepKey, _replyKey) = (with.narrow, with.stepKey, with.replyKey);
        (_captureKey, _proofLength) = (with.captureKey, with.proofLength);
    }

    /// @inheritdoc ITagGame
    function verifiers() external view returns (Verifiers memory) {
        return Verifiers(_narrow, _stepKey, _replyKey, _captureKey, _proofLength);
    }

    /// @dev Reverts unless it is a proof of *tag step*. `place` is the grid's side, and `16·(1 + code)` more if the king is placed.
    function _checkStep(uint256 previous, uint256 place, Placement calldata to, bytes calldata proof) internal view {
        uint256[NARROW_INPUTS] memory inputs;
        (inputs[0], inputs[1], inputs[2], inputs[3]) = (previous, to.commitment, place, to.setHash);
        for (uint256 i = 0; i < 9; ++i) {
            inputs[4 + i] = to.set[i];
        }
        _check(_stepKey, inputs, proof);
    }

    /// @dev Reverts unless it is a proof of *tag reply*.
    function _checkReply(uint256 commitment, uint256 setHash, Answer calldata answer, bytes calldata proof)
        internal
        view
    {
        uint256[NARROW_INPUTS] memory inputs;
        (inputs[0], inputs[1]) = (commitment, setHash);
        for (uint256 i = 0; i < 9; ++i) {
            inputs[2 + i] = answer.raised[i];
        }
        inputs[11] = answer.own;
        _check(_replyKey, inputs, proof);
    }

    /// @dev Reverts unless it is a proof of *tag capture*.
    function _checkCapture(uint256 commitment, uint256 own, uint256 shared, bytes calldata proof) internal view {
        uint256[NARROW_INPUTS] memory inputs;
        (inputs[0], inputs[1], inputs[2]) = (commitment, own, shared);
        _check(_captureKey, inputs, proof);
    }

    /// @dev The verifier reduces what is not below the field's order, so that is refused here.
    function _check(address key, uint256[NARROW_INPUTS] memory inputs, bytes calldata proof) private view {
        if (proof.length != _proofLength) revert WrongProofLength(_proofLength);
        for (uint256 i = 0; i < NARROW_INPUTS; ++i) {
            if (inputs[i] >= FIELD_ORDER) revert NotInField(inputs[i]);
        }
        uint256 start;
        assembly ("memory-safe") {
            start := inputs
        }
        ProofGuard.check(Query(_narrow, key, start, NARROW_INPUTS, NARROW_INPUTS), proof);
    }
}
