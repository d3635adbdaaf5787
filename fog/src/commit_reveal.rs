//! Commit and reveal: a player binds itself to a share before it sees another's, and shows it afterwards (Blum, *Coin flipping by telephone*,
//! 1981). The coin toss for colours and the dice use it; the contracts' twin is `contracts/src/libraries/CommitReveal.sol`.
//!
//! A share is 32 bytes that nobody can guess: the hash hides nothing else.

use crate::word::{WORD, Word, keccak256};

/// What a player commits to: `keccak256(abi.encode(tag, player, share))`.
///
/// The tag says what the share is for, so that it opens nothing else; the player's address (20 bytes) is in it, so that nobody
/// can commit to another's share by copying.
pub fn commitment(tag: &Word, player: &[u8; 20], share: &Word) -> Word {
    let mut message = [0; 3 * WORD];
    message[..WORD].copy_from_slice(tag);
    message[2 * WORD - player.len()..2 * WORD].copy_from_slice(player);
    message[2 * WORD..].copy_from_slice(share);
    keccak256(&message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_tag_player_or_share_is_another_commitment() {
        let (tag, player, share) = ([1; 32], [2; 20], [3; 32]);
        let found = commitment(&tag, &player, &share);
        for i in 0..32 {
            let (mut other_tag, mut other_player, mut other_share) = (tag, player, share);
            other_tag[i] ^= 1;
            other_player[i % 20] ^= 1;
            other_share[i] ^= 1;
            assert_ne!(found, commitment(&other_tag, &player, &share));
            assert_ne!(found, commitment(&tag, &other_player, &share));
            assert_ne!(found, commitment(&tag, &player, &other_share));
        }
    }
}
