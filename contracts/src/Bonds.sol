// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "./interfaces/IFogmate.sol";

/// @title What a demand or a claim costs, and who pays
/// @notice Whose fault it is that a sight didn't arrive can't be told on chain, so of an exchange each pays half: a right
/// answer earns half of what answering costs more than demanding. Who claims fifty moves wrongly pays for being corrected.
/// Paid at the base fee of the answer's block, but at least at the deployment's least price, and for each byte at its price of
/// data; at most the bond. The rest goes back. Gas is never measured while running, which the paid could steer.
abstract contract Bonds is IFogmate {
    /// @dev Half of the bytes of calldata by which `answerSight` is longer than `demandSight`.
    uint256 private constant ANSWER_SHARE_BYTES = 11_312;
    /// @dev Gas and calldata of `respondFifty`.
    uint256 private constant RESPOND_GAS = 460_000;
    uint256 private constant RESPOND_BYTES = 2_628;
    /// @dev How far prices may rise until the answer, and the bond still pays.
    uint256 private constant RISE = 4;

    uint32 private immutable _answerShareGas;
    uint96 private immutable _leastPrice;
    uint96 private immutable _dataPrice;

    /// @param measured What the chain's prices are.
    constructor(Prices memory measured) {
        (_answerShareGas, _leastPrice) = (measured.answerShareGas, measured.leastPrice);
        _dataPrice = measured.dataPrice;
    }

    /// @inheritdoc IFogmate
    function prices() external view returns (Prices memory) {
        return Prices(_answerShareGas, _leastPrice, _dataPrice);
    }

    /// @inheritdoc IFogmate
    function leastBond(bool fifty) public view returns (uint256) {
        return RISE * _share(fifty);
    }

    /// @dev Reverts unless what was sent is bond enough.
    function _expectBond(bool fifty) internal view {
        uint256 least = leastBond(fifty);
        if (msg.value < least) revert SmallBond(least);
    }

    /// @dev What a right answer earns now, or a response that corrects a claim of fifty moves, in wei.
    function _share(bool fifty) internal view returns (uint256) {
        uint256 price = block.basefee > _leastPrice ? block.basefee : _leastPrice;
        if (fifty) return RESPOND_GAS * price + RESPOND_BYTES * _dataPrice;
        return _answerShareGas * price + ANSWER_SHARE_BYTES * _dataPrice;
    }
}
