//! The promise of a number.

use alloy_primitives::{Address, B256, U256};
use fog::commit_reveal::commitment;
use fog::word::{keccak256, small_word};

/// Hashed with the number of a roll, what a promise is for.
const TAG: &[u8] = b"fogmate/dice/2";

/// The promise of a number for a roll (from 1): `keccak256(abi.encode(tag(roll), player, number))`, where `tag(roll)` is
/// `keccak256(abi.encode(keccak256("fogmate/dice/2"), roll))`. It is the commitment of the coin toss under another tag.
pub fn promise(player: Address, roll: u64, number: U256) -> B256 {
    let tag = keccak256([keccak256(TAG), small_word(roll)].as_flattened());
    commitment(&tag, &player.into(), &number.to_be_bytes()).into()
}
