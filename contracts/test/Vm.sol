// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @dev The cheatcodes of forge that the tests use; forge-std isn't in any package registry.
interface Vm {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 key) external pure returns (address);
    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function deployCode(string calldata artifact) external returns (address);
    function envOr(string calldata name, uint256 value) external view returns (uint256);
    function etch(address account, bytes calldata code) external;
    function getCode(string calldata artifact) external view returns (bytes memory);
    function exists(string calldata path) external view returns (bool);
    function expectEmit(address emitter) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;
    function expectRevert(bytes calldata data) external;
    function expectRevert() external;
    function fee(uint256 baseFee) external;
    function getBlockTimestamp() external view returns (uint256);
    function getRecordedLogs() external returns (Log[] memory);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function lastCallGas() external view returns (Gas memory);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseJsonUintArray(string calldata json, string calldata key) external pure returns (uint256[] memory);
    function prank(address sender) external;
    function readFile(string calldata path) external view returns (string memory);
    function readLine(string calldata path) external view returns (string memory);
    function recordLogs() external;
    function revertToState(uint256 id) external returns (bool);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function skip(bool really, string calldata reason) external;
    function setEvmVersion(string calldata hardfork) external;
    function snapshotState() external returns (uint256);
    function store(address account, bytes32 slot, bytes32 value) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
    function toString(uint256 value) external pure returns (string memory);
    function warp(uint256 time) external;
}

/// @dev Takes the rule out of force that controls.py names. Only its copy of the contracts looks there.
function heedControl(Vm vm) {
    vm.deal(address(0xC0117701), vm.envOr("FOGMATE_CONTROL", 0));
}

/// @dev What every test starts from.
abstract contract Test {
    /// forge looks for this to tell tests from other contracts.
    bool public constant IS_TEST = true;

    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @dev Creates a contract of `src` from what is compiled for the chain; what stands in the tests isn't optimized.
    function create(string memory name, bytes memory arguments) internal returns (address made) {
        bytes memory code = bytes.concat(vm.getCode(string.concat(name, ".sol:", name)), arguments);
        assembly {
            made := create(0, add(code, 32), mload(code))
            if iszero(made) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }

    error NotEqual(string what, uint256 found, uint256 expected);
    error NotTrue(string what);

    event log_named_uint(string key, uint256 value);

    function assertEq(uint256 found, uint256 expected, string memory what) internal pure {
        if (found != expected) revert NotEqual(what, found, expected);
    }

    function assertEq(address found, address expected, string memory what) internal pure {
        assertEq(uint160(found), uint160(expected), what);
    }

    function assertEq(bytes32 found, bytes32 expected, string memory what) internal pure {
        assertEq(uint256(found), uint256(expected), what);
    }

    function assertTrue(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    /// @dev The block's time. The compiler takes `block.timestamp` for a constant of the call, and would read it again after
    /// a `warp` where a test has kept it from before.
    function time() internal view returns (uint256) {
        return vm.getBlockTimestamp();
    }

    /// @dev Folds any value into low..high.
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        if (value >= low && value <= high) return value;
        uint256 span = high - low;
        return span == type(uint256).max ? value : low + value % (span + 1);
    }
}
