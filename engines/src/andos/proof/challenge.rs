//! The sender's challenge: which copies of a question are opened toward the sender's own packet. The others are opened toward the question.

use crate::andos::random::{StreamKey, permutation};

/// Copies of a question.
pub const COPIES: usize = 64;
/// Those that are opened toward the sender's packet. There are `C(64, 12)` = 2⁴¹·⁵ such choices.
pub const CHOSEN: usize = 12;

/// Numbers of the chosen copies, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge([u8; CHOSEN]);

impl Challenge {
    pub fn draw(randomness: &StreamKey) -> Self {
        let numbers = permutation(COPIES, &mut randomness.stream(0));
        let mut chosen: [u8; CHOSEN] = std::array::from_fn(|i| numbers[i]);
        chosen.sort_unstable();
        Self(chosen)
    }

    /// Reads [`CHOSEN`] bytes, a number each; `None` if they don't ascend or one is no copy's.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let chosen: [u8; CHOSEN] = bytes.try_into().ok()?;
        let ascend = chosen.windows(2).all(|pair| pair[0] < pair[1]);
        (ascend && usize::from(chosen[CHOSEN - 1]) < COPIES).then_some(Self(chosen))
    }

    pub fn to_bytes(self) -> [u8; CHOSEN] {
        self.0
    }

    /// Whether a copy is chosen.
    pub fn contains(&self, copy: usize) -> bool {
        self.0.iter().any(|chosen| usize::from(*chosen) == copy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::andos::random::KEY_BYTES;

    #[test]
    fn there_are_more_than_two_to_the_forty_challenges() {
        let choices = (0..CHOSEN as u128).fold(1, |product, i| product * (COPIES as u128 - i) / (i + 1));
        assert!(choices > 1 << 41);
    }

    #[test]
    fn challenges_ascend() {
        let drawn = Challenge::draw(&StreamKey::from_bytes([1; KEY_BYTES]));
        assert_eq!(Challenge::from_bytes(&drawn.to_bytes()), Some(drawn));
        assert_eq!((0..COPIES).filter(|copy| drawn.contains(*copy)).count(), CHOSEN);
        let right: [u8; CHOSEN] = std::array::from_fn(|i| i as u8 + 52);
        assert!(Challenge::from_bytes(&right).is_some());
        for (place, byte) in [(0, 53), (11, 64), (5, 56)] {
            let mut wrong = right;
            wrong[place] = byte;
            assert_eq!(Challenge::from_bytes(&wrong), None);
        }
    }
}
