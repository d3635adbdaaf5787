// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Vm} from "./Vm.sol";

/// @dev What a `ScriptedVerifier` says to a proof. Only the first two are verdicts.
enum Verdict {
    /// It answers one word, which is 1.
    Accept,
    /// It answers one word, which is 0.
    Refuse,
    /// It answers with no data.
    Silent,
    /// It reverts without a reason.
    Revert,
    /// Reverts with a word that would be an acceptance if it were returned.
    RevertWithOne,
    /// Reverts with a word that would be a refusal if it were returned.
    RevertWithZero,
    /// Burns all gas, as a failed precompile does.
    Burn,
    /// It answers one word, which is 2.
    Two,
    /// One word, with the highest bit set.
    High,
    /// 31 bytes of the word 1.
    Short,
    /// Two words, the first of which is 1.
    Long
}

/// @dev For tests only: says for each key what it was told to say, at first `Accept`, and remembers what it was asked. A
/// static call can't write, so it writes by cheatcode; what a call asked that reverted later is forgotten with it.
contract ScriptedVerifier {
    Vm private constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// What it says, by key. Slot 0.
    mapping(address key => Verdict) private _says;
    /// How often it was asked, by key. Slot 1.
    mapping(address key => uint256) public timesAsked;
    /// The hash of what it was asked last, by key. Slot 2.
    mapping(address key => bytes32) public lastAsked;

    function say(address key, Verdict verdict) external {
        _says[key] = verdict;
    }

    fallback() external {
        address key = abi.decode(msg.data, (address));
        vm.store(address(this), keccak256(abi.encode(key, 1)), bytes32(timesAsked[key] + 1));
        vm.store(address(this), keccak256(abi.encode(key, 2)), keccak256(msg.data));
        Verdict verdict = _says[key];
        if (verdict == Verdict.Accept) _return(1, 32);
        if (verdict == Verdict.Refuse) _return(0, 32);
        if (verdict == Verdict.Silent) _return(0, 0);
        if (verdict == Verdict.Two) _return(2, 32);
        if (verdict == Verdict.High) _return((1 << 255) + 1, 32);
        if (verdict == Verdict.Short) _return(1 << 8, 31);
        if (verdict == Verdict.Long) _return(1, 64);
        if (verdict == Verdict.RevertWithOne) _revert(1, 32);
        if (verdict == Verdict.RevertWithZero) _revert(0, 32);
        if (verdict == Verdict.Revert) _revert(0, 0);
        assembly ("memory-safe") {
            invalid()
        }
    }

    function _return(uint256 word, uint256 length) private pure {
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, word)
            return(data, length)
        }
    }

    function _revert(uint256 word, uint256 length) private pure {
        assembly ("memory-safe") {
            mstore(0, word)
            revert(0, length)
        }
    }
}
