// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @dev Order of bn254's scalar field: the proofs' native field, and the one of Grumpkin's coordinates.
uint256 constant FIELD_ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617;

/// @dev Stands for "no square" wherever a square of 0..63 could stand.
uint8 constant NO_SQUARE = 64;
