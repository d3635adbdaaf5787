// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "./interfaces/IFogmate.sol";

/// @title What players are owed
/// @notice Protocol section 8: pull payments. Money leaves the contract only here, only what belongs to the sender, and
/// only when it asks; so a player who can't be paid hinders nobody else.
abstract contract PullPayments is IFogmate {
    mapping(address player => uint256 amount) private _owed;

    /// @inheritdoc IFogmate
    function withdraw(address payable to) external {
        uint256 amount = _owed[msg.sender];
        if (amount == 0) revert NothingOwed();
        _owed[msg.sender] = 0;
        emit Withdrawn(msg.sender, to, amount);
        (bool paid,) = to.call{value: amount}("");
        if (!paid || to == address(0)) revert TransferFailed();
    }

    /// @inheritdoc IFogmate
    function withdrawable(address player) external view returns (uint256) {
        return _owed[player];
    }

    /// @dev Puts `amount` wei aside for `player`.
    function _credit(address player, uint256 amount) internal {
        if (amount != 0) _owed[player] += amount;
    }
}
