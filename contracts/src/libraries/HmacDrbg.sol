// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @title HMAC_DRBG with SHA-256
/// @notice NIST SP 800-90A Rev. 1, section 10.1.2, without reseeding, additional input and limits on requests. RFC 6979 uses the same
/// generator and publishes its outputs. The Rust twin is contest/src/dice/drbg.rs.
library HmacDrbg {
    /// @dev A generator's working state.
    struct State {
        bytes32 key;
        bytes32 value;
    }

    /// @dev HMAC's paddings, FIPS 198-1: 64 bytes each, of which the key covers the first half.
    bytes32 private constant INNER = 0x3636363636363636363636363636363636363636363636363636363636363636;
    bytes32 private constant OUTER = 0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c;
    /// @dev The first value: each byte is 1.
    bytes32 private constant ONES = 0x0101010101010101010101010101010101010101010101010101010101010101;

    /// @notice Instantiates a generator with entropy input, nonce and personalization string, in this order.
    function instantiate(bytes memory seedMaterial) internal pure returns (State memory state) {
        state.value = ONES;
        _mix(state, abi.encodePacked(state.value, uint8(0), seedMaterial));
        _mix(state, abi.encodePacked(state.value, uint8(1), seedMaterial));
    }

    /// @notice The output of the request that is due: 32 bytes, of which a shorter request takes the first.
    function output(State memory state) internal pure returns (bytes32) {
        state.value = _mac(state.key, abi.encodePacked(state.value));
        return state.value;
    }

    /// @notice Concludes a request. Needed only if another one follows.
    function conclude(State memory state) internal pure {
        _mix(state, abi.encodePacked(state.value, uint8(0)));
    }

    /// @dev Half of the standard's update function.
    function _mix(State memory state, bytes memory message) private pure {
        state.key = _mac(state.key, message);
        state.value = _mac(state.key, abi.encodePacked(state.value));
    }

    /// @dev HMAC-SHA256 under a key of 32 bytes.
    function _mac(bytes32 key, bytes memory message) private pure returns (bytes32) {
        bytes32 inner = sha256(abi.encodePacked(key ^ INNER, INNER, message));
        return sha256(abi.encodePacked(key ^ OUTER, OUTER, inner));
    }
}
