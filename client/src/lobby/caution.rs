//! What the terms of a game mean on the chain that it is played on: whether they leave an honest player the time that it needs,
//! and what a hostile opponent can make it pay.

use std::fmt;

use game::{EXCHANGE_GAS, Terms};

use super::in_ether;
use crate::chain::{Chain, ChainError};

/// What of a chain decides whether terms are prudent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// How long a block takes to be final, in seconds.
    pub finality: u64,
    /// The base fee of the latest block, in wei.
    pub base_fee: u128,
}

impl Conditions {
    /// As they are now.
    pub async fn now(chain: &Chain) -> Result<Self, ChainError> {
        Ok(Self { finality: chain.finality_time().await?, base_fee: chain.base_fee().await? })
    }
}

/// What a player should know before it agrees to terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caution {
    /// Moves take longer to be final than the time off the clock.
    ShortDelay {
        /// The time off the clock of a move, in seconds.
        delay: u32,
        /// How long a move takes to be final, in seconds.
        finality: u64,
    },
    /// Demands can hardly be answered in time.
    ShortWindow {
        /// The time to answer, in seconds.
        window: u32,
        /// What an answer takes: finality, its proof, its inclusion, in seconds.
        needed: u64,
    },
    /// What the chain takes for a full move all of whose sights are demanded, in wei, from each player.
    Outspending(u128),
}

/// What proving an answer and having it included may take, in seconds.
const ANSWERING: u64 = 120;
/// Exchanges in a full move: two sights for each player.
const EXCHANGES: u128 = 4;

/// What to know of terms before agreeing to them.
pub fn cautions(terms: &Terms, conditions: &Conditions) -> Vec<Caution> {
    let Conditions { finality, base_fee } = *conditions;
    let needed = finality.saturating_add(ANSWERING);
    let cost = EXCHANGES.saturating_mul(EXCHANGE_GAS.into()).saturating_mul(base_fee);
    let mut found = Vec::new();
    if u64::from(terms.delay) < finality {
        found.push(Caution::ShortDelay { delay: terms.delay, finality });
    }
    if u64::from(terms.window) < needed {
        found.push(Caution::ShortWindow { window: terms.window, needed });
    }
    if terms.stake > 0 {
        found.push(Caution::Outspending(cost));
    }
    found
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShortDelay { delay, finality } => write!(
                f,
                "a move takes about {finality} s to be final on this chain and only {delay} s a move are off the clocks: each of \
                 your moves costs you about {} s before you see the board",
                finality - u64::from(*delay)
            ),
            Self::ShortWindow { window, needed } => write!(
                f,
                "who doesn't answer a demand within {window} s loses, and on this chain an answer may take {needed} s: an honest \
                 player may lose so"
            ),
            Self::Outspending(wei) => write!(
                f,
                "an opponent can have every sight go through the chain, which then costs each of you about {} ETH a full move at \
                 the present fee: be ready to pay that to the end of the game",
                in_ether(rounded(*wei))
            ),
        }
    }
}

/// An amount to two digits: what it estimates isn't known better.
fn rounded(wei: u128) -> u128 {
    let unit = wei.checked_ilog10().map_or(1, |digits| 10u128.pow(digits.saturating_sub(1)));
    wei.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use game::Mode;

    use super::*;

    const TERMS: Terms = Terms {
        mode: Mode::Verified,
        stake: 1,
        base: 3_600,
        increment: 30,
        delay: 60,
        window: 3_600,
        reveal: 600,
        expiry: 0,
        opponent: None,
    };

    #[test]
    fn a_chain_that_is_slow_to_be_final_is_told() {
        let on = |finality| cautions(&Terms { stake: 0, ..TERMS }, &Conditions { finality, base_fee: 1 });
        assert_eq!(on(0), []);
        assert_eq!(on(60), []);
        assert_eq!(on(144), [Caution::ShortDelay { delay: 60, finality: 144 }]);
        assert!(on(144)[0].to_string().contains("about 84 s before"));
        let short = Terms { stake: 0, window: 200, delay: 200, ..TERMS };
        let found = cautions(&short, &Conditions { finality: 144, base_fee: 1 });
        assert_eq!(found, [Caution::ShortWindow { window: 200, needed: 264 }]);
    }

    #[test]
    fn a_stake_is_told_what_defending_it_may_cost() {
        let found = cautions(&TERMS, &Conditions { finality: 0, base_fee: 1_000_000_000 });
        assert_eq!(found, [Caution::Outspending(4_200_000_000_000_000)]);
        assert!(found[0].to_string().contains("about 0.0042 ETH a full move"));
        let amounts = [0, 9, 99, 123, 4_200_000_000_000_001];
        assert_eq!(amounts.map(rounded), [0, 9, 99, 130, 4_300_000_000_000_000]);
    }
}
