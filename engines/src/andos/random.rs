//! Where all randomness of a party comes from: streams of ChaCha20 under keys that follow from the engine's branch of the seed and
//! from all that the party has received, so that nothing is drawn twice for different data and a replay draws the same again.

use crypto_bigint::{Limb, Uint};
use fog::engine::{Branch, digest};
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{RngCore, SeedableRng},
};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes of a [`StreamKey`].
pub const KEY_BYTES: usize = 32;

/// The key of 2⁶⁴ independent streams.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct StreamKey([u8; KEY_BYTES]);

impl StreamKey {
    /// The first 32 bytes of `PRF(branch; digest(parts))`.
    pub fn derive<'a>(branch: &Branch, parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut key = Self([0; KEY_BYTES]);
        key.0.copy_from_slice(&branch.prf(&digest(parts))[..KEY_BYTES]);
        key
    }

    /// The key with these bytes.
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    pub fn to_bytes(&self) -> [u8; KEY_BYTES] {
        self.0
    }

    /// The stream of a number. No number is used twice with one key.
    pub fn stream(&self, number: usize) -> ChaCha20Rng {
        let mut stream = ChaCha20Rng::from_seed(self.0);
        stream.set_stream(number as u64);
        stream
    }
}

fog::redacted!(StreamKey);

/// Uniform bytes, for a key.
pub fn bytes(rng: &mut ChaCha20Rng) -> [u8; KEY_BYTES] {
    let mut bytes = [0; KEY_BYTES];
    rng.fill_bytes(&mut bytes);
    bytes
}

/// A uniform number below `bound`, which is not 0.
pub fn below(rng: &mut ChaCha20Rng, bound: u64) -> u64 {
    let whole = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = rng.next_u64();
        if drawn < whole {
            return drawn % bound;
        }
    }
}

/// A uniform permutation of 0 to `count` − 1 (Fisher and Yates), `count` at most 256.
pub fn permutation(count: usize, rng: &mut ChaCha20Rng) -> Vec<u8> {
    let mut permutation: Vec<u8> = (0..count).map(|place| place as u8).collect();
    for last in (1..count).rev() {
        permutation.swap(last, below(rng, last as u64 + 1) as usize);
    }
    permutation
}

/// A uniform number of all bits.
pub fn number<const L: usize>(rng: &mut ChaCha20Rng) -> Uint<L> {
    let mut bytes = [0; 256];
    let bytes = &mut bytes[..L * Limb::BYTES];
    rng.fill_bytes(bytes);
    let number = Uint::from_be_slice(bytes);
    bytes.zeroize();
    number
}

/// A uniform number below `bound`, by rejection: for bounds whose highest bit is set.
pub fn number_below<const L: usize>(rng: &mut ChaCha20Rng, bound: &Uint<L>) -> Uint<L> {
    loop {
        let drawn = number(rng);
        if drawn < *bound {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_independent_and_permutations_are_permutations() {
        let key = StreamKey::from_bytes([7; KEY_BYTES]);
        assert_ne!(key.stream(0).next_u64(), key.stream(1).next_u64());
        let [a, b] = [2, 3].map(|number| permutation(64, &mut key.stream(number)));
        assert_ne!(a, b);
        for mut found in [a, b] {
            found.sort_unstable();
            assert!(found.iter().copied().eq(0..64));
        }
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut rng = StreamKey::from_bytes([8; KEY_BYTES]).stream(0);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[below(&mut rng, 5) as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    }
}
