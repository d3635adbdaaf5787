// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {AnyPlay} from "./AnyPlay.sol";
import {Test} from "./Vm.sol";

interface GasMeter {
    function pauseGasMetering() external;
}

/// @dev The contract against the rules written down a second time, step by step, whoever does whatever. See `AnyPlay`.
contract AnyPlayTest is Test {
    /// A long walk takes more gas than a test has.
    GasMeter private constant METER = GasMeter(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    AnyPlay private _play;

    function setUp() public {
        _play = new AnyPlay();
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
        targets[0].selectors[0] = AnyPlay.step.selector;
    }

    /// @dev The steps themselves compare; here what holds of all games together.
    /// forge-config: default.invariant.shrink-run-limit = 50
    function invariant_every_step_is_by_the_rules() external view {
        _play.checkMoney();
    }

    function afterInvariant() external {
        uint256 state = vm.snapshotState();
        _play.settle();
        vm.revertToState(state);
    }

    /// @dev The steps reach all of the contract: in a long walk every action is allowed and refused at some time.
    function test_long_walk() external {
        METER.pauseGasMetering();
        string[26] memory names = [
            "create",
            "cancel",
            "join",
            "revealCreator",
            "revealJoiner",
            "move",
            "resign",
            "acceptDraw",
            "claimTimeout",
            "publishViewKey",
            "demand pre",
            "demand post",
            "answer",
            "answer after the end",
            "fillAnswer",
            "reclaim",
            "claimFifty",
            "respondFifty",
            "claimNoMove",
            "withdraw",
            "move, unproven",
            "demand too early",
            "demand pre, unproven",
            "demand post, unproven",
            "claimFifty, unproven",
            "claimNoMove, unproven"
        ];
        uint256 state = vm.snapshotState();
        uint256[26] memory done;
        uint256[26] memory refused;
        for (uint256 walk = 0; walk < 36; ++walk) {
            for (uint256 i = 0; i < 400; ++i) {
                _play.step(walk * 1000 + i);
            }
            for (uint256 i = 0; i < names.length; ++i) {
                done[i] += _play.done(names[i]);
                refused[i] += _play.refused(names[i]);
            }
            vm.revertToState(state);
        }
        for (uint256 i = 0; i < names.length; ++i) {
            emit log_named_uint(string.concat(names[i], " allowed"), done[i]);
            emit log_named_uint(string.concat(names[i], " refused"), refused[i]);
        }
        for (uint256 i = 0; i < names.length; ++i) {
            if (i < 21) assertTrue(done[i] > 0, string.concat("never allowed: ", names[i]));
            else assertEq(done[i], 0, string.concat("allowed: ", names[i]));
            assertTrue(refused[i] > 0, string.concat("never refused: ", names[i]));
        }
    }
}
