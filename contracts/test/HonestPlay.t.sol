// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {HonestPlay} from "./HonestPlay.sol";
import {Test} from "./Vm.sol";

interface GasMeter {
    function pauseGasMetering() external;
}

/// @dev What a player who follows the rules is promised, whatever its opponent does. See `HonestPlay`.
contract HonestPlayTest is Test {
    /// A long walk takes more gas than a test has.
    GasMeter private constant METER = GasMeter(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    HonestPlay private _play;

    function setUp() public {
        _play = new HonestPlay();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_play);
    }

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(_play);
        targets[0].selectors = new bytes4[](1);
        targets[0].selectors[0] = HonestPlay.step.selector;
    }

    /// @dev The steps themselves assert all that is promised.
    /// forge-config: default.invariant.shrink-run-limit = 50
    function invariant_an_honest_player_is_safe() external view {
        assertTrue(address(_play) != address(0), "deployed");
    }

    /// @dev A long walk, which reaches everything that there is to be safe from. controls.py expects it to fail.
    function test_long_walk() external {
        METER.pauseGasMetering();
        string[13] memory names = [
            "legal move of X",
            "false move of X",
            "demand of X",
            "demand of X after its move",
            "answer of H",
            "answer of H after the end",
            "answer of X",
            "claim of X",
            "response of H",
            "outcome 3",
            "outcome 5",
            "outcome 8",
            "outcome 9"
        ];
        for (uint256 i = 0; i < 6000; ++i) {
            _play.step(i);
        }
        for (uint256 i = 0; i < names.length; ++i) {
            emit log_named_uint(names[i], _play.seen(names[i]));
        }
        emit log_named_uint("highest excess in gas", _play.seen("highest excess"));
        for (uint256 i = 0; i < names.length; ++i) {
            assertTrue(_play.seen(names[i]) > 0, string.concat("never: ", names[i]));
        }
    }
}
