//! Check sums: they tell what is damaged or mistyped from what was written.

use sha2::{Digest as _, Sha256};

/// The start of SHA-256 over parts, one after the other.
pub fn sum<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let digest = parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize();
    std::array::from_fn(|i| digest[i])
}
