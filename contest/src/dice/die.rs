//! From the two numbers of a roll to two fair dice.

use alloy_primitives::{B256, U256};
use derive_more::Display;

use crate::dice::drbg::HmacDrbg;

/// The name and version of how a seed becomes two dice: the personalization string of the generator.
pub const PRNG: &str = "fogmate/dice/hmac-drbg-sha256/2";

/// The sides of a die.
const SIDES: u8 = 6;
/// Bytes from here on are refused: below it each side has as many.
const LIMIT: u8 = u8::MAX / SIDES * SIDES;

/// What a die shows: 1 to 6.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

impl Die {
    pub const ALL: [Self; SIDES as usize] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// A die that shows this; `None` above 6 and for 0.
    pub fn new(pips: u8) -> Option<Self> {
        (1..=SIDES).contains(&pips).then_some(Self(pips))
    }

    pub fn pips(self) -> u8 {
        self.0
    }
}

/// The seed of a roll: the sum of the number that its player promised and the one that the opponent gave, modulo 2^256.
pub fn seed_of(revealed: U256, number: U256) -> U256 {
    revealed.wrapping_add(number)
}

/// The two dice of a roll, by [`PRNG`]: HMAC_DRBG with SHA-256, with the seed as its entropy input, the game's id and the number of the roll as its
/// nonce (words of 32 bytes, big-endian) and [`PRNG`] in ASCII as personalization string. Requests are for two bytes each, until two bytes are
/// accepted, which are the dice in this order. From 252 on a byte is refused (rejection sampling, so no side is favoured); else the die is its
/// remainder by 6, plus 1.
pub fn roll_dice(seed: U256, game: B256, roll: u64) -> [Die; 2] {
    let (seed, roll): ([u8; 32], [u8; 32]) = (seed.to_be_bytes(), U256::from(roll).to_be_bytes());
    let mut drbg = HmacDrbg::new(&[&seed, game.as_slice(), &roll, PRNG.as_bytes()]);
    let requests = std::iter::repeat_with(|| {
        let mut bytes = [0; 2];
        drbg.generate(&mut bytes);
        bytes
    });
    let mut accepted = requests.flatten().filter(|byte| *byte < LIMIT);
    [(); 2].map(|()| Die(accepted.next().expect("requests without end") % SIDES + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No pair of sides, so neither die and nothing between them. Chi-squared with 35 degrees of freedom is above 66.6 once in a thousand times; the
    /// seeds are always the same.
    #[test]
    fn no_side_is_favoured() {
        const ROLLS: u64 = 30_000;
        let mut counts = [0u32; 36];
        for i in 0..ROLLS {
            let [first, second] =
                roll_dice(U256::from(i), B256::ZERO, 1 + i % 7).map(|die| usize::from(die.pips()) - 1);
            counts[6 * first + second] += 1;
        }
        let expected = ROLLS as f64 / 36.0;
        let chi: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
        assert!(chi < 66.6, "{counts:?}: {chi}");
    }

    #[test]
    fn seed_game_and_roll_all_matter() {
        let of = |seed: u64, game: u8, from: u64| {
            let game = B256::repeat_byte(game);
            (0..40).map(move |i| roll_dice(U256::from(seed), game, from + i)).collect::<Vec<_>>()
        };
        let base = of(1, 1, 1);
        assert_eq!(base, of(1, 1, 1));
        assert!(base != of(2, 1, 1) && base != of(1, 2, 1) && base != of(1, 1, 41));
    }

    #[test]
    fn seeds_wrap_around() {
        assert_eq!(seed_of(U256::MAX, U256::from(3)), U256::from(2));
        assert_eq!((Die::new(0), Die::new(7), Die::new(6).map(Die::pips)), (None, None, Some(6)));
    }
}
