//! The coin toss for colors (protocol, section 8): both players commit to a share, then the creator reveals, then the joiner.
//! The commitments are made as for the dice (`fog::commit_reveal`). All words are 32 bytes; the formulas are the contract's (`contracts/src/libraries/Toss.sol`).

use fog::{commit_reveal::commitment, word::keccak256};

/// Hashed, the first word of what a player commits to.
const TAG: &[u8] = b"fogmate/toss/1";

/// What a player commits to on chain: `keccak256(abi.encode(keccak256("fogmate/toss/1"), player, share))`.
pub fn toss_commitment(player: &[u8; 20], share: &[u8; 32]) -> [u8; 32] {
    commitment(&keccak256(TAG), player, share)
}

/// Whether the coin toss makes the creator White: its joint randomness is even.
pub fn creator_is_white(creator_share: &[u8; 32], joiner_share: &[u8; 32], game_id: &[u8; 32]) -> bool {
    toss_word(creator_share, joiner_share, game_id)[31] & 1 == 0
}

/// The joint randomness of the toss, `keccak256(abi.encode(creator's share, joiner's share, game id))`.
pub fn toss_word(creator_share: &[u8; 32], joiner_share: &[u8; 32], game_id: &[u8; 32]) -> [u8; 32] {
    keccak256([*creator_share, *joiner_share, *game_id].as_flattened())
}
